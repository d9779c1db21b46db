import { plural, t } from "@lingui/core/macro";
import { amountMax, exponentOf } from "@purser/contract/fields/amounts";
import { amount } from "../intl.ts";
import { hasTooManyDecimals, parseAmount, withoutFinalZeros } from "../parseNumber.ts";

/** The value of an amount field: the parsed amount, or the typed text while it can't be parsed. */
export type EditedAmount = number | string;

/** Why the text is no valid amount in the currency, or null. */
export const amountError = (edited: EditedAmount, currency: string): string | null => {
  if (typeof edited === "number") return null;
  const typed = edited.trim();
  if (parseAmount(typed, currency) !== null) return null;
  const example = amount(19_900, currency);
  const expected = t`Enter an amount, such as ${example}.`;
  if (typed === "") return expected;
  if (/^[-−]\s*\d/.test(typed)) return t`Enter 0 or more.`;
  const exponent = exponentOf(currency);
  if (hasTooManyDecimals(typed, currency))
    return exponent === 0
      ? t`Enter a whole number. ${currency} has no decimals.`
      : plural(exponent, {
          one: `Enter at most # decimal. ${currency} allows no more.`,
          other: `Enter at most # decimals. ${currency} allows no more.`,
        });
  if (/^\d+$/.test(typed) && Number(typed) * 10 ** exponent > amountMax)
    return t`This amount is too large.`;
  return expected;
};

/**
 * The amount as it would be typed in another currency, or the text if that currency can't represent
 * it.
 */
export const amountInCurrency = (
  currency: string,
  was: { amount: EditedAmount; currency: string },
): EditedAmount => {
  const text = typeof was.amount === "number" ? amount(was.amount, was.currency) : was.amount;
  return parseAmount(text, currency) ?? parseAmount(withoutFinalZeros(text), currency) ?? text;
};
