import type { AccessChoice, Transaction } from "@purser/contract/transactions/fields";
import { totalOf } from "#modules/billing/credits.ts";
import { endOneTimeGrants } from "#modules/billing/grantQueries.ts";
import { findSubscription } from "#modules/billing/subscriptionQueries.ts";
import { requestDocuments } from "#modules/documents/queries.ts";
import { chargebackEntry, refundEntry } from "#modules/ledger/journal.ts";
import { changeBalance, lockBalance, post } from "#modules/ledger/queries.ts";
import { restoreRedemptions } from "#modules/promotions/redemptionQueries.ts";
import type { Db } from "#platform/db/db.ts";
import { Problem } from "#platform/http/problem.ts";
import { message } from "#platform/messages.ts";
import { insertEvents } from "../events/eventQueries.ts";
import { eventsUpTo } from "../events/states.ts";
import { insertCredits, type LineCredit, type StoredLine } from "../lines/lineQueries.ts";
import { insertTransaction } from "../queries.ts";
import { endSubscription, endWithPeriod } from "../sales/endSubscription.ts";
import { addRefunded } from "./refundQueries.ts";

/** Ends what these lines pay for. */
export const applyAccess = async (
  db: Db,
  sale: Transaction,
  { access, lines, now }: { access: AccessChoice; lines: readonly StoredLine[]; now: Date },
) => {
  if (access === "keep") return;
  if (access === "end now") await endOneTimeGrants(db, sale.id, { at: now, revokedAt: now });
  const subscriptionIds = new Set(
    lines.flatMap(({ subscriptionId }) => (subscriptionId === null ? [] : [subscriptionId])),
  );
  for (const id of subscriptionIds) {
    const subscription = await findSubscription(db, id);
    if (!subscription || subscription.status === "ended") continue;
    if (access === "end now") await endSubscription(db, id, { at: now, revokedAt: now });
    else await endWithPeriod(db, subscription, now);
  }
};

type Refund = {
  kind: "refund" | "chargeback";
  /** The customer, who may have been merged since the sale. */
  userId: string;
  lines: readonly StoredLine[];
  credits: readonly LineCredit[];
  /** What is paid back, in all. */
  amount: number;
  /** The part of a refund that goes to the balance. */
  toBalance: number;
  access: AccessChoice;
  reason: string;
  note: string;
  provider: string;
  reference: string | null;
  by: string | null;
};

/** Posts a refund or chargeback. Balance that a chargeback can't take is owed by the customer. */
const postRefund = async (
  db: Db,
  sale: Transaction,
  refund: Refund & { id: string },
  now: Date,
) => {
  const { id, kind, userId, lines, credits, amount, toBalance } = refund;
  const { currency } = sale;
  const provider = sale.settledBy ?? sale.provider;
  const accounts = new Map(lines.map((line) => [line.id, line.taxAccount]));
  const taken = credits.map(({ lineId, net, tax }) => ({
    net,
    tax,
    taxAccount: accounts.get(lineId) ?? "tax:unknown",
  }));
  const entered = { userId, currency, transactionId: id };
  const about = { sourceId: id, at: now, ...entered };
  if (kind === "refund") {
    await changeBalance(db, { ...entered, amount: toBalance, kind: "refund" });
    await post(db, refundEntry(taken, { provider, balanceAmount: toBalance }), about);
    return;
  }
  const credited = totalOf(credits);
  const fromBalance = Math.min(amount - credited, await lockBalance(db, userId, currency));
  await changeBalance(db, { ...entered, amount: -fromBalance, kind: "chargeback" });
  await post(db, chargebackEntry(taken, { provider, amount, fromBalance }), about);
};

/** Stores a refund or chargeback, ends access as chosen, and restores redemptions after a full refund. */
export const recordRefund = async (db: Db, sale: Transaction, refund: Refund, now: Date) => {
  const { kind, credits, lines, amount, toBalance, access, provider, by } = refund;
  if (!(await addRefunded(db, sale.id, { kind, amount })))
    throw new Problem(
      "wrong_state",
      message(
        "refund_amount_changed",
        "Part of this amount was already refunded. Reload the transaction and try again.",
      ),
    );
  const tax = credits.reduce((sum, credit) => sum + credit.tax, 0);
  const id = await insertTransaction(db, {
    kind,
    state: "succeeded",
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
    balanceAmount: toBalance,
    provider,
    reference: refund.reference,
    occurredAt: now,
    settledAt: now,
    settledBy: sale.settledBy ?? sale.provider,
    access: kind === "refund" ? access : null,
    reason: refund.reason,
    note: refund.note,
    createdBy: by,
  });
  await insertCredits(db, credits, { transactionId: id, reason: kind, state: "applied" });
  await postRefund(db, sale, { ...refund, id }, now);
  await requestDocuments(db, id);
  const source = by === null ? ("system" as const) : ("team" as const);
  const entered = { at: now, source, sourceId: by };
  await insertEvents(
    db,
    id,
    eventsUpTo("succeeded").map((type) => ({ type, ...entered })),
  );
  const refunded = lines.filter((line) => credits.some(({ lineId }) => lineId === line.id));
  // A bank takes back the payment for all lines, even for those that were credited before.
  await applyAccess(db, sale, { access, lines: kind === "chargeback" ? lines : refunded, now });
  if (sale.refunded + amount >= sale.total)
    await restoreRedemptions(db, sale.id, { now, isRefund: true });
  return id;
};
