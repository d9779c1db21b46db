import { formatMoney } from "@purser/contract/fields/money";
import type { Subscription } from "@purser/contract/subscriptions/endpoints";
import { count } from "../labels.ts";

type Discount = Subscription["discounts"][number];

/** "25 % off the next 2 payments". */
export const discountLabel = (
  { basisPoints, amount, paymentsLeft }: Discount,
  { currency }: { currency: string },
) => {
  const off = basisPoints === null ? formatMoney(amount ?? 0, currency) : `${basisPoints / 100} %`;
  if (paymentsLeft === null) return `${off} off every payment`;
  return `${off} off the next ${paymentsLeft === 1 ? "payment" : count(paymentsLeft, "payment")}`;
};
