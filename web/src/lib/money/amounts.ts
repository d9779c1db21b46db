import { amountMax, exponentOf, formatAmount, parseAmount } from "@purser/contract/fields/money";

/** The value of an amount field: the parsed amount, or the typed text while it can't be parsed. */
export type EditedAmount = number | string;

const decimals = /[.,](\d+)$/;

/**
 * Why the text is no valid amount in the currency, or null. Reads as a continuation of the field's
 * label.
 */
export const amountError = (amount: EditedAmount, currency: string): string | null => {
  if (typeof amount === "number") return null;
  const typed = amount.trim();
  if (parseAmount(typed, currency) !== null) return null;
  if (typed === "") return `must be an amount, such as ${formatAmount(19_900, currency)}`;
  if (/^[-−]\s*\d/.test(typed)) return "must not be below 0";
  const exponent = exponentOf(currency);
  const [, fraction = ""] = decimals.exec(typed) ?? [];
  if (fraction.length > exponent && /^[\d,.' \u00a0\u202f]+$/.test(typed))
    return exponent === 0
      ? `must be a whole number: ${currency} has no decimals`
      : `must have at most ${exponent} decimals, as ${currency} has`;
  if (/^\d+$/.test(typed) && Number(typed) * 10 ** exponent > amountMax)
    return "is more than can be counted";
  return `must be an amount, such as ${formatAmount(19_900, currency)}, not “${typed}”`;
};

/**
 * The amount as it would be typed in another currency, or the text if that currency can't represent
 * it.
 */
export const amountInCurrency = (
  currency: string,
  was: { amount: EditedAmount; currency: string },
): EditedAmount => {
  const text =
    typeof was.amount === "number"
      ? formatAmount(was.amount, was.currency).replaceAll(",", "")
      : was.amount;
  const short = text.includes(".") ? text.replace(/\.?0+$/, "") : text;
  return parseAmount(text, currency) ?? parseAmount(short, currency) ?? text;
};
