import type { DocumentContent } from "@purser/contract/documents/content";
import { decimalAmount, exponentOf } from "@purser/contract/fields/amounts";
import type { Message } from "@purser/contract/messages/message";
import { translate } from "#platform/messages.ts";

/** Without places to break, and with the narrow spaces that some locales have as wide as others. */
const unbroken = (text: string) => text.replace(/[ \u202f]/g, "\u00a0");

const numberOf = (format: Intl.NumberFormat, value: string | number) =>
  format
    .formatToParts(value as Intl.StringNumericLiteral)
    .map(({ type, value }) => (type === "minusSign" ? "\u2212" : value))
    .join("");

const moneyOf = (language: string, currency: string) => {
  const exponent = exponentOf(currency);
  const options = { minimumFractionDigits: exponent, maximumFractionDigits: exponent };
  const exact = new Intl.NumberFormat(language, options);
  const finer = new Intl.NumberFormat(language, {
    ...options,
    maximumFractionDigits: exponent + 2,
  });
  return {
    /** "1,250.00". */
    amount: (minor: number) => numberOf(exact, decimalAmount(minor, currency)),
    /** "1,250.00 EUR". */
    money: (minor: number) => `${numberOf(exact, decimalAmount(minor, currency))}\u00a0${currency}`,
    /** With two more digits if they are needed, for prices of one unit: "33.0567 EUR". */
    unitPrice: (minor: number) => `${numberOf(finer, minor / 10 ** exponent)}\u00a0${currency}`,
  };
};

/** How a document writes: texts in its language, moments in the company's time zone. */
export const formatsOf = ({ language, timeZone, currency, seller }: DocumentContent) => {
  const date = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone });
  const day = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" });
  const moment = new Intl.DateTimeFormat(language, {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone,
  });
  const percent = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 2 });
  const count = new Intl.NumberFormat(language);
  const countries = new Intl.DisplayNames(language, { type: "region" });
  return {
    ...moneyOf(language, currency),
    moneyIn: (other: string) => moneyOf(language, other).money,
    say: (message: Message) => translate(message, { language, timeZone }),
    /** Only with a VAT number the seller's tax is VAT, otherwise it may be a sales tax. */
    isVat: seller.vatNumber !== null,
    count: (value: number) => numberOf(count, value),
    percent: (basisPoints: number) => unbroken(percent.format(basisPoints / 10_000)),
    country: (code: string) => countries.of(code) ?? code,
    date: (at: Date) => unbroken(date.format(at)),
    /** A calendar day, which is the same in every time zone. */
    day: (isoDate: string) => unbroken(day.format(new Date(isoDate))),
    /** A line can break between the two moments, not inside them. */
    range: ({ start, end }: { start: Date; end: Date }) =>
      moment
        .formatRangeToParts(start, end)
        .map(({ source, value }) =>
          source === "shared" ? value.replaceAll("\u2009", " ") : unbroken(value),
        )
        .join(""),
  };
};
export type Formats = ReturnType<typeof formatsOf>;
