import { unlimited, type Value, wordsOf } from "@purser/contract/fields/values";
import { type Content, isInvalid, type MatrixFeature } from "./cells.ts";

export const isCounted = ({ kind }: Pick<MatrixFeature, "kind">) =>
  kind === "limit" || kind === "metered";

/** The cell's value as text, marked if it is the default. */
export const contentLabels = (feature: MatrixFeature, content: Content) => {
  if (isInvalid(content)) return content.typed;
  return content === null
    ? `${wordsOf(feature, feature.defaultValue)} (default)`
    : wordsOf(feature, content);
};

/** A shorter form without the unit, which the feature's name implies. */
export const shortLabels = (feature: MatrixFeature, value: Value) =>
  wordsOf(feature.reset && feature.reset !== "never" ? { ...feature, unit: null } : feature, value);

const amountOf = (value: number) => value.toLocaleString("en-US");

/** An amount as text in a field. */
export const fieldText = (value: Value) =>
  value === unlimited ? "no limit" : typeof value === "number" ? amountOf(value) : String(value);

/** The unit and reset period of an amount: "exports a month". */
export const unitLabels = (feature: MatrixFeature, value: Value) => {
  if (typeof value !== "number") return "";
  return wordsOf(feature, value).slice(amountOf(value).length).trim();
};
