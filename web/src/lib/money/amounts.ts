import { amountMax, exponentOf, formatAmount, parseAmount } from "@purser/contract/fields/money";

/** What stands in a field for an amount: the amount, or what was typed while it is none yet. */
export type Typed = number | string;

const decimals = /[.,](\d+)$/;

/** Why what was typed is no amount of the currency, or null. It reads after the field's name. */
export const refusalOfAmount = (amount: Typed, currency: string): string | null => {
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

/** The same amount as it would be typed in another currency; what that one cannot have stays as typed. */
export const amountIn = (currency: string, was: { amount: Typed; currency: string }): Typed => {
  const text =
    typeof was.amount === "number"
      ? formatAmount(was.amount, was.currency).replaceAll(",", "")
      : was.amount;
  const short = text.includes(".") ? text.replace(/\.?0+$/, "") : text;
  return parseAmount(text, currency) ?? parseAmount(short, currency) ?? text;
};
