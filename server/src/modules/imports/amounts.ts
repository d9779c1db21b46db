import { amountMax, exponentOf } from "@purser/contract/fields/amounts";
import type { Message } from "@purser/contract/messages/message";
import { type DecimalMark, readNumber } from "@purser/contract/workspace/importValues";
import { message } from "#platform/messages.ts";

const invalidAmount = (typed: string, mark: DecimalMark | null) => {
  if (/^[-−(]\s?\d/.test(typed))
    return message(
      "import_amount_negative",
      "An amount can't be negative. Import a refund in the refunded amount of its payment.",
    );
  return mark === "comma"
    ? message("import_amount_comma", "Not an amount. Use the form 1.234,50 or 1234,50.")
    : message("import_amount_invalid", "Not an amount. Use the form 1234.50.");
};

const symbols = new Map<string, string>();

/** "€" for EUR. Creating a format is slow. */
const symbolOf = (currency: string) => {
  const known = symbols.get(currency);
  if (known !== undefined) return known;
  const format = new Intl.NumberFormat("en", {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
  });
  const symbol = format.formatToParts(0).find(({ type }) => type === "currency")?.value ?? "";
  symbols.set(currency, symbol);
  return symbol;
};

const isUnitOf = (unit: string, currency: string) =>
  unit === "" || unit.toUpperCase() === currency || unit.replace(/\.$/, "") === symbolOf(currency);

/** In minor units, or why it is no amount. */
export const readAmount = (
  typed: string,
  currency: string,
  mark: DecimalMark | null,
): number | Message => {
  const read = readNumber(typed, mark);
  const [whole = "", decimals = ""] = read?.value.split(".") ?? [];
  if (!read || whole.length > 15) return invalidAmount(typed, mark);
  const { unit } = read;
  if (!isUnitOf(unit, currency))
    return message(
      "import_amount_unit",
      "{unit} isn't {currency}. Correct the amount or the currency.",
      { unit, currency },
    );
  const exponent = exponentOf(currency);
  // Other systems fill up with zeros.
  if (/[1-9]/.test(decimals.slice(exponent)))
    return message(
      "import_amount_decimals",
      "{currency} has {decimals, plural, =0 {no decimals} one {# decimal} other {# decimals}}.",
      { currency, decimals: exponent },
    );
  const minor = Number(whole + decimals.slice(0, exponent).padEnd(exponent, "0"));
  return minor > amountMax ? message("import_amount_large", "This amount is too large.") : minor;
};
