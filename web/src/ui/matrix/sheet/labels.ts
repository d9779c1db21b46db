import { unlimited, type Value, wordsOf } from "@purser/contract/fields/values";
import { type Content, isWrong, type MatrixFeature } from "./cells.ts";

export const isCounted = ({ kind }: Pick<MatrixFeature, "kind">) =>
  kind === "limit" || kind === "metered";

/** A cell in words; without a value of its own it says so. */
export const contentLabels = (feature: MatrixFeature, content: Content) => {
  if (isWrong(content)) return content.typed;
  return content === null
    ? `${wordsOf(feature, feature.defaultValue)} (default)`
    : wordsOf(feature, content);
};

/** The same where there is little room: what is counted is told by the feature's name. */
export const shortLabels = (feature: MatrixFeature, value: Value) =>
  wordsOf(feature.reset && feature.reset !== "never" ? { ...feature, unit: null } : feature, value);

const amountOf = (value: number) => value.toLocaleString("en-US");

/** What stands in a field for an amount. */
export const fieldWords = (value: Value) =>
  value === unlimited ? "no limit" : typeof value === "number" ? amountOf(value) : String(value);

/** What an amount counts, and how often it is full again: "exports a month". */
export const unitLabels = (feature: MatrixFeature, value: Value) => {
  if (typeof value !== "number") return "";
  return wordsOf(feature, value).slice(amountOf(value).length).trim();
};
