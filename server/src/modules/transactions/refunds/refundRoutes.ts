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
import { restOf, restOfAll, totalOf } from "#modules/billing/credits.ts";
import { findSubscription } from "#modules/billing/subscriptionQueries.ts";
import { lockCustomer } from "#modules/entitlements/customerQueries.ts";
import type { Db } from "#platform/db/db.ts";
import { invalidAt, Problem, refuse } from "#platform/http/problem.ts";
import { type Call, serve } from "#platform/http/serve.ts";
import { message } from "#platform/messages.ts";
import { zoneOf } from "#platform/settings.ts";
import { findGranted } from "../detailQueries.ts";
import { applyEvents } from "../events/applyEvents.ts";
import { findLines, lockLines, type StoredLine } from "../lines/lineQueries.ts";
import { momentOf } from "../previewMoment.ts";
import { readLocked, readTransaction } from "../queries.ts";
import {
  refusalOfAmount,
  refusalOfNothing,
  refusalToDispute,
  refusalToEnd,
  refusalToRefund,
} from "../rules.ts";
import { splitForTransaction } from "../split/splitCustomers.ts";
import { planRefund, unusedOf, type WantedRefund } from "./planRefund.ts";
import { recordRefund } from "./recordRefund.ts";
import { findCash, findRefundFacts } from "./refundQueries.ts";

const findSubscriptionOf = async (db: Db, { subscriptionId }: Transaction) =>
  subscriptionId === null ? undefined : findSubscription(db, subscriptionId);

const accessLabels = {
  keep: "Kept",
  "end now": "Ends immediately",
  "end with period": "Ends with the paid period",
} as const satisfies Record<AccessChoice, string>;

const refundForApproval = (
  { id, number, currency, total, refunded, state, user }: Transaction,
  { amount, access, reason }: { amount: number; access: AccessChoice; reason: string },
) => ({
  entity: "transactions",
  recordId: id,
  money: { amount, earlier: refunded, currency, customerId: user.id },
  summary: `Refund ${formatMoney(amount, currency)} of ${number}`,
  facts: [
    { label: "Customer", value: user.name || user.email },
    { label: "Paid", value: formatMoney(total, currency) },
    { label: "Already refunded", value: formatMoney(refunded, currency) },
    {
      label: "Remaining after this refund",
      value: formatMoney(Math.max(0, total - refunded - amount), currency),
    },
    { label: "Access", value: accessLabels[access] },
    { label: "Reason", value: reason },
  ],
  basis: { state, total, refunded },
});

const lossForApproval = (sale: Transaction, amount: number, evidence: string) => ({
  ...refundForApproval(sale, { amount, access: "end now", reason: evidence }),
  summary: `Charge back ${formatMoney(amount, sale.currency)} of ${sale.number} (dispute lost)`,
});

type Body = Call<typeof previewRefund>["body"];

type Asked = Pick<Body, "of" | "lines" | "amount">;

const wantedOf = ({ of, lines, amount }: Asked, at: Date): WantedRefund => {
  if (amount !== undefined) return { of: "total", amount };
  if (of === "unused") return { of, at };
  return of === "amount" ? { of, lines } : { of };
};

/** What can't go back to the payment method goes to the balance. */
const splitRefund = (total: number, cash: number, to: Body["to"]) => {
  const toMethod = to === "balance" ? 0 : Math.min(total, cash);
  return { toMethod, toBalance: total - toMethod };
};

const planFor = (sale: Transaction, lines: readonly StoredLine[], body: Asked, at: Date) => {
  refuse(refusalToRefund(sale));
  const { amount: all = 0 } = body;
  refuse(refusalOfAmount(sale, { asked: all, left: restOfAll(lines) }));
  for (const [place, { lineId, amount }] of body.lines.entries()) {
    const line = lines.find(({ id }) => id === lineId);
    if (!line)
      throw invalidAt(
        `/lines/${place}/lineId`,
        message("refund_line_unknown", "This line isn't part of the transaction."),
      );
    const most = { amount: restOf(line), currency: sale.currency };
    if (amount > most.amount)
      throw invalidAt(
        `/lines/${place}/amount`,
        message("refund_line_too_large", "At most {amount}.", { amount: most }),
      );
  }
  return planRefund(lines, wantedOf(body, at));
};

const preview = async (db: Db, sale: Transaction, body: Body, now: Date) => {
  const { id } = sale;
  const lines = await findLines(db, id);
  const credits = planFor(sale, lines, body, now);
  const subscription = await findSubscriptionOf(db, sale);
  refuse(refusalToEnd(body.access, subscription?.status));
  const granted = await findGranted(db, id, now);
  const ends = granted.filter(({ isActive }) => isActive).map(({ endsAt }) => endsAt);
  const endOf = (choice: AccessChoice) =>
    choice === "end now" ? now : choice === "end with period" ? subscription?.periodEnd : null;
  const total = totalOf(credits);
  const refundable = restOfAll(lines);
  const facts = await findRefundFacts(db, id, { isFull: sale.refunded + total === sale.total });
  return {
    at: now,
    lines: lines.map((line) => {
      const credit = credits.find(({ lineId }) => lineId === line.id);
      return {
        lineId: line.id,
        name: line.name,
        paid: line.gross,
        credited: line.credited,
        refundable: restOf(line),
        unused: unusedOf(line, now),
        amount: credit?.gross ?? 0,
        net: credit?.net ?? 0,
        tax: credit?.tax ?? 0,
      };
    }),
    refundable,
    unused: lines.reduce((sum, line) => sum + unusedOf(line, now), 0),
    total,
    tax: credits.reduce((sum, { tax }) => sum + tax, 0),
    ...splitRefund(total, await findCash(db, id), body.to),
    accessUntil: endOf(body.access) ?? ends.at(-1) ?? null,
    features: body.access === "keep" || ends.length === 0 ? 0 : facts.features,
    returns: facts.returns,
  };
};

export const disputeRoutes = (app: FastifyInstance) => {
  const findZone = zoneOf(app.platform.config);

  serve(
    app,
    disputeTransaction,
    async ({ db, params: { id }, body, now, session, assertVersion, requireApproval }) => {
      const sale = assertVersion(await readLocked(db, id), transactionReply);
      const cash = await findCash(db, id);
      refuse(refusalToDispute(sale, body.outcome, cash));
      if (body.outcome === "dispute lost" && cash > 0)
        await requireApproval("refund", lossForApproval(sale, cash, body.evidence));
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
};

export const refundRoutes = (app: FastifyInstance) => {
  serve(app, previewRefund, async ({ db, params: { id }, body, now }) => {
    await splitForTransaction(db, id);
    return preview(db, await readTransaction(db, id), body, now);
  });

  serve(
    app,
    refundTransaction,
    async ({ db, params: { id }, body, now, session, requireApproval }) => {
      const sale = await readLocked(db, id);
      const lines = await lockLines(db, id);
      const credits = planFor(sale, lines, body, momentOf(body.at, now));
      refuse(refusalToEnd(body.access, (await findSubscriptionOf(db, sale))?.status));
      const amount = totalOf(credits);
      refuse(refusalOfNothing(amount));
      if (body.total !== undefined && amount !== body.total)
        throw new Problem(
          "impact_changed",
          message("refund_total_changed", "The refund has changed. Review it and try again."),
          { current: { total: amount } },
        );
      const { access, reason, note, reference } = body;
      await requireApproval("refund", refundForApproval(sale, { amount, access, reason }));
      const { id: userId } = await lockCustomer(db, { userId: sale.user.id });
      const { toBalance } = splitRefund(amount, await findCash(db, id), body.to);
      const refund = await recordRefund(
        db,
        sale,
        {
          kind: "refund",
          userId,
          lines,
          credits,
          amount,
          toBalance,
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
