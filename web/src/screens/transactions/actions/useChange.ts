import { useDebouncedValue } from "@mantine/hooks";
import type { Price } from "@purser/contract/packages/prices";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { isPerUnit } from "#lib/money/prices.ts";
import { versionsQuery } from "#screens/packages/queries.ts";
import { type ChangeBody, changeQuery, type Subscription } from "../queries.ts";

const delayMs = 150;

export const keyOf = ({ interval, intervalCount }: Pick<Price, "interval" | "intervalCount">) =>
  `${interval} ${intervalCount}`;

/** The prices of the package on sale that the subscription can change to. */
const useOffers = (packageId: string, currency: string) => {
  const { data: versions } = useQuery(versionsQuery(packageId));
  const sold = versions?.find(({ state }) => state === "on sale")?.prices ?? [];
  // A running subscription keeps its currency.
  const prices = sold.filter((one) => one.currency === currency && one.interval !== "once");
  return { prices, isLoaded: versions !== undefined };
};

/** The plan of a change. The old one is kept while a new one loads. */
const usePlan = (id: string, body: ChangeBody | null, isLoaded: boolean) => {
  const wanted = JSON.stringify(body);
  const [requested] = useDebouncedValue(wanted, delayMs);
  const asked: ChangeBody | null = JSON.parse(requested);
  const { data, error, isPlaceholderData } = useQuery(changeQuery(id, asked));
  const isCurrent = requested === wanted && !isPlaceholderData;
  return {
    plan: ((body || !isLoaded) && data) || null,
    error: body && isCurrent ? error : null,
    isLate: !isLoaded || (body !== null && !(isCurrent && (data || error))),
  };
};

/** The dialog's inputs and the plan of the change. */
export const useChange = (stored: Subscription) => {
  const { id, price } = stored;
  const [packageId, setPackage] = useState(stored.package.id);
  const [period, setPeriod] = useState(keyOf(price));
  const [quantity, setQuantity] = useState<number | string>(stored.quantity);
  const [when, setWhen] = useState<ChangeBody["when"]>("now");
  const { prices, isLoaded } = useOffers(packageId, price.currency);
  const chosen = prices.find((one) => keyOf(one) === period) ?? prices[0];
  const hasQuantity = chosen !== undefined && isPerUnit(chosen);
  const count = hasQuantity ? quantity : 1;
  const isQuantity = typeof count === "number" && count >= 1;
  const isOther =
    packageId !== stored.package.id ||
    (chosen && keyOf(chosen) !== keyOf(price)) ||
    count !== stored.quantity;
  const body: ChangeBody | null =
    chosen && isOther && isQuantity
      ? {
          packageId,
          interval: chosen.interval,
          intervalCount: chosen.intervalCount,
          quantity: count,
          when,
        }
      : null;
  return {
    packageId,
    setPackage,
    setPeriod,
    quantity,
    setQuantity,
    when,
    setWhen,
    prices,
    chosen,
    hasQuantity,
    isQuantity,
    isUnsold: isLoaded && prices.length === 0 && packageId !== stored.package.id,
    body,
    ...usePlan(id, body, isLoaded),
  };
};

export type PlannedChange = ReturnType<typeof useChange>;
