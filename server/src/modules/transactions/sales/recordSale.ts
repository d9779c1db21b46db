import type { Transaction } from "@purser/contract/transactions/fields";
import { lockCurrent } from "#modules/billing/subscriptionQueries.ts";
import { redeem } from "#modules/promotions/redeem.ts";
import { type Db, first } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import { findSnapshot, findTransaction, insertEvents, insertTransaction } from "../queries.ts";
import { grantSale } from "./grantSale.ts";
import { type Offer, type Plan, type Priced, planSale, takeSnapshot } from "./sale.ts";

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
