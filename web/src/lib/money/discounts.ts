import { plural, t } from "@lingui/core/macro";
import type { Subscription } from "@purser/contract/subscriptions/endpoints";
import { money, percentOfBasisPoints } from "../intl.ts";

type Discount = Subscription["discounts"][number];

/** "25% off the next 2 payments". */
export const discountLabel = (
  { basisPoints, amount, paymentsLeft }: Discount,
  { currency }: { currency: string },
) => {
  const off =
    basisPoints === null ? money(amount ?? 0, currency) : percentOfBasisPoints(basisPoints);
  if (paymentsLeft === null) return t`${off} off every payment`;
  return plural(paymentsLeft, {
    one: `${off} off the next payment`,
    other: `${off} off the next # payments`,
  });
};
