import { formatMoney } from "@purser/contract/fields/money";
import type { Value } from "@purser/contract/fields/values";
import type { intervals } from "@purser/contract/packages/prices";
import {
  type audiences,
  type durations,
  type levels,
  type PromotionStatus,
  type promotionKinds,
  promotionListFields,
} from "@purser/contract/promotions/fields";
import { count, number } from "#lib/labels.ts";
import type { Total, View } from "#ui/list/declaration.ts";
import { listLabels } from "#ui/list/filters/filterLabels.ts";
import type { StatusWord } from "#ui/Status.tsx";
import { anyPackage, type Promotion } from "./queries.ts";

export const statusLabels: Record<PromotionStatus, StatusWord> = {
  draft: { word: "Draft", icon: "circle-dashed", tone: "mute" },
  scheduled: { word: "Scheduled", icon: "calendar-clock", tone: "info" },
  running: { word: "Running", icon: "player-play", tone: "ok" },
  paused: { word: "Paused", icon: "player-pause", tone: "warn" },
  "used up": { word: "Used up", icon: "hourglass", tone: "warn" },
  ended: { word: "Ended", icon: "flag", tone: "mute", quiet: true },
  archived: { word: "Archived", icon: "archive", tone: "mute", quiet: true },
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
    { label: "All", filter: null, total: all },
    ...shown.map((status) => ({
      label: statusLabels[status].word,
      filter: `status:any:${status}`,
      total: counts?.[status],
    })),
  ];
};

export const kindLabels: Record<(typeof promotionKinds)[number], string> = {
  percent: "Percent",
  fixed: "Fixed amount",
  trial: "Free time",
  feature: "Feature",
};

export const audienceLabels: Record<(typeof audiences)[number], string> = {
  anyone: "Everybody",
  new: "People who never had a package",
  existing: "People who have or had a package",
  "first purchase": "People who buy for the first time",
  listed: "People on a list",
};

export const intervalLabels: Record<(typeof intervals)[number], string> = {
  once: "Once",
  day: "Daily",
  week: "Weekly",
  month: "Monthly",
  year: "Yearly",
};

/** The intervals, shortest first; none means all of them. */
export const intervalsLabels = (given: readonly (typeof intervals)[number][]) =>
  given.length === 0
    ? "Any"
    : Object.entries(intervalLabels)
        .filter(([one]) => given.some((interval) => interval === one))
        .map(([, word]) => word)
        .join(", ");

export const fieldWords = listLabels(promotionListFields, {
  kind: { options: kindLabels },
  status: { options: Object.fromEntries(shown.map((one) => [one, statusLabels[one].word])) },
  package: { relation: anyPackage },
});

/** Formats hundredths of a percent: 1250 is "12.5 %". */
export const percentLabels = (basisPoints: number) => `${basisPoints / 100} %`;

/** Formats a feature's value when its unit is unknown. */
export const valueLabels = (value: Value) => {
  if (typeof value === "boolean") return value ? "on" : "off";
  if (typeof value === "number") return number(value);
  return value === "unlimited" ? "no limit" : value;
};

type Given = Pick<
  Promotion,
  "kind" | "basisPoints" | "trialDays" | "feature" | "value" | "amounts"
>;

const offLabels = ({ amounts }: Given) => {
  const [first, ...others] = amounts.flatMap(({ off, currency }) =>
    off === null ? [] : [formatMoney(off, currency)],
  );
  if (!first) return "nothing yet";
  return others.length > 0 ? `${first} + ${others.length} more` : first;
};

/** "20 %", "5.00 EUR", "14 days free", "Seats: 5". */
export const discountLabels = (promotion: Given) => {
  const { kind, basisPoints, trialDays, feature, value } = promotion;
  switch (kind) {
    case "percent":
      return percentLabels(basisPoints ?? 0);
    case "fixed":
      return offLabels(promotion);
    case "trial":
      return `${count(trialDays ?? 0, "day")} free`;
    case "feature":
      return `${feature?.name ?? "A feature"}: ${value === null ? "nothing yet" : valueLabels(value)}`;
  }
};

export const levelLabels: Record<(typeof levels)[number], string> = {
  line: "Each package",
  order: "The whole sum, once",
};

type Lasting = { duration: (typeof durations)[number]; periods: number | null };

/** The number of payments it applies to. */
export const durationLabels = ({ duration, periods }: Lasting) => {
  if (duration === "once") return "The first payment only";
  if (duration === "for ever") return "As long as the user holds it";
  return periods === 1 ? "The first payment only" : `The first ${number(periods ?? 0)} payments`;
};

/** "Solo, Studio + 1 more"; an empty list means all packages. */
export const targetLabels = ({ packages }: Pick<Promotion, "packages">) => {
  if (packages.length === 0) return "All packages";
  const named = packages.slice(0, 2).map(({ name }) => name);
  const more = packages.length - named.length;
  return `${named.join(", ")}${more > 0 ? ` + ${more} more` : ""}`;
};

export const codeLabels = ({ code, codes, needsCode }: Promotion) => {
  if (!needsCode) return "none needed";
  if (code !== null) return codes > 1 ? `${code} + ${number(codes - 1)} more` : code;
  return codes === 0 ? "none yet" : count(codes, "code");
};

export const usesLabels = ({ uses, maxUses }: Pick<Promotion, "uses" | "maxUses">) =>
  maxUses === null ? number(uses) : `${number(uses)} / ${number(maxUses)}`;
