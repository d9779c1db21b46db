import type { Transaction } from "@purser/contract/transactions/fields";
import { lockCustomer } from "#modules/entitlements/customerQueries.ts";
import type { Db } from "#platform/db/db.ts";
import { assertNoDispute, holdCharge, planCharge } from "../lines/charge.ts";
import { findSold, type Item } from "./offerQueries.ts";
import { lockContinued } from "./planFor.ts";
import { setCharge } from "./saleQueries.ts";

const findReplacedBy = async (db: Db, userId: string, sold: readonly Item[]) => {
  for (const { offer } of sold) {
    const current = await lockContinued(db, userId, offer);
    if (current && current.packageId !== offer.packageId) return current;
  }
  return null;
};

/** A draft takes credits and balance when it is submitted, not before. Returns what is left to pay. */
export const chargeDraft = async (db: Db, draft: Transaction) => {
  const { id, currency, total, occurredAt: at } = draft;
  const { id: userId } = await lockCustomer(db, { userId: draft.user.id });
  const replaced = await findReplacedBy(db, userId, await findSold(db, id));
  const replacedId = replaced?.id ?? null;
  if (replacedId) await assertNoDispute(db, replacedId, at);
  const charge = await planCharge(db, {
    userId,
    currency,
    total,
    replacedId,
    at,
    usesBalance: true,
  });
  const { fromCredits, fromBalance, due } = charge.payment;
  await setCharge(db, id, { balanceAmount: fromCredits + fromBalance, changed: replaced });
  await holdCharge(db, { id, userId, currency }, { credits: charge.credits, fromBalance });
  return due;
};
