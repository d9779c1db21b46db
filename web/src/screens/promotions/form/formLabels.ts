import { formatMoney } from "@purser/contract/fields/money";
import type { Value } from "@purser/contract/fields/values";
import { promotionFields } from "@purser/contract/promotions/fields";
import { count, number } from "#lib/labels.ts";
import { toFormLabels } from "#ui/form/Field.tsx";
import {
  audienceLabels,
  durationLabels,
  intervalsLabels,
  kindLabels,
  levelLabels,
  percentLabels,
  valueLabels,
} from "../labels.ts";
import { firstDayLabels, lastDayLabels } from "../schedule.ts";
import {
  type AmountPart,
  type AmountValue,
  addressesOf,
  amountParts,
  type MaybeTyped,
  type PromotionValues,
} from "./values.ts";

export const amountLabels: Record<AmountPart, string> = {
  off: "Amount off",
  minimum: "Least to buy",
  cap: "Most off",
  budget: "Budget",
};

const typedLabels = (value: MaybeTyped, show: (value: number) => string) =>
  typeof value === "number" ? show(value) : (value ?? "");

const rowLabels = (row: AmountValue) => {
  const told = amountParts.flatMap((part) => {
    const amount = row[part];
    if (amount === null || amount === "") return [];
    const shown = typedLabels(amount, (minor) => formatMoney(minor, row.currency));
    return [`${amountLabels[part].toLowerCase()} ${shown}`];
  });
  return told.length > 0 ? told.join(", ") : `nothing in ${row.currency}`;
};

const limit = (value: MaybeTyped) => typedLabels(value, number) || "no limit";

/** `names` are the names of packages, because the form has only their ids. */
export const formLabelsFor = (names: ReadonlyMap<string, string>) =>
  toFormLabels<PromotionValues, typeof promotionFields>(promotionFields, {
    needsCode: { show: (needs) => (needs ? "yes" : "no") },
    kind: { show: (kind) => kindLabels[kind] },
    basisPoints: { show: (value) => typedLabels(value, percentLabels) },
    trialDays: {
      show: (value) => typedLabels(value, (days) => count(days, "day")),
    },
    featureId: { show: (id) => (id === "" ? "" : (names.get(id) ?? "a feature")) },
    value: {
      show: (value: Value | null) => (value === null ? "" : valueLabels(value)),
    },
    featureDays: {
      show: (value) => typedLabels(value, (days) => count(days, "day")) || "as long as the package",
    },
    level: { show: (level) => levelLabels[level] },
    duration: {
      show: (duration, { periods }) =>
        durationLabels({ duration, periods: typeof periods === "number" ? periods : null }),
    },
    periods: { show: (value) => typedLabels(value, number) },
    packageIds: {
      show: (ids) =>
        ids.length === 0 ? "all packages" : ids.map((id) => names.get(id) ?? "one more").join(", "),
    },
    intervals: { show: (given) => intervalsLabels(given) },
    audience: { show: (audience) => audienceLabels[audience] },
    people: {
      show: (lines) => count(addressesOf(lines).length, "address", "addresses"),
    },
    startsAt: { show: firstDayLabels },
    endsAt: { show: lastDayLabels },
    maxUses: { show: limit },
    maxUsesPerUser: { show: limit },
    amounts: {
      show: (rows) => rows.map(rowLabels).join("; "),
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
