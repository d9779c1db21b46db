import { z } from "zod";
import { id, instant } from "../fields/primitives.ts";
import { plain } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { signed } from "./period.ts";

export const attentionKinds = [
  "disputes",
  "failed renewals",
  "failed payments",
  "unknown payments",
  "unmatched events",
  "failing webhooks",
  "expiring keys",
  "expiring service keys",
  "rising denials",
  "ending promotions",
  "approvals",
  "rollouts",
  "draft packages",
  "draft promotions",
] as const;
export type AttentionKind = (typeof attentionKinds)[number];
const kind = z.enum(attentionKinds);

const person = z.object({ id, name: plain });

const record = z
  .object({
    id,
    name: plain,
    /** The record whose page shows it, if it has one. */
    pageId: id.nullable(),
    customer: plain.nullable(),
    amount: z.object({ currency: plain, amount: signed }).nullable(),
    /** When something happens unless someone acts. */
    dueAt: instant.nullable(),
    since: instant.nullable(),
    /** Who takes care of it. Null if they can no longer do so. */
    assignee: person.nullable(),
    /** Null as soon as its time is over. */
    snoozed: z.object({ until: instant, by: plain }).nullable(),
  })
  .meta({ id: "AttentionRecord" });
export type AttentionRecord = z.output<typeof record>;

const attention = z
  .object({
    kind,
    /** Records that aren't snoozed. */
    count: z.int(),
    /** Whether there are more than counted. */
    isMore: z.boolean(),
    snoozedCount: z.int(),
    /** How many of the records are assigned to someone, without the snoozed ones. */
    assignedCount: z.int(),
    /** The record, if it is only one. */
    record: record.nullable(),
    /** By currency, never added up across them. */
    amounts: z.array(z.object({ currency: plain, amount: signed })),
    /** The first date of its records. */
    dueAt: instant.nullable(),
    since: instant.nullable(),
  })
  .meta({ id: "AttentionItem" });
export type Attention = z.output<typeof attention>;

/** Only what is assigned to the caller. */
const of = z.enum(["me"]).optional();

export const listAttention = endpoint({
  method: "GET",
  path: "/home/attention",
  summary: "List what needs attention by kind, the most urgent first",
  permission: "signed in",
  query: z.strictObject({ of }),
  reply: z.object({ items: z.array(attention) }),
});

export const attentionRecordsMax = 100;

export const listAttentionRecords = endpoint({
  method: "GET",
  path: "/home/attention/records",
  summary: "List the records of a kind that need attention, the most urgent first",
  permission: "signed in",
  query: z.strictObject({ kind, of }),
  reply: z.object({
    items: z.array(record),
    /** Whether there are more than listed. */
    isMore: z.boolean(),
  }),
});

export const listAssignees = endpoint({
  method: "GET",
  path: "/home/attention/assignees",
  summary: "List team members who can take care of a kind of item that needs attention",
  permission: "comments:write",
  serviceAccounts: false,
  query: z.strictObject({ kind }),
  reply: z.object({ items: z.array(person) }),
});

/** The records as the caller saw them. Those that no longer need attention are left out. */
const seen = { kind, recordIds: z.array(id).min(1).max(attentionRecordsMax) };
const reply = z.object({ items: z.array(record) });

export const assignAttention = endpoint({
  method: "PUT",
  path: "/home/attention/assignee",
  summary: "Assign records that need attention to a team member",
  permission: "comments:write",
  serviceAccounts: false,
  body: z.strictObject({ ...seen, assigneeId: id.nullable() }),
  reply,
  refusals: ["wrong_state"],
});

/** In days of the company's time zone. */
export const snoozes = ["tomorrow", "monday", "week"] as const;
export type Snooze = (typeof snoozes)[number];

export const snoozeAttention = endpoint({
  method: "PUT",
  path: "/home/attention/snooze",
  summary: "Snooze records that need attention for the whole team",
  permission: "comments:write",
  serviceAccounts: false,
  body: z.strictObject({
    ...seen,
    /** Null to show them again. */
    until: z.enum(snoozes).nullable(),
  }),
  reply,
  refusals: ["wrong_state"],
});
