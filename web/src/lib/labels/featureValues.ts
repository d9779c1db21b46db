import { t } from "@lingui/core/macro";
import type { Reset, Shape, Value } from "@purser/contract/fields/values";
import { number } from "../intl.ts";

export const unlimitedLabel = t`Unlimited`;

const perPeriod: Record<Reset, (amount: string) => string> = {
  never: (amount) => amount,
  hour: (amount) => t`${amount} an hour`,
  day: (amount) => t`${amount} a day`,
  week: (amount) => t`${amount} a week`,
  month: (amount) => t`${amount} a month`,
  year: (amount) => t`${amount} a year`,
};

type Counted = Pick<Shape, "unit" | "reset">;

const unitFor = ({ unit }: Counted, count: number) => {
  if (!unit) return "";
  // Both forms are entered by the team, so no other plural forms exist.
  return count === 1 ? unit.one : unit.many;
};

/** The unit and reset period of an amount: "exports a month". */
export const unitAndPeriod = (feature: Counted, count: number) =>
  perPeriod[feature.reset ?? "never"](unitFor(feature, count)).trim();

/** A feature's value: "On", "150 GB", "500 exports a month", "Unlimited", or the option's name. */
export const featureValue = (feature: Omit<Shape, "combining">, value: Value) => {
  if (typeof value === "boolean") return value ? t`On` : t`Off`;
  if (typeof value === "number")
    return perPeriod[feature.reset ?? "never"](
      `${number(value)} ${unitFor(feature, value)}`.trimEnd(),
    );
  if (feature.kind !== "choice") return unlimitedLabel;
  return feature.options.find(({ code }) => code === value)?.name ?? value;
};
