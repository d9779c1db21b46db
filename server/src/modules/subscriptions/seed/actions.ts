import type { AccessChoice, EventType } from "@purser/contract/transactions/fields";
import { totalOf } from "#modules/billing/credits.ts";
import { findSubscription } from "#modules/billing/subscriptionQueries.ts";
import type { DemoCustomer } from "#modules/entitlements/seed/customers.ts";
import { teamCreditEntry } from "#modules/ledger/journal.ts";
import { changeBalance, post } from "#modules/ledger/queries.ts";
import { applyEvents } from "../../transactions/events/applyEvents.ts";
import { lockLines } from "../../transactions/lines/lineQueries.ts";
import { readLocked } from "../../transactions/queries.ts";
import { planRefund, type WantedRefund } from "../../transactions/refunds/planRefund.ts";
import { recordRefund } from "../../transactions/refunds/recordRefund.ts";
import { findCash } from "../../transactions/refunds/refundQueries.ts";
import { endWithPeriod } from "../../transactions/sales/endSubscription.ts";
import type { Item } from "../../transactions/sales/offerQueries.ts";
import { refusalOfAddOns } from "../../transactions/sales/offers.ts";
import { planPurchase } from "../../transactions/sales/planPurchase.ts";
import { recordSale } from "../../transactions/sales/recordSale.ts";
import { findPricingFacts } from "../../transactions/sales/saleFactsQueries.ts";
import { planChange } from "../changeRoutes.ts";
import { readForUpdate } from "../queries.ts";
import { pause, resume } from "../routes.ts";
import { refusalToCancel, refusalToChange, refusalToPause } from "../rules.ts";
import { beginTrial } from "../trialRoutes.ts";
import { type Company, findCurrent, findLatestPayment, findOfferAt } from "./demoQueries.ts";
import {
  afterPayment,
  issueDocuments,
  payAt,
  providerOf,
  referenceOf,
  renewalsOf,
  report,
} from "./payments.ts";
import { daysAfter, minutesAfter, type Step } from "./timeline.ts";

/** Something that a customer or the team does. Does nothing if the product would refuse it at that moment. */
export type Action = (company: Company, customer: DemoCustomer, at: Date) => Promise<Step[]>;

type Order = {
  packages: { code: string; quantity?: number }[];
  codes?: string[];
  /** How the payment ends. */
  outcome?: "paid" | "pending" | "failed" | "draft" | "voided";
};

const readItems = async (
  { db }: Company,
  { packages }: Order,
  { at, ...terms }: Pick<DemoCustomer, "currency" | "interval"> & { at: Date },
) => {
  const items: Item[] = [];
  for (const { code, quantity = 1 } of packages) {
    const offer = await findOfferAt(db, code, at, terms);
    if (!offer) return null;
    items.push({ offer, quantity });
  }
  return items;
};

/** Prices the order and stores it. Returns null if the product would refuse it. */
const record = async (
  company: Company,
  customer: DemoCustomer,
  { codes = [], ...order }: Order,
  { at, isDraft }: { at: Date; isDraft: boolean },
) => {
  const { db, zone, finance } = company;
  const { id: userId, currency, interval } = customer;
  const items = await readItems(company, order, { at, currency, interval });
  if (!items || (await refusalOfAddOns(db, items, { userId, at }))) return null;
  const facts = await findPricingFacts(db, { items, userId, codes, at });
  const purchase = { items, userId, codes, at, zone, facts, usesBalance: true };
  const planned = await planPurchase(db, purchase);
  const [rejected] = planned.priced.rejected;
  if (rejected) throw new Error(`The demo code ${rejected.code} doesn't apply.`);
  const isFree = planned.charge.payment.due === 0;
  const provider = providerOf(customer);
  const sale = {
    ...planned,
    userId,
    items,
    provider,
    reference: isDraft ? null : referenceOf(customer, at),
    occurredAt: at,
    by: provider === "manual" ? finance : null,
    zone,
  };
  const state = isDraft ? "draft" : isFree ? "succeeded" : "pending";
  const { id } = await recordSale(db, { ...sale, state }, at);
  return { id, isFree };
};

const closings = {
  failed: { type: "failed", evidence: "The card was declined." },
  voided: { type: "voided", evidence: "The customer changed their mind." },
} as const satisfies Record<string, { type: EventType; evidence: string }>;

/** Buys packages. One of a group of which the customer has another one is a change. */
export const buy =
  (order: Order): Action =>
  async (company, customer, at) => {
    const { outcome = "paid" } = order;
    const isDraft = outcome === "draft" || outcome === "voided";
    const sale = await record(company, customer, order, { at, isDraft });
    if (!sale) return [];
    if (outcome === "failed" || outcome === "voided")
      await report(company, customer, sale.id, { ...closings[outcome], at: minutesAfter(at, 2) });
    if (outcome !== "paid") return [];
    if (sale.isFree) return afterPayment(company, customer, sale.id, at);
    // A bank transfer arrives later.
    const minutes = providerOf(customer) === "manual" ? 600 : 1;
    return [payAt(company, customer, sale.id, minutesAfter(at, minutes))];
  };

/** Changes to another package of the group. */
export const changeTo =
  (code: string, outcome: "paid" | "pending" = "paid"): Action =>
  async (company, customer, at) => {
    const { db } = company;
    const current = await findCurrent(db, customer.id);
    const found = current ? await readForUpdate(db, current) : null;
    if (found?.own.status !== "active" || refusalToChange(found.shown)) return [];
    return buy({ packages: [{ code }], outcome })(company, customer, at);
  };

/** Changes the number of units of a package for the rest of the period. */
export const changeQuantity =
  (code: string, quantity: number): Action =>
  async (company, customer, at) => {
    const { db, zone, support } = company;
    const current = await findCurrent(db, customer.id, code);
    const found = current ? await readForUpdate(db, current) : null;
    if (found?.own.status !== "active" || refusalToChange(found.shown)) return [];
    const { packageId, interval, intervalCount, userId } = found.own;
    const wanted = { packageId, interval, intervalCount, quantity, when: "now" as const };
    const { item, priced, charge, plan, facts } = await planChange(db, found, wanted, { at, zone });
    const { id } = await recordSale(
      db,
      {
        kind: "change",
        userId,
        items: [item],
        priced,
        plans: [plan],
        charge,
        facts,
        state: charge.payment.due === 0 ? "succeeded" : "pending",
        provider: "change",
        reference: null,
        occurredAt: at,
        reason: "Two colleagues joined the office.",
        by: support,
        zone,
      },
      at,
    );
    return charge.payment.due === 0
      ? afterPayment(company, customer, id, at)
      : [payAt(company, customer, id, minutesAfter(at, 30))];
  };

export const startTrial =
  (code: string): Action =>
  async (company, customer, at) => {
    const { db, zone } = company;
    const offer = await findOfferAt(db, code, at, customer);
    if (!offer) return [];
    const id = await beginTrial(db, { userId: customer.id, offer }, { now: at, zone });
    return renewalsOf(company, customer, id);
  };

type Refund = {
  of: "full" | "unused" | "half" | "last line";
  to?: "method" | "balance";
  access: AccessChoice;
  reason: string;
};

const wantedOf = (
  of: Refund["of"],
  lines: Awaited<ReturnType<typeof lockLines>>,
  at: Date,
): WantedRefund => {
  const last = lines.at(-1);
  if (of === "full") return { of };
  if (of === "unused" || !last) return { of: "unused", at };
  const amount = of === "half" ? Math.floor(last.gross / 2) : last.gross;
  return { of: "amount", lines: [{ lineId: last.id, amount }] };
};

/** Refunds the latest payment. */
export const refund =
  ({ of, to = "method", access, reason }: Refund): Action =>
  async (company, customer, at) => {
    const { db, finance } = company;
    const saleId = await findLatestPayment(db, customer.id);
    if (!saleId) return [];
    const sale = await readLocked(db, saleId);
    const lines = await lockLines(db, saleId);
    const credits = planRefund(lines, wantedOf(of, lines, at));
    const amount = totalOf(credits);
    if (amount === 0) return [];
    const toMethod = to === "balance" ? 0 : Math.min(amount, await findCash(db, saleId));
    await recordRefund(
      db,
      sale,
      {
        kind: "refund",
        userId: customer.id,
        lines,
        credits,
        amount,
        toBalance: amount - toMethod,
        access,
        reason,
        note: "",
        provider: sale.provider,
        reference: null,
        by: finance,
      },
      at,
    );
    await issueDocuments(company, at);
    return [];
  };

/** The bank reports a dispute of the latest payment, and decides it some days later. */
export const dispute =
  (
    decision: { outcome: "dispute won" | "dispute lost"; days: number; evidence: string } | null,
  ): Action =>
  async (company, customer, at) => {
    const { db, zone, finance } = company;
    const id = await findLatestPayment(db, customer.id);
    if (!id) return [];
    const apply = async (type: EventType, when: Date, evidence: string) => {
      const event = { type, at: when, evidence, source: "team" as const, sourceId: finance };
      await applyEvents(db, await readLocked(db, id), [event], { now: when, zone });
      await issueDocuments(company, when);
      return [];
    };
    await apply("disputed", at, "The cardholder doesn't recognize the payment.");
    if (!decision) return [];
    const decided = daysAfter(at, decision.days);
    return [{ at: decided, run: () => apply(decision.outcome, decided, decision.evidence) }];
  };

export const cancelWithPeriod: Action = async ({ db }, customer, at) => {
  const current = await findCurrent(db, customer.id);
  const found = current ? await readForUpdate(db, current) : null;
  if (found && !refusalToCancel(found.shown, "period end")) await endWithPeriod(db, found.own, at);
  return [];
};

/** Pauses the plan, for some days or until today. */
export const pauseFor =
  (days: number | null): Action =>
  async (company, customer, at) => {
    const { db, zone } = company;
    const current = await findCurrent(db, customer.id);
    const found = current ? await readForUpdate(db, current) : null;
    if (!found || refusalToPause(found.shown)) return [];
    await pause(db, found.own.id, at);
    if (days === null) return [];
    const resumed = daysAfter(at, days);
    const run = async () => {
      const paused = await findSubscription(db, found.own.id);
      if (paused?.status !== "paused") return [];
      await resume(db, paused, { now: resumed, zone });
      return renewalsOf(company, customer, paused.id);
    };
    return [{ at: resumed, run }];
  };

/** Adds to the customer's balance, or removes from it. */
export const adjustBalance =
  (amount: number, reason: string): Action =>
  async ({ db, finance }, { id: userId, currency }, at) => {
    const kind = amount > 0 ? ("added" as const) : ("removed" as const);
    const change = { userId, currency, amount, kind, reason, createdBy: finance };
    const sourceId = await changeBalance(db, change);
    if (sourceId) await post(db, teamCreditEntry(amount), { sourceId, at, currency, userId });
    return [];
  };
