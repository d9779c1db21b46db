import { z } from "zod";
import { id, instant } from "../fields/primitives.ts";
import { plain } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";

/** An amount in minor units, which can be negative. */
const signed = z.int();

export const attentionKinds = [
  "disputes",
  "failed renewals",
  "failed payments",
  "unknown payments",
  "unmatched events",
  "failing webhooks",
  "expiring keys",
  "ending promotions",
  "approvals",
  "rollouts",
  "draft packages",
] as const;
export type AttentionKind = (typeof attentionKinds)[number];

const attention = z
  .object({
    kind: z.enum(attentionKinds),
    count: z.int(),
    /** Whether there are more than counted. */
    isMore: z.boolean(),
    /** The record, if it is only one. */
    record: z.object({ id, name: plain }).nullable(),
    /** By currency, never added up across them. */
    amounts: z.array(z.object({ currency: plain, amount: signed })),
    /** When something happens unless someone acts. */
    dueAt: instant.nullable(),
    since: instant.nullable(),
  })
  .meta({ id: "AttentionItem" });
export type Attention = z.output<typeof attention>;

export const listAttention = endpoint({
  method: "GET",
  path: "/home/attention",
  summary: "List what needs attention, the most urgent first",
  permission: "signed in",
  reply: z.object({ items: z.array(attention) }),
});

export const setupSteps = [
  "account",
  "company",
  "app",
  "feature",
  "package",
  "payment",
  "key",
  "team",
] as const;
export type SetupStep = (typeof setupSteps)[number];

export const getSetup = endpoint({
  method: "GET",
  path: "/home/setup",
  summary: "Retrieve which steps of the setup are done",
  permission: "signed in",
  reply: z.object({ steps: z.array(z.object({ step: z.enum(setupSteps), isDone: z.boolean() })) }),
});
