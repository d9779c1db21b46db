import { moneyWords } from "@purser/contract/money";
import type { Value } from "@purser/contract/values";
import { count, number } from "#lib/words.ts";
import type { FormWords } from "#ui/form/Field.tsx";
import { firstDayWords, lastDayWords } from "./runs.ts";
import {
  type AmountPart,
  type AmountValue,
  addressesOf,
  amountParts,
  type MaybeTyped,
  type PromotionValues,
} from "./values.ts";
import {
  audienceWords,
  durationWords,
  intervalsWords,
  kindWords,
  levelWords,
  percentWords,
  valueWords,
} from "./words.ts";

export const amountLabels: Record<AmountPart, string> = {
  off: "Amount off",
  minimum: "Least to buy",
  cap: "Most off",
  budget: "Budget",
};

const typedWords = (value: MaybeTyped, show: (value: number) => string) =>
  typeof value === "number" ? show(value) : (value ?? "");

const rowWords = (row: AmountValue) => {
  const told = amountParts.flatMap((part) => {
    const amount = row[part];
    if (amount === null || amount === "") return [];
    const shown = typedWords(amount, (minor) => moneyWords(minor, row.currency));
    return [`${amountLabels[part].toLowerCase()} ${shown}`];
  });
  return told.length > 0 ? told.join(", ") : `nothing in ${row.currency}`;
};

const limit = (value: MaybeTyped) => typedWords(value, number) || "no limit";

/** `names` are those of the packages, which the form knows by their ids. */
export const formWordsFor = (names: ReadonlyMap<string, string>): FormWords<PromotionValues> => ({
  name: { label: "Name" },
  needsCode: { label: "Needs a code", show: (needs) => (needs ? "yes" : "no") },
  code: { label: "Code" },
  kind: { label: "Discount", show: (kind) => kindWords[kind] },
  basisPoints: { label: "Percent off", show: (value) => typedWords(value, percentWords) },
  trialDays: {
    label: "Days free",
    show: (value) => typedWords(value, (days) => count(days, "day")),
  },
  featureId: { label: "Feature", show: (id) => (id === "" ? "" : (names.get(id) ?? "a feature")) },
  value: {
    label: "Value",
    show: (value: Value | null) => (value === null ? "" : valueWords(value)),
  },
  featureDays: {
    label: "Days of the feature",
    show: (value) => typedWords(value, (days) => count(days, "day")) || "as long as the package",
  },
  level: { label: "Taken from", show: (level) => levelWords[level] },
  duration: {
    label: "For how long",
    show: (duration, { periods }) =>
      durationWords({ duration, periods: typeof periods === "number" ? periods : null }),
  },
  periods: { label: "Payments", show: (value) => typedWords(value, number) },
  packageIds: {
    label: "Packages",
    show: (ids) =>
      ids.length === 0 ? "all packages" : ids.map((id) => names.get(id) ?? "one more").join(", "),
  },
  intervals: { label: "Interval", show: (given) => intervalsWords(given) },
  audience: { label: "Who may use it", show: (audience) => audienceWords[audience] },
  people: {
    label: "Addresses",
    show: (lines) => count(addressesOf(lines).length, "address", "addresses"),
  },
  startsAt: { label: "First day", show: firstDayWords },
  endsAt: { label: "Last day", show: lastDayWords },
  maxUses: { label: "Uses in total", show: limit },
  maxUsesPerUser: { label: "Uses per user", show: limit },
  amounts: {
    label: "Amounts",
    show: (rows) => rows.map(rowWords).join("; "),
    part: ([place = "0", part = ""]) => {
      const named = amountLabels[part as AmountPart] ?? "Currency";
      return `Row ${Number(place) + 1}: ${named.toLowerCase()}`;
    },
  },
  stacking: {
    label: "Beside others",
    show: (stacking) => (stacking === "stackable" ? "may be combined" : "never"),
  },
  priority: { label: "Priority" },
  returnsUse: {
    label: "A full refund gives the use back",
    show: (returns) => (returns ? "yes" : "no"),
  },
});
