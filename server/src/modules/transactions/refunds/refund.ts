import type {
  AccessChoice,
  Transaction,
  TransactionState,
} from "@purser/contract/transactions/fields";
import { proRata } from "#modules/billing/periods.ts";
import {
  endGrants,
  endSubscription,
  findSubscription,
  updateSubscription,
} from "#modules/billing/subscriptionQueries.ts";
import { restoreRedemptions } from "#modules/promotions/redemptionQueries.ts";
import { type Db, first } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import { Problem } from "#platform/http/problem.ts";
import { insertEvents, insertTransaction, takeBack } from "../queries.ts";
import { eventsOf } from "../sales/recordSale.ts";

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
  if (sale.refunded + amount === sale.total)
    await restoreRedemptions(db, sale.id, { now, isRefund: true });
  return id;
};
