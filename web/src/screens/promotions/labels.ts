import { plural, t } from "@lingui/core/macro";
import type { Value } from "@purser/contract/fields/values";
import type { intervals } from "@purser/contract/packages/prices";
import {
  type audiences,
  type durations,
  type levels,
  type PromotionStatus,
  type promotionKinds,
  promotionListFields,
  type stackings,
} from "@purser/contract/promotions/fields";
import { money, number, percentOfBasisPoints, series } from "#lib/intl.ts";
import { unlimitedLabel } from "#lib/labels/featureValues.ts";
import type { Total, View } from "#ui/list/declaration.ts";
import { listLabels, optionsOf } from "#ui/list/filters/filterLabels.ts";
import type { StatusWord } from "#ui/Status.tsx";
import { anyPackage, type Promotion } from "./queries.ts";

export const statusLabels: Record<PromotionStatus, StatusWord> = {
  draft: { word: t`Draft`, icon: "circle-dashed", tone: "mute" },
  scheduled: { word: t`Scheduled`, icon: "calendar-clock", tone: "info" },
  running: { word: t`Running`, icon: "player-play", tone: "ok" },
  paused: { word: t`Paused`, icon: "player-pause", tone: "warn" },
  "used up": { word: t`Limit reached`, icon: "hourglass", tone: "warn" },
  ended: { word: t`Ended`, icon: "flag", tone: "mute", quiet: true },
  archived: { word: t`Archived`, icon: "archive", tone: "mute", quiet: true },
};

const shown = [
  "running",
  "scheduled",
  "draft",
  "paused",
  "used up",
  "ended",
  "archived",
] as const satisfies PromotionStatus[];

/** The views of the list: all promotions, and each status with its count. */
export const viewsOf = (counts: Record<PromotionStatus, Total> | undefined): View[] => {
  const parts = counts && Object.values(counts);
  const all = parts && {
    count: parts.reduce((sum, part) => sum + part.count, 0),
    kind: parts.find(({ kind }) => kind !== "exact")?.kind ?? "exact",
  };
  return [
    { label: t`All`, filter: null, total: all },
    ...shown.map((status) => ({
      label: statusLabels[status].word,
      filter: `status:any:${status}`,
      total: counts?.[status],
    })),
  ];
};

export const kindLabels: Record<(typeof promotionKinds)[number], string> = {
  percent: t`Percentage`,
  fixed: t`Fixed amount`,
  trial: t`Free trial extension`,
  feature: t`Feature`,
};

export const audienceLabels: Record<(typeof audiences)[number], string> = {
  anyone: t`Everyone`,
  new: t`Customers who never had a package`,
  existing: t`Customers who have or had a package`,
  "first purchase": t`First-time buyers`,
  listed: t`Selected customers`,
};

export const intervalLabels: Record<(typeof intervals)[number], string> = {
  once: t`Once`,
  day: t`Daily`,
  week: t`Weekly`,
  month: t`Monthly`,
  year: t`Yearly`,
};

/** The intervals, shortest first; none means all of them. */
export const intervalsLabels = (given: readonly (typeof intervals)[number][]) =>
  given.length === 0
    ? t`Any`
    : series(
        Object.entries(intervalLabels)
          .filter(([one]) => given.some((interval) => interval === one))
          .map(([, label]) => label),
      );

export const stackingLabels: Record<(typeof stackings)[number], string> = {
  exclusive: t`Can't be combined`,
  stackable: t`Can be combined`,
};

export const fieldLabels = listLabels(promotionListFields, {
  kind: { options: kindLabels },
  status: { options: optionsOf(statusLabels) },
  package: { relation: anyPackage },
});

/** Formats a feature's value when its unit is unknown. */
export const valueLabels = (value: Value) => {
  if (typeof value === "boolean") return value ? t`On` : t`Off`;
  if (typeof value === "number") return number(value);
  return value === "unlimited" ? unlimitedLabel : value;
};

type Given = Pick<
  Promotion,
  "kind" | "basisPoints" | "trialDays" | "feature" | "value" | "amounts"
>;

const notSet = t`Not set`;

/** "AUTUMN20 + 3 more". */
const withMore = (first: string, more: number) =>
  more > 0 ? plural(more, { one: `${first} + # more`, other: `${first} + # more` }) : first;

export const daysLabel = (days: number) => plural(days, { one: "# day", other: "# days" });

const offLabels = ({ amounts }: Given) => {
  const [first, ...others] = amounts.flatMap(({ off, currency }) =>
    off === null ? [] : [money(off, currency)],
  );
  return first ? withMore(first, others.length) : notSet;
};

const featureLabel = ({ feature, value }: Given) => {
  const name = feature?.name ?? t`Feature`;
  const label = value === null ? notSet : valueLabels(value);
  return t`${name}: ${label}`;
};

/** "20%", "5.00 EUR", "14 days free", "Seats: 5". */
export const discountLabels = (promotion: Given) => {
  const { kind, basisPoints } = promotion;
  const days = promotion.trialDays ?? 0;
  switch (kind) {
    case "percent":
      return percentOfBasisPoints(basisPoints ?? 0);
    case "fixed":
      return offLabels(promotion);
    case "trial":
      return plural(days, { one: "# day free", other: "# days free" });
    case "feature":
      return featureLabel(promotion);
  }
};

/** The amounts of a promotion, as part of a list. */
export const amountTexts: Record<"off" | "minimum" | "cap" | "budget", (amount: string) => string> =
  {
    off: (amount) => t`${amount} off`,
    minimum: (amount) => t`minimum purchase ${amount}`,
    cap: (amount) => t`maximum discount ${amount}`,
    budget: (amount) => t`budget ${amount}`,
  };

export const levelLabels: Record<(typeof levels)[number], string> = {
  line: t`Each package`,
  order: t`Order total`,
};

type Lasting = { duration: (typeof durations)[number]; periods: number | null };

/** The number of payments it applies to. */
export const durationLabels = ({ duration, periods }: Lasting) => {
  if (duration === "forever") return t`Every payment`;
  const count = duration === "once" ? 1 : (periods ?? 0);
  return plural(count, { 1: "First payment only", other: "First # payments" });
};

/** For a number of payments that isn't known. */
export const severalPayments = t`Several payments`;

/** "Solo, Studio + 1 more"; an empty list means all packages. */
export const targetLabels = ({ packages }: Pick<Promotion, "packages">) => {
  if (packages.length === 0) return t`All packages`;
  const named = packages.slice(0, 2).map(({ name }) => name);
  return withMore(series(named), packages.length - named.length);
};

export const codeLabels = ({ code, codes, requiresCode }: Promotion) => {
  if (!requiresCode) return t`Not required`;
  if (code !== null) return withMore(code, codes - 1);
  return codes === 0 ? t`No codes yet` : plural(codes, { one: "# code", other: "# codes" });
};

export const redemptionLabels = ({
  redemptions,
  redemptionLimit,
}: Pick<Promotion, "redemptions" | "redemptionLimit">) =>
  redemptionLimit === null
    ? number(redemptions)
    : `${number(redemptions)} / ${number(redemptionLimit)}`;
