import { z } from "zod";
import { atLeast, atMost } from "../fields/commonRules.ts";
import { record } from "../fields/primitives.ts";
import { plain } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { promotionReply } from "./endpoints.ts";
import { count } from "./fields.ts";

export const codesMax = 10_000;

export const addCodes = endpoint({
  method: "POST",
  path: "/promotions/:id/codes",
  summary: "Generate promotion codes",
  permission: "promotions:write",
  params: record,
  body: z.strictObject({
    amount: z.int().min(1, atLeast(1)).max(codesMax, atMost(codesMax)),
    /** The redemption limit of each code. */
    redemptionLimit: count.default(1),
  }),
  reply: promotionReply,
  status: 201,
  refusals: ["wrong_state"],
});

export const exportCodes = endpoint({
  method: "GET",
  path: "/promotions/:id/codes/export",
  summary: "Export promotion codes",
  permission: "promotions:export",
  proof: "recent",
  params: record,
  query: z.strictObject({ format: z.enum(["csv", "jsonl"]).default("csv") }),
  reply: plain,
  file: true,
});
