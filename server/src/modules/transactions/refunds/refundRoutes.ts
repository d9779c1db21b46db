import { formatMoney } from "@purser/contract/fields/amounts";
import {
  disputeTransaction,
  previewRefund,
  refundTransaction,
} from "@purser/contract/transactions/actions";
import {
  type AccessChoice,
  type Transaction,
  transactionReply,
} from "@purser/contract/transactions/fields";
import type { FastifyInstance } from "fastify";
import { findSubscription } from "#modules/billing/subscriptionQueries.ts";
import type { Db } from "#platform/db/db.ts";
import { refuse } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { zoneOf } from "#platform/settings.ts";
import { findGranted } from "../detailQueries.ts";
import { applyEvents } from "../events/applyEvents.ts";
import { readLocked, readTransaction } from "../queries.ts";
import { refusalToDispute, refusalToEnd, refusalToRefund } from "../rules.ts";
import { recordRefund } from "./recordRefund.ts";
import { taxIn, unusedOf } from "./refundAmounts.ts";
import { findRefundedTax, findRefundFacts } from "./refundQueries.ts";

const findSubscriptionOf = async (db: Db, { subscriptionId }: Transaction) =>
  subscriptionId === null ? undefined : findSubscription(db, subscriptionId);

const accessLabels = {
  keep: "Kept",
  "end now": "Ends immediately",
  "end with period": "Ends with the paid period",
} as const satisfies Record<AccessChoice, string>;

/** Earlier refunds count toward the limit; otherwise many small ones would need no approval. */
const refundForApproval = (
  { id, number, currency, total, refunded, state, user }: Transaction,
  { amount, access, reason }: { amount: number; access: AccessChoice; reason: string },
) => ({
  entity: "transactions",
  recordId: id,
  money: { amount: refunded + amount, currency },
  summary: `Refund ${formatMoney(amount, currency)} of ${number}`,
  facts: [
    { label: "Customer", value: user.name || user.email },
    { label: "Paid", value: formatMoney(total, currency) },
    { label: "Already refunded", value: formatMoney(refunded, currency) },
    {
      label: "Remaining after this refund",
      value: formatMoney(total - refunded - amount, currency),
    },
    { label: "Access", value: accessLabels[access] },
    { label: "Reason", value: reason },
  ],
  basis: { state, total, refunded },
});

const refundableOf = ({ total, refunded }: Transaction) => total - refunded;

const lossForApproval = (sale: Transaction, evidence: string) => ({
  ...refundForApproval(sale, { amount: refundableOf(sale), access: "end now", reason: evidence }),
  summary: `Charge back ${formatMoney(refundableOf(sale), sale.currency)} of ${sale.number} (dispute lost)`,
});

export const refundRoutes = (app: FastifyInstance) => {
  const findZone = zoneOf(app.platform.config);

  serve(
    app,
    disputeTransaction,
    async ({ db, params: { id }, body, now, session, assertVersion, requireApproval }) => {
      const sale = assertVersion(await readLocked(db, id), transactionReply);
      refuse(refusalToDispute(sale, body.outcome));
      if (body.outcome === "dispute lost" && refundableOf(sale) > 0)
        await requireApproval("refund", lossForApproval(sale, body.evidence));
      const event = {
        type: body.outcome,
        at: now,
        source: "team" as const,
        sourceId: session.userId,
        evidence: body.evidence,
      };
      await applyEvents(db, sale, [event], { now, zone: await findZone(db) });
      return readTransaction(db, id);
    },
  );

  serve(app, previewRefund, async ({ db, params: { id }, body: { amount, access }, now }) => {
    const sale = await readTransaction(db, id);
    refuse(refusalToRefund(sale, amount));
    const subscription = await findSubscriptionOf(db, sale);
    refuse(refusalToEnd(access, subscription?.status));
    const granted = await findGranted(db, id, now);
    const ends = granted.filter(({ isActive }) => isActive).map(({ endsAt }) => endsAt);
    const endOf = (choice: AccessChoice) =>
      choice === "end now" ? now : choice === "end with period" ? subscription?.periodEnd : null;
    const isFull = sale.refunded + amount === sale.total;
    const facts = await findRefundFacts(db, id, { isFull });
    return {
      refundable: refundableOf(sale),
      unused: unusedOf(sale, now),
      tax: taxIn(sale, await findRefundedTax(db, id), amount),
      accessUntil: endOf(access) ?? ends.at(-1) ?? null,
      features: access === "keep" || ends.length === 0 ? 0 : facts.features,
      returns: facts.returns,
    };
  });

  serve(
    app,
    refundTransaction,
    async ({ db, params: { id }, body, now, session, requireApproval }) => {
      const sale = await readLocked(db, id);
      refuse(refusalToRefund(sale, body.amount));
      refuse(refusalToEnd(body.access, (await findSubscriptionOf(db, sale))?.status));
      await requireApproval("refund", refundForApproval(sale, body));
      const { amount, access, reason, note, reference } = body;
      const refund = await recordRefund(
        db,
        sale,
        {
          kind: "refund",
          amount,
          access,
          reason,
          note,
          provider: sale.provider,
          reference,
          by: session.userId,
        },
        now,
      );
      return readTransaction(db, refund);
    },
  );
};
