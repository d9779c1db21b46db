import type {
  AccessChoice,
  Transaction,
  TransactionState,
} from "@purser/contract/transactions/fields";
import { endOneTimeGrants } from "#modules/billing/grantQueries.ts";
import {
  endSubscription,
  findSubscription,
  updateSubscription,
} from "#modules/billing/subscriptionQueries.ts";
import { restoreRedemptions } from "#modules/promotions/redemptionQueries.ts";
import type { Db } from "#platform/db/db.ts";
import { Problem } from "#platform/http/problem.ts";
import { message } from "#platform/messages.ts";
import { insertEvents } from "../events/eventQueries.ts";
import { eventsUpTo } from "../events/states.ts";
import { insertTransaction } from "../queries.ts";
import { taxIn } from "./refundAmounts.ts";
import { addRefunded, findRefundedTax } from "./refundQueries.ts";

const applyAccess = async (db: Db, sale: Transaction, access: AccessChoice, now: Date) => {
  if (access === "keep") return;
  if (access === "end now") await endOneTimeGrants(db, sale.id, { at: now, revokedAt: now });
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

/** Stores a refund or chargeback, ends access as chosen, and restores redemptions after a full refund. */
export const recordRefund = async (db: Db, sale: Transaction, refund: Refund, now: Date) => {
  const { kind, amount, access, reason, note, provider, reference, by } = refund;
  if (!(await addRefunded(db, sale.id, amount)))
    throw new Problem(
      "wrong_state",
      message(
        "refund_amount_changed",
        "Part of this amount was already refunded. Reload the transaction and try again.",
      ),
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
  const source = by === null ? ("system" as const) : ("team" as const);
  const entered = { at: now, source, sourceId: by };
  await insertEvents(
    db,
    id,
    eventsUpTo("succeeded").map((type) => ({ type, ...entered })),
  );
  await applyAccess(db, sale, access, now);
  if (sale.refunded + amount === sale.total)
    await restoreRedemptions(db, sale.id, { now, isRefund: true });
  return id;
};
