import { plural, t } from "@lingui/core/macro";
import type { Value } from "@purser/contract/fields/values";
import type { Price } from "@purser/contract/packages/prices";
import type { VersionContents } from "@purser/contract/packages/versions";
import { series } from "#lib/intl.ts";
import { featureValue } from "#lib/labels/featureValues.ts";
import { periodLabel, priceLabel } from "#lib/money/prices.ts";

/** The parts of a version that are compared. */
export type Compared = Pick<VersionContents, "number" | "trialDays" | "prices" | "contents">;

/** A line of a comparison; null if that version doesn't have it. */
type Difference = {
  what: string;
  before: string | null;
  after: string | null;
};

type Group = { title: string; differences: Difference[] };

type Shown = VersionContents["contents"][number];
type Feature = Shown["features"][number];

const offerOf = (price: Price) => series([price.currency, periodLabel(price)]);

const valueText = (feature: Feature, value: Value) => {
  const shown = featureValue(feature, value);
  return feature.perUnit ? t`${shown} × quantity` : shown;
};

const valueLabels = (feature: Feature | undefined) => {
  if (!feature) return null;
  if (feature.value !== null) return valueText(feature, feature.value);
  const value = featureValue(feature, feature.defaultValue);
  return t`${value} (default)`;
};

/** The union of both sides, preferring the later version's entry. */
const paired = <T>(before: readonly T[], after: readonly T[], keyOf: (one: T) => string) => {
  const old = new Map(before.map((one) => [keyOf(one), one]));
  const next = new Map(after.map((one) => [keyOf(one), one]));
  return [...new Set([...next.keys(), ...old.keys()])].map((key) => ({
    key,
    before: old.get(key),
    after: next.get(key),
  }));
};

const isDifferent = ({ before, after }: Difference) => before !== after;

const appDifferences = (before: Shown | undefined, after: Shown | undefined): Difference[] => {
  const all = paired(before?.features ?? [], after?.features ?? [], ({ id }) => id);
  const features = all.map((pair) => ({
    what: pair.after?.name ?? pair.before?.name ?? "",
    before: valueLabels(pair.before),
    after: valueLabels(pair.after),
  }));
  const isPart = (app: Shown | undefined) => (app ? t`Included` : null);
  return [{ what: t`App`, before: isPart(before), after: isPart(after) }, ...features].filter(
    isDifferent,
  );
};

/** The differences between two versions: terms first, then app by app. Empty if equal. */
export const differencesOf = (before: Compared, after: Compared): Group[] => {
  const trial = (days: number) =>
    days === 0 ? null : plural(days, { one: "# day", other: "# days" });
  const prices = paired(before.prices, after.prices, offerOf)
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
    .map((pair) => ({
      what: pair.key,
      before: pair.before ? priceLabel(pair.before) : null,
      after: pair.after ? priceLabel(pair.after) : null,
    }));
  const terms = [
    { what: t`Trial`, before: trial(before.trialDays), after: trial(after.trialDays) },
    ...prices,
  ].filter(isDifferent);
  const apps = paired(before.contents, after.contents, ({ id }) => id).map((pair) => ({
    title: pair.after?.name ?? pair.before?.name ?? "",
    differences: appDifferences(pair.before, pair.after),
  }));
  return [{ title: t`Prices and trial`, differences: terms }, ...apps].filter(
    ({ differences }) => differences.length > 0,
  );
};
