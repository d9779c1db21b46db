import { t } from "@lingui/core/macro";
import { unlimited, type Value } from "@purser/contract/fields/values";
import { number } from "#lib/intl.ts";
import { featureValue, unitAndPeriod, unlimitedLabel } from "#lib/labels/featureValues.ts";
import { type Content, isInvalid, type MatrixFeature } from "./cells.ts";

const defaultLabel = (feature: MatrixFeature) => {
  const value = featureValue(feature, feature.defaultValue);
  return t`${value} (default)`;
};

/** The cell's value as text, marked if it is the default. */
export const contentLabels = (feature: MatrixFeature, content: Content) => {
  if (isInvalid(content)) return content.typed;
  return content === null ? defaultLabel(feature) : featureValue(feature, content);
};

/** A shorter form without the unit, which the feature's name implies. */
export const shortLabels = (feature: MatrixFeature, value: Value) =>
  featureValue(
    feature.reset && feature.reset !== "never" ? { ...feature, unit: null } : feature,
    value,
  );

/** The value of another version as it is shown, so that the accessible name has the visible text. */
export const otherLabel = (feature: MatrixFeature, content: Value | null) => {
  const value = shortLabels(feature, content ?? feature.defaultValue);
  return content === null ? t`${value} (default)` : value;
};

/** The value in the version on sale. The draft's value beside it has the unit. */
export const onSaleLabel = (feature: MatrixFeature) => {
  const { onSale } = feature;
  const value = onSale === null ? defaultLabel(feature) : shortLabels(feature, onSale);
  return t`on sale: ${value}`;
};

/** An amount as text in a field. */
export const fieldText = (value: Value) =>
  value === unlimited ? unlimitedLabel : typeof value === "number" ? number(value) : String(value);

/** The unit and reset period of an amount: "exports a month". */
export const unitLabels = (feature: MatrixFeature, value: Value) =>
  typeof value === "number" ? unitAndPeriod(feature, value) : "";
