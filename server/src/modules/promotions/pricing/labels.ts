import { formatMoney } from "@purser/contract/fields/amounts";
import { type Duration, isDiscount, type Promotion } from "./conditions.ts";
import type { TraceEntry } from "./pricing.ts";

/** The currency of amounts and the time zone of dates. */
type Format = { currency: string; zone: string };

const times = (count: number | null) => (count === 1 ? "once" : `${count} times`);
const daysOf = (count: number) => (count === 1 ? "1 day" : `${count} days`);

const date = { day: "numeric", month: "short", year: "numeric" } as const;
const time = { hour: "2-digit", minute: "2-digit" } as const;

const momentOf = (at: Date | null, timeZone: string) =>
  at
    ? `on ${new Intl.DateTimeFormat("en-GB", { ...date, ...time, timeZone }).format(at)}`
    : "at another time";

const audiences = {
  anyone: "everybody",
  new: "people who never had a package",
  existing: "people who have or had a package",
  listed: "people on its list",
  "first purchase": "a first purchase",
};

const intervalLabels = {
  once: "once",
  day: "by the day",
  week: "by the week",
  month: "by the month",
  year: "by the year",
};

const lengthOf = (duration: Duration) =>
  duration.kind === "periods" && duration.periods > 1
    ? `the first ${duration.periods} billing periods`
    : "the first billing period";

const refusalLabel = (
  promotion: Promotion,
  reason: NonNullable<TraceEntry["reason"]>,
  { currency, zone }: Format,
): string => {
  switch (reason) {
    case "draft":
      return "is a draft";
    case "archived":
      return "is archived";
    case "paused":
      return "is paused";
    case "not started":
      return `starts ${momentOf(promotion.startsAt, zone)}`;
    case "ended":
      return `ended ${momentOf(promotion.endsAt, zone)}`;
    case "used up":
      return `could be used ${times(promotion.redemptionLimit)}, and was`;
    case "code":
      return "needs a code that was not given";
    case "used by buyer":
      return `can be used ${times(promotion.redemptionLimitPerCustomer)} by one person, and was`;
    case "audience":
      return `is for ${audiences[promotion.audience]}`;
    case "package":
      return "is for other packages";
    case "interval":
      return `is for what is paid ${promotion.intervals.map((one) => intervalLabels[one]).join(" or ")}`;
    case "currency":
      return `has no amount in ${currency}`;
    case "minimum":
      return `needs at least ${formatMoney(promotion.minimum[currency] ?? 0, currency)}`;
    case "nothing left":
      return "finds nothing left to take off";
    case "budget":
      return "would take off more than is left of its budget";
    case "beaten":
      return "gives way to what saves as much or more";
    case "over":
      return `was for ${isDiscount(promotion) ? lengthOf(promotion.duration) : "the purchase"}`;
  }
};

const effectLabel = (promotion: Promotion, amount: number, { currency }: Format) => {
  if (promotion.kind === "trial") return `adds ${daysOf(promotion.days)} to try before paying`;
  if (promotion.kind !== "feature") return `takes ${formatMoney(amount, currency)} off`;
  return promotion.days === null
    ? "adds a feature"
    : `adds a feature for ${daysOf(promotion.days)}`;
};

/** One sentence about what a promotion does for an order, or why it doesn't apply. */
export const traceLabel = (
  { amount, reason }: TraceEntry,
  promotion: Promotion,
  format: Format,
) => {
  const words = reason
    ? refusalLabel(promotion, reason, format)
    : effectLabel(promotion, amount, format);
  return `${promotion.name} ${words}.`;
};
