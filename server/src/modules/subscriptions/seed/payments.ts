import { createHash } from "node:crypto";
import type { EventType } from "@purser/contract/transactions/fields";
import { findSubscription } from "#modules/billing/subscriptionQueries.ts";
import { issueDocumentsOf } from "#modules/documents/issue.ts";
import { lockWaiting } from "#modules/documents/queries.ts";
import type { DemoCustomer } from "#modules/entitlements/seed/customers.ts";
import { applyEvents } from "../../transactions/events/applyEvents.ts";
import { readLocked } from "../../transactions/queries.ts";
import { renew } from "../renewals.ts";
import { type Company, findOpenRenewal, findPaidSubscriptions } from "./demoQueries.ts";
import { daysAfter, minutesAfter, type Step } from "./timeline.ts";

const providers = ["cardline", "cardline", "sepa-direct", "manual"] as const;

export const providerOf = ({ n }: DemoCustomer) => providers[n % providers.length] ?? "cardline";

/** The payment as the provider or the bank statement names it. */
export const referenceOf = (customer: DemoCustomer, at: Date) => {
  const day = at.toISOString().slice(0, 10);
  const account = 10_000 + customer.n;
  switch (providerOf(customer)) {
    case "manual":
      return `SEPA ${day} nq-${account}`;
    case "sepa-direct":
      return `SDD ${day} nq-${account}`;
    default:
      return `ch_${createHash("sha256").update(`${account} ${+at}`).digest("hex").slice(0, 24)}`;
  }
};

/** Issues the documents of what was settled, as the worker does a minute later. */
export const issueDocuments = async ({ db, zone }: Company, at: Date) => {
  for (let waiting = await lockWaiting(db); waiting; waiting = await lockWaiting(db)) {
    const now = minutesAfter(at, 1);
    const { problem } = await issueDocumentsOf(db, waiting.id, { now, zone });
    if (problem) throw new Error(`Documents of demo data are missing: ${problem.code}.`);
  }
};

/** Applies an event that the payment provider, or a team member for bank transfers, reports. */
export const report = async (
  { db, zone, finance }: Company,
  customer: DemoCustomer,
  id: string,
  { type, at, evidence = null }: { type: EventType; at: Date; evidence?: string | null },
) => {
  const provider = providerOf(customer);
  const entered =
    provider === "manual"
      ? { source: "team" as const, sourceId: finance }
      : { source: "provider" as const, sourceId: `${referenceOf(customer, at)}-${type}` };
  const event = { type, at, evidence, ...entered };
  await applyEvents(db, await readLocked(db, id), [event], { now: at, zone, provider });
};

/** The next renewal of a subscription, unless it has ended or is paused. */
export const renewalsOf = async (
  company: Company,
  customer: DemoCustomer,
  id: string,
): Promise<Step[]> => {
  const subscription = await findSubscription(company.db, id);
  if (!subscription || subscription.status === "ended" || subscription.status === "paused")
    return [];
  const at = subscription.periodEnd;
  return [{ at, run: () => renewAt(company, customer, id, at) }];
};

/** A payment succeeds: what was sold is granted, documents are issued, and the renewals follow. */
export const payAt = (company: Company, customer: DemoCustomer, id: string, at: Date): Step => ({
  at,
  run: async () => {
    await report(company, customer, id, { type: "succeeded", at });
    return afterPayment(company, customer, id, at);
  },
});

export const afterPayment = async (
  company: Company,
  customer: DemoCustomer,
  id: string,
  at: Date,
): Promise<Step[]> => {
  await issueDocuments(company, at);
  const next: Step[] = [];
  for (const subscriptionId of await findPaidSubscriptions(company.db, id))
    next.push(...(await renewalsOf(company, customer, subscriptionId)));
  return next;
};

const recentDays = 6;

/** Most renewals are paid within an hour. Some fail first, and some recent ones are still open. */
const payRenewal = (company: Company, customer: DemoCustomer, id: string, at: Date): Step[] => {
  const { n } = customer;
  const soon = minutesAfter(at, 5 + (n % 50));
  const fail = (type: "failed" | "unknown", evidence: string): Step => ({
    at: soon,
    run: async () => {
      await report(company, customer, id, { type, at: soon, evidence });
      return [];
    },
  });
  const isRecent = at > daysAfter(company.now, -recentDays);
  if (isRecent && n % 6 === 1) return [fail("failed", "The card was declined.")];
  if (isRecent && n % 6 === 2) return [];
  if (isRecent && n % 6 === 3) return [fail("unknown", "The provider didn't respond.")];
  if (n % 13 === 5)
    return [fail("failed", "Insufficient funds."), payAt(company, customer, id, daysAfter(at, 2))];
  return [payAt(company, customer, id, soon)];
};

const renewAt = async (
  company: Company,
  customer: DemoCustomer,
  id: string,
  at: Date,
): Promise<Step[]> => {
  const { db, zone } = company;
  const before = await findSubscription(db, id);
  if (!before || before.status === "paused" || before.status === "ended") return [];
  // Resumed after a pause, so that the period ends later.
  if (before.periodEnd > at) return renewalsOf(company, customer, id);
  await renew(db, id, { now: at, zone });
  const renewal = await findOpenRenewal(db, id);
  if (renewal) return payRenewal(company, customer, renewal, at);
  // Paid from the balance, or ended.
  await issueDocuments(company, at);
  return renewalsOf(company, customer, id);
};
