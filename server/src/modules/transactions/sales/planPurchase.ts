import type { Subscription } from "#modules/billing/subscriptionQueries.ts";
import type { Db } from "#platform/db/db.ts";
import { refuse } from "#platform/http/problem.ts";
import { assertNoDispute, planCharge } from "../lines/charge.ts";
import { refusalOfPendingChange } from "../rules.ts";
import { continuingPromotions } from "./continuing.ts";
import { findPendingChange } from "./pendingChangeQueries.ts";
import { type Plan, planSale } from "./plan.ts";
import { lockContinued } from "./planFor.ts";
import { priceSale, type Sale } from "./priceSale.ts";

type Purchase = Omit<Sale, "isChange"> & { usesBalance: boolean };

/** The price of a purchase or change, and how it is paid. Every way to buy something uses it. */
export const priceAndCharge = async (
  db: Db,
  { usesBalance, ...sale }: Purchase,
  replaced: Subscription | null,
) => {
  const { items, userId, at } = sale;
  const [main] = items;
  const continuing =
    replaced && main ? await continuingPromotions(db, replaced.id, main.offer) : null;
  const priced = await priceSale(db, { ...sale, isChange: replaced !== null }, continuing?.adjust);
  const { total, currency } = priced.quote;
  const replacedId = replaced?.id ?? null;
  const { facts } = sale;
  const charge = await planCharge(db, {
    userId,
    currency,
    total,
    replacedId,
    at,
    usesBalance: usesBalance && facts.hasBalance,
  });
  return { priced, charge, promotions: continuing?.promotions ?? [], facts };
};

/**
 * Everything that a purchase does. A package of a group of which the customer has another one is a change, however
 * it is bought.
 */
export const planPurchase = async (db: Db, purchase: Purchase) => {
  const { items, userId, at, zone, facts } = purchase;
  const currents: (Subscription | undefined)[] = [];
  for (const { offer } of facts.mayContinue ? items : [])
    currents.push(await lockContinued(db, userId, offer));
  const replaced =
    currents.find(
      (current, place) => current && current.packageId !== items[place]?.offer.packageId,
    ) ?? null;
  // The unused time of a subscription can pay for only one change at a time, and no time is added to what will end.
  for (const current of currents) {
    const pending = current && (await findPendingChange(db, current.id));
    if (pending) refuse(refusalOfPendingChange(pending.name));
  }
  if (replaced) await assertNoDispute(db, replaced.id, at);
  const { priced, charge, promotions } = await priceAndCharge(db, purchase, replaced);
  const { trialDays } = priced.quote;
  const plans: Plan[] = items.map(({ offer }, place) =>
    planSale({ offer, current: currents[place], at, trialDays, zone }),
  );
  return { priced, charge, promotions, plans, facts };
};
