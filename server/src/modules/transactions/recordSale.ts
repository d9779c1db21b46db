import type { AccessChoice, Transaction, TransactionState } from "@purser/contract/transactions";
import { type Db, first } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import { Problem } from "#platform/http/problem.ts";
import { giveBack, redeem } from "../promotions/consider.ts";
import { proRata } from "../subscriptions/periods.ts";
import {
  endGrants,
  endSubscription,
  findSubscription,
  lockCurrent,
  updateSubscription,
} from "../subscriptions/queries.ts";
import {
  findSnapshot,
  findTransaction,
  insertEvents,
  insertTransaction,
  takeBack,
} from "./queries.ts";
import { type Offer, type Plan, type Priced, planSale, takeSnapshot } from "./sale.ts";
import { grantSale } from "./grantSale.ts";

type Sale = {
  userId: string;
  offer: Offer;
  priced: Priced;
  plan: Plan;
  state: "draft" | "pending" | "succeeded";
  provider: string;
  reference: string | null;
  occurredAt: Date;
  note: string;
  tags: string[];
  by: string | null;
  zone: string;
};

export const planFor = async (
  db: Db,
  {
    userId,
    offer,
    trialDays,
    at,
    zone,
  }: { userId: string | null; offer: Offer; trialDays: number; at: Date; zone: string },
): Promise<Plan> => {
  const current =
    userId === null || offer.interval === "once"
      ? undefined
      : await lockCurrent(db, { userId, packageId: offer.packageId, group: offer.group });
  return planSale({ offer, current, at, trialDays, zone });
};

/** Counts the uses of a sale's promotions. Last, because others who use them wait from here on. */
const redeemAll = async (
  db: Db,
  {
    transactionId,
    userId,
    subscriptionId,
  }: Record<"transactionId" | "userId", string> & {
    subscriptionId: string | null;
  },
  { uses, quote }: Priced,
  now: Date,
) => {
  // Always in one order, so that two sales never wait for one another.
  const inOrder = uses.toSorted((one, other) => (one.promotion.id < other.promotion.id ? -1 : 1));
  for (const { promotion, codeId, amount } of inOrder)
    await redeem(
      db,
      {
        promotionId: promotion.id,
        codeId,
        userId,
        transactionId,
        subscriptionId,
        currency: quote.currency,
        amount,
      },
      now,
    );
};

const redeemDraftSql = statement(
  "transactions.redeemDraft",
  "select id from promotion_codes where promotion_id = $1 and shown = $2 order by id limit 1",
);

/** Counts the uses of a draft's promotions once it is recorded: until then it used nothing up. */
export const redeemDraft = async (
  db: Db,
  { id, user, currency }: Transaction,
  subscriptionId: string | null,
  now: Date,
) => {
  const promotions = (await findSnapshot(db, id))?.promotions ?? [];
  const inOrder = promotions.toSorted((one, other) =>
    one.promotionId < other.promotionId ? -1 : 1,
  );
  for (const { promotionId, code, amount } of inOrder) {
    const known = await first(db, redeemDraftSql, [promotionId, code]);
    await redeem(
      db,
      {
        promotionId,
        codeId: known?.id ?? null,
        userId: user.id,
        transactionId: id,
        subscriptionId,
        currency,
        amount,
      },
      now,
    );
  }
};

/** What has happened to a transaction that is recorded in that state. */
export const eventsOf = (state: Sale["state"]) =>
  state === "draft"
    ? (["created"] as const)
    : state === "pending"
      ? (["created", "submitted"] as const)
      : (["created", "submitted", "succeeded"] as const);

/**
 * Records a sale with everything that it gives. It is read before its promotions are used, because whoever wants to
 * use them too waits from then on.
 */
export const recordSale = async (db: Db, sale: Sale, now: Date) => {
  const { userId, offer, priced, plan, state, provider, reference, occurredAt, by, zone } = sale;
  const { subtotal, discount, tax, total, currency } = priced.quote;
  const transactionId = await insertTransaction(db, {
    kind: plan.makes === "change" ? "change" : "purchase",
    state,
    userId,
    packageId: offer.packageId,
    versionId: offer.versionId,
    priceId: offer.priceId,
    currency,
    subtotal,
    discount,
    tax,
    total,
    provider,
    reference,
    occurredAt,
    settledAt: state === "succeeded" ? now : null,
    note: sale.note,
    tags: sale.tags,
    snapshot: await takeSnapshot(db, offer, { ...priced, trialDays: priced.quote.trialDays }),
    createdBy: by,
  });
  const source = by === null ? ("system" as const) : ("staff" as const);
  await insertEvents(
    db,
    transactionId,
    eventsOf(state).map((type) => ({
      type,
      at: type === "created" ? now : occurredAt,
      source,
      sourceId: by,
    })),
  );
  const subscriptionId =
    state === "succeeded"
      ? await grantSale(db, { transactionId, userId, offer, plan, zone })
      : null;
  const recorded = await findTransaction(db, transactionId);
  if (!recorded) throw new Error("A sale that was just recorded is not there.");
  if (state !== "draft")
    await redeemAll(db, { transactionId, userId, subscriptionId }, priced, now);
  return recorded;
};

/** What is left of the time that a sale paid for, in money: what is fair to give back. */
export const unusedOf = (sale: Transaction, now: Date) => {
  const { periodStart, periodEnd, total, refunded } = sale;
  const left = total - refunded;
  if (!periodStart || !periodEnd) return left;
  const period = { start: periodStart, end: periodEnd };
  return Math.min(left, proRata({ amount: total, period, at: now }));
};

/**
 * The tax in a part of a total: what all that was taken back by then has in it, in proportion and rounded
 * half up, without what earlier parts had. So the parts come to the whole, whatever they are.
 */
export const taxIn = (
  { tax, total, refunded }: Pick<Transaction, "tax" | "total" | "refunded">,
  refundedTax: number,
  amount: number,
) => {
  const whole = BigInt(total);
  const byThen = (2n * BigInt(tax) * BigInt(refunded + amount) + whole) / (2n * whole);
  return Math.min(amount, Math.max(0, Number(byThen) - refundedTax));
};

const findRefundedTaxSql = statement(
  "transactions.findRefundedTax",
  `select coalesce(sum(tax), 0)::float8 as tax from transactions
   where parent_id = $1 and kind in ('refund', 'chargeback') and state in ('pending', 'succeeded')`,
).narrow<{ tax: number }>();

export const findRefundedTax = async (db: Db, id: string) => {
  const row = await first(db, findRefundedTaxSql, [id]);
  return row?.tax ?? 0;
};

/** What a refund does to the rights that its sale gave. */
const applyAccess = async (db: Db, sale: Transaction, access: AccessChoice, now: Date) => {
  if (access === "keep") return;
  // What belongs to no subscription: bought once, or promised by a promotion for some days.
  if (access === "end now")
    await endGrants(
      db,
      {
        which:
          "source in ('transaction', 'promotion') and source_id = $1 and subscription_id is null",
        values: [sale.id],
      },
      { at: now, revokedAt: now },
    );
  if (sale.subscriptionId === null) return;
  const subscription = await findSubscription(db, sale.subscriptionId);
  if (!subscription || subscription.status === "ended") return;
  if (access === "end now") await endSubscription(db, subscription.id, { at: now, revokedAt: now });
  else await updateSubscription(db, subscription.id, { status: "ending" });
};

type Refund = {
  kind: "refund" | "chargeback";
  amount: number;
  access: AccessChoice;
  reason: string;
  note: string;
  provider: string;
  reference: string | null;
  by: string | null;
};

/** Takes money of a sale back. What is left is compared and counted in one statement. */
export const recordRefund = async (db: Db, sale: Transaction, refund: Refund, now: Date) => {
  const { kind, amount, access, reason, note, provider, reference, by } = refund;
  if (!(await takeBack(db, sale.id, amount)))
    throw new Problem(
      "wrong_state",
      "Less than that is left to refund. Look at the transaction again.",
    );
  const tax = taxIn(sale, await findRefundedTax(db, sale.id), amount);
  const id = await insertTransaction(db, {
    kind,
    state: "succeeded" satisfies TransactionState,
    userId: sale.user.id,
    packageId: null,
    versionId: null,
    priceId: null,
    parentId: sale.id,
    currency: sale.currency,
    subtotal: amount - tax,
    discount: 0,
    tax,
    total: amount,
    provider,
    reference,
    occurredAt: now,
    settledAt: now,
    access: kind === "refund" ? access : null,
    reason,
    note,
    createdBy: by,
  });
  const source = by === null ? ("system" as const) : ("staff" as const);
  const told = { at: now, source, sourceId: by };
  await insertEvents(
    db,
    id,
    eventsOf("succeeded").map((type) => ({ type, ...told })),
  );
  await applyAccess(db, sale, access, now);
  if (sale.refunded + amount === sale.total) await giveBack(db, sale.id, { now, isRefund: true });
  return id;
};
