import { exponentOf } from "@purser/contract/fields/amounts";
import { language } from "../messages.ts";

// Not in intl.ts, which every page loads.

const compact = new Intl.NumberFormat(language, { notation: "compact", maximumFractionDigits: 1 });

/** An amount in minor units for the axis of a chart: "480K". */
export const compactAmount = (minor: number, currency: string) =>
  compact.format(minor / 10 ** exponentOf(currency)).replace("-", "−");

const oneDecimal = new Intl.NumberFormat(language, {
  style: "percent",
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

/** Always with one decimal, so that shares can be compared: 0.08 is "8.0%". */
export const sharePercent = (share: number) => oneDecimal.format(share);

const decimal = new Intl.NumberFormat(language, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

/** Percentage points: 0.015 is "1.5". */
export const sharePoints = (share: number) => decimal.format(share * 100);
