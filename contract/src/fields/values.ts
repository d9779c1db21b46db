import { z } from "zod";
import { rule } from "../messages/rules.ts";
import { negative, tooLarge } from "./commonRules.ts";
import { text } from "./text.ts";

export const featureKinds = ["switch", "limit", "metered", "choice"] as const;
export type FeatureKind = (typeof featureKinds)[number];

export const combinings = ["largest", "sum"] as const;
export type Combining = (typeof combinings)[number];

export const resets = ["never", "hour", "day", "week", "month", "year"] as const;
export type Reset = (typeof resets)[number];

/** Where the periods of a metered feature start: on the calendar, or with the customer's subscription. */
export const anchors = ["calendar", "subscription"] as const;
export type Anchor = (typeof anchors)[number];

/** Shorter periods than a day have no use for a subscription. */
export const canFollowSubscription = (
  reset: Reset | null,
): reset is "day" | "week" | "month" | "year" =>
  reset !== null && reset !== "never" && reset !== "hour";

export const unlimited = "unlimited";
export const quantityMax = 999_999_999_999_999;

/**
 * What a package gives of a feature: whether it is on, an amount, or an option. Unlimited is a word and not a
 * special number.
 */
export const value = z
  .union([
    z.boolean(),
    z.int().min(0, negative).max(quantityMax, tooLarge),
    text({ min: 1, max: 64 }),
  ])
  .meta({ id: "Value" });
export type Value = z.output<typeof value>;

export type Option = { code: string; name: string };

/** The properties of a feature that its values depend on. */
export type Shape = {
  kind: FeatureKind;
  combining: Combining;
  options: readonly Option[];
  unit: { one: string; many: string } | null;
  reset: Reset | null;
};

/** Whether its values are amounts, of which usage is counted. */
export const isCounted = ({ kind }: Pick<Shape, "kind">) => kind === "limit" || kind === "metered";

type Kinded = Pick<Shape, "kind" | "options">;

/** Why a value is not valid for a feature, or null. */
export const refusalOfValue = ({ kind, options }: Kinded, given: Value): string | null => {
  switch (kind) {
    case "switch":
      return typeof given === "boolean" ? null : rule("switch_expected", "Choose on or off.");
    case "choice":
      return options.some(({ code }) => code === given)
        ? null
        : rule("option_unknown", "Choose one of the options.");
    default:
      return typeof given === "number" || given === unlimited
        ? null
        : rule("quantity_expected", "Enter a whole number, or “unlimited”.");
  }
};

/** A number to compare values of the same feature; larger gives more. */
export const rankOf = ({ options }: Kinded, given: Value): number => {
  if (typeof given === "boolean") return given ? 1 : 0;
  if (typeof given === "number") return given;
  const place = options.findIndex(({ code }) => code === given);
  return place === -1 ? Number.POSITIVE_INFINITY : place;
};

const sumOf = (values: readonly Value[]): Value => {
  let sum = 0n;
  for (const one of values) {
    if (typeof one !== "number") return unlimited;
    sum += BigInt(one);
  }
  // Sums stay exact below the maximum; above it they are unlimited.
  return sum > BigInt(quantityMax) ? unlimited : Number(sum);
};

/** Combines the values of several grants. */
export const combined = (
  shape: Pick<Shape, "kind" | "options" | "combining">,
  values: readonly [Value, ...Value[]],
): Value => {
  if (shape.combining === "sum") return sumOf(values);
  return values.reduce((best, one) => (rankOf(shape, one) > rankOf(shape, best) ? one : best));
};

const grouped = (count: number) => count.toLocaleString("en-US");

const often: Record<Reset, string> = {
  never: "",
  hour: " an hour",
  day: " a day",
  week: " a week",
  month: " a month",
  year: " a year",
};

/** A value as text: "On", "150 GB", "500 exports a month", "Unlimited", or the option's name. */
export const wordsOf = ({ kind, unit, reset, options }: Omit<Shape, "combining">, given: Value) => {
  if (typeof given === "boolean") return given ? "On" : "Off";
  if (typeof given === "number") {
    const counted = unit ? ` ${given === 1 ? unit.one : unit.many}` : "";
    return `${grouped(given)}${counted}${reset ? often[reset] : ""}`;
  }
  if (kind !== "choice") return "Unlimited";
  return options.find(({ code }) => code === given)?.name ?? given;
};

/** A value as in a spreadsheet cell, which `readValue` parses. */
export const cellOf = (given: Value): string => {
  if (typeof given === "boolean") return given ? "on" : "off";
  return String(given);
};

const ons = new Set(["on", "true", "yes", "1", "x", "✓"]);
const offs = new Set(["off", "false", "no", "0", "-", "–"]);
const nones = new Set(["unlimited", "no limit", "∞", "inf", "infinity", "unbegrenzt"]);

const readSwitch = (typed: string): Value | undefined => {
  if (ons.has(typed)) return true;
  return offs.has(typed) ? false : undefined;
};

const readQuantity = (typed: string): Value | undefined => {
  if (nones.has(typed)) return unlimited;
  // Accepts 1,000, 1 000 and 1'000, but no fractions.
  const digits = /^\d{1,3}([,.' \u00a0\u202f]\d{3})+$/.test(typed)
    ? typed.replace(/\D/g, "")
    : typed;
  if (!/^\d{1,15}$/.test(digits)) return undefined;
  return Number(digits);
};

/** Parses what a user typed or pasted; undefined if it is not a value of the feature. */
export const readValue = ({ kind, options }: Kinded, source: string): Value | undefined => {
  const typed = source.trim().toLowerCase();
  if (kind === "switch") return readSwitch(typed);
  if (kind !== "choice") return readQuantity(typed);
  const match =
    options.find(({ code }) => code.toLowerCase() === typed) ??
    options.find(({ name }) => name.toLowerCase() === typed);
  return match?.code;
};
