import { moneyWords } from "@purser/contract/money";
import { promotionFields } from "@purser/contract/promotionFields";
import type { Value } from "@purser/contract/values";
import { count, number } from "#lib/labels.ts";
import { formWordsOf } from "#ui/form/Field.tsx";
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
} from "./labels.ts";

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
export const formWordsFor = (names: ReadonlyMap<string, string>) =>
  formWordsOf<PromotionValues, typeof promotionFields>(promotionFields, {
    needsCode: { show: (needs) => (needs ? "yes" : "no") },
    kind: { show: (kind) => kindWords[kind] },
    basisPoints: { show: (value) => typedWords(value, percentWords) },
    trialDays: {
      show: (value) => typedWords(value, (days) => count(days, "day")),
    },
    featureId: { show: (id) => (id === "" ? "" : (names.get(id) ?? "a feature")) },
    value: {
      show: (value: Value | null) => (value === null ? "" : valueWords(value)),
    },
    featureDays: {
      show: (value) => typedWords(value, (days) => count(days, "day")) || "as long as the package",
    },
    level: { show: (level) => levelWords[level] },
    duration: {
      show: (duration, { periods }) =>
        durationWords({ duration, periods: typeof periods === "number" ? periods : null }),
    },
    periods: { show: (value) => typedWords(value, number) },
    packageIds: {
      show: (ids) =>
        ids.length === 0 ? "all packages" : ids.map((id) => names.get(id) ?? "one more").join(", "),
    },
    intervals: { show: (given) => intervalsWords(given) },
    audience: { show: (audience) => audienceWords[audience] },
    people: {
      show: (lines) => count(addressesOf(lines).length, "address", "addresses"),
    },
    startsAt: { show: firstDayWords },
    endsAt: { show: lastDayWords },
    maxUses: { show: limit },
    maxUsesPerUser: { show: limit },
    amounts: {
      show: (rows) => rows.map(rowWords).join("; "),
      part: ([place = "0", part = ""]) => {
        const named = amountLabels[part as AmountPart] ?? "Currency";
        return `Row ${Number(place) + 1}: ${named.toLowerCase()}`;
      },
    },
    stacking: {
      show: (stacking) => (stacking === "stackable" ? "may be combined" : "never"),
    },
    returnsUse: {
      show: (returns) => (returns ? "yes" : "no"),
    },
  });
