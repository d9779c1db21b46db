import { z } from "zod";
import { amount } from "../fields/money.ts";
import { id, instant, record } from "../fields/primitives.ts";
import { plain } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { userSummary } from "../packages/publishing.ts";
import { promotionDetails } from "./endpoints.ts";
import { withheldReasons } from "./pricing.ts";

export const simulationDays = 90;

const byCurrency = z.array(
  z.object({
    currency: plain,
    redemptions: z.int(),
    /** The discount it would have given. */
    given: amount,
    /** The discounts of all promotions on these sales, actual and simulated. */
    before: amount,
    after: amount,
  }),
);

const result = z.object({
  redemptions: z.int(),
  customers: z.int(),
  byCurrency,
  /** Promotions that it would have replaced. */
  displaced: z.array(
    z.object({
      promotionId: id,
      name: plain,
      redemptions: z.int(),
      byCurrency: z.array(z.object({ currency: plain, given: amount })),
    }),
  ),
  /** Why it would not have applied to the other sales. */
  withheld: z.array(z.object({ reason: z.enum(withheldReasons), sales: z.int() })),
  /** The first sales that it would have applied to. */
  examples: z.array(
    z.object({ id, number: plain, user: userSummary, at: instant, currency: plain, given: amount }),
  ),
});
export type SimulationResult = z.output<typeof result>;

export const simulationReply = z
  .object({
    id,
    from: instant,
    to: instant,
    status: z.enum(["running", "done", "canceled"]),
    /** Sales checked so far, and the progress from 0 to 1. */
    sales: z.int(),
    share: z.number(),
    result: result.nullable(),
    createdAt: instant,
  })
  .meta({ id: "PromotionSimulation" });
export type Simulation = z.output<typeof simulationReply>;

export const startSimulation = endpoint({
  method: "POST",
  path: "/promotions/simulations",
  summary: "Simulate a promotion on sales of the last 90 days",
  permission: "promotions:write",
  body: z.strictObject({ details: promotionDetails, promotionId: id.optional() }),
  status: 202,
  reply: simulationReply,
  refusals: ["not_found"],
});

export const getSimulation = endpoint({
  method: "GET",
  path: "/promotions/simulations/:id",
  summary: "Retrieve a simulation",
  permission: "promotions:read",
  params: record,
  reply: simulationReply,
});

export const cancelSimulation = endpoint({
  method: "POST",
  path: "/promotions/simulations/:id/cancel",
  summary: "Cancel a simulation",
  permission: "promotions:write",
  params: record,
  body: z.strictObject({}),
  reply: simulationReply,
});
