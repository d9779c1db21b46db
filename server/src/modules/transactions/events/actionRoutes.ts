import { formatMoney } from "@purser/contract/fields/money";
import {
  disputeTransaction,
  previewRefund,
  refundTransaction,
  resolveTransaction,
  submitTransaction,
  voidTransaction,
} from "@purser/contract/transactions/actions";
import {
  type AccessChoice,
  type Transaction,
  transactionReply,
} from "@purser/contract/transactions/fields";
import type { FastifyInstance } from "fastify";
import { findSubscription } from "#modules/billing/subscriptionQueries.ts";
import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import { refuse } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { zoneOf } from "#platform/settings.ts";
import { findGranted, readLocked, readTransaction } from "../queries.ts";
import { findRefundedTax, recordRefund, taxIn, unusedOf } from "../refunds/refund.ts";
import {
  refusalToDispute,
  refusalToEnd,
  refusalToRefund,
  refusalToResolve,
  refusalToSubmit,
  refusalToVoid,
} from "../rules.ts";
import { applyEvents } from "./applyEvents.ts";

const findItsSubscription = async (db: Db, { subscriptionId }: Transaction) =>
  subscriptionId === null ? undefined : findSubscription(db, subscriptionId);

const accessLabels = {
  keep: "stays",
  "end now": "ends at once",
  "end with period": "ends with the paid period",
} as const satisfies Record<AccessChoice, string>;

/** What the second person is shown. What was refunded before counts too, or many small ones would pass. */
const refundForSecond = (
  { id, number, currency, total, refunded, state, user }: Transaction,
  { amount, access, reason }: { amount: number; access: AccessChoice; reason: string },
) => ({
  entity: "transactions",
  recordId: id,
  money: { amount: refunded + amount, currency },
  summary: `Refund ${formatMoney(amount, currency)} of ${number}`,
  facts: [
    { label: "Who gets it", value: user.name || user.email },
    { label: "Was paid", value: formatMoney(total, currency) },
    { label: "Refunded before", value: formatMoney(refunded, currency) },
    { label: "Left after it", value: formatMoney(total - refunded - amount, currency) },
    { label: "Access", value: accessLabels[access] },
    { label: "Reason", value: reason },
  ],
  basis: { state, total, refunded },
});

const left = ({ total, refunded }: Transaction) => total - refunded;

const lossForSecond = (sale: Transaction, evidence: string) => ({
  ...refundForSecond(sale, { amount: left(sale), access: "end now", reason: evidence }),
  summary: `Take ${formatMoney(left(sale), sale.currency)} of ${sale.number} back: the dispute was lost`,
});

export const actionRoutes = (app: FastifyInstance) => {
  const findZone = zoneOf(app.platform.config);

  serve(
    app,
    submitTransaction,
    async ({ db, params: { id }, body, now, session, assertVersion }) => {
      const sale = assertVersion(await readLocked(db, id), transactionReply);
      refuse(refusalToSubmit(sale, body.reference));
      if (body.reference !== null)
        await run(db, "update transactions set reference = $2 where id = $1", [id, body.reference]);
      const told = { at: now, source: "staff" as const, sourceId: session.userId };
      const events = [
        { type: "submitted" as const, ...told },
        ...(body.state === "succeeded" ? [{ type: "succeeded" as const, ...told }] : []),
      ];
      await applyEvents(db, sale, events, { now, zone: await findZone(db) });
      return readTransaction(db, id);
    },
  );

  serve(
    app,
    resolveTransaction,
    async ({ db, params: { id }, body, now, session, assertVersion }) => {
      const sale = assertVersion(await readLocked(db, id), transactionReply);
      refuse(refusalToResolve(sale, body.outcome));
      const event = {
        type: body.outcome,
        at: body.at ?? now,
        source: "staff" as const,
        sourceId: session.userId,
        evidence: body.evidence,
      };
      await applyEvents(db, sale, [event], { now, zone: await findZone(db) });
      return readTransaction(db, id);
    },
  );

  serve(app, voidTransaction, async ({ db, params: { id }, body, now, session, assertVersion }) => {
    const sale = assertVersion(await readLocked(db, id), transactionReply);
    refuse(refusalToVoid(sale));
    const event = { type: "voided" as const, at: now, source: "staff" as const };
    await applyEvents(db, sale, [{ ...event, sourceId: session.userId, evidence: body.reason }], {
      now,
      zone: await findZone(db),
    });
    return readTransaction(db, id);
  });
};

const refundFactsSql = statement(
  "transactions.refundFacts",
  `select (select count(*)::int from redemptions u join promotions p on p.id = u.promotion_id
     where u.transaction_id = $1 and u.returned_at is null and p.returns_use and $2) as returns,
   (select count(*)::int from version_values f join transactions t on t.version_id = f.version_id
     where t.id = $1) as features`,
).narrow<{ returns: number; features: number }>();

export const refundRoutes = (app: FastifyInstance) => {
  const findZone = zoneOf(app.platform.config);

  serve(
    app,
    disputeTransaction,
    async ({ db, params: { id }, body, now, session, assertVersion, requireApproval }) => {
      const sale = assertVersion(await readLocked(db, id), transactionReply);
      refuse(refusalToDispute(sale, body.outcome));
      if (body.outcome === "dispute lost" && left(sale) > 0)
        await requireApproval("refund", lossForSecond(sale, body.evidence));
      const event = {
        type: body.outcome,
        at: now,
        source: "staff" as const,
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
    const subscription = await findItsSubscription(db, sale);
    refuse(refusalToEnd(access, subscription?.status));
    const granted = await findGranted(db, id, now);
    const ends = granted.filter(({ isInForce }) => isInForce).map(({ endsAt }) => endsAt);
    const endOf = (choice: AccessChoice) =>
      choice === "end now" ? now : choice === "end with period" ? subscription?.periodEnd : null;
    const isFull = sale.refunded + amount === sale.total;
    const facts = await first(db, refundFactsSql, [id, isFull]);
    return {
      refundable: left(sale),
      unused: unusedOf(sale, now),
      tax: taxIn(sale, await findRefundedTax(db, id), amount),
      accessUntil: endOf(access) ?? ends.at(-1) ?? null,
      features: access === "keep" || ends.length === 0 ? 0 : (facts?.features ?? 0),
      returns: facts?.returns ?? 0,
    };
  });

  serve(
    app,
    refundTransaction,
    async ({ db, params: { id }, body, now, session, requireApproval }) => {
      const sale = await readLocked(db, id);
      refuse(refusalToRefund(sale, body.amount));
      refuse(refusalToEnd(body.access, (await findItsSubscription(db, sale))?.status));
      await requireApproval("refund", refundForSecond(sale, body));
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
