// How a file writes numbers and dates. The server reads values by it, and the mapping shows how they are read.

export const decimalMarks = ["point", "comma"] as const;
/** "1,234.50" or "1.234,50". */
export type DecimalMark = (typeof decimalMarks)[number];

export const dateOrders = ["day first", "month first"] as const;
/** "31/12/2026" or "12/31/2026". Dates that begin with the year are read with both. */
export type DateOrder = (typeof dateOrders)[number];

/** How a file writes both. Null if no value depends on it, or before it is known. */
export type Written = { decimalMark: DecimalMark | null; dateOrder: DateOrder | null };

const spaces = " \\u00a0\\u202f";
// Digits in groups of three, separated by the same character, or without groups.
const digits = (separators: string, mark: string) =>
  new RegExp(
    `^(\\d+|[1-9]\\d{0,2}(?:([${separators}'’${spaces}])\\d{3})(?:\\2\\d{3})*)(?:${mark}(\\d+))?$`,
  );
const digitsBy = { point: digits(",", "\\."), comma: digits("\\.", ",") } as const;

const unit = "[\\p{Sc}\\p{L}%]{1,5}\\.?";
const withUnit = new RegExp(`^(${unit})?[${spaces}]?(\\d.*?)[${spaces}]?(${unit})?$`, "u");

/** A number as programs write it, and its unit: "1234.50" and "€" for "1.234,50 €". */
export type ReadNumber = { value: string; unit: string };

const readBy = (text: string, mark: DecimalMark) => {
  const [whole, , decimals] = digitsBy[mark].exec(text)?.slice(1) ?? [];
  if (whole === undefined) return null;
  const plain = whole.replaceAll(/\D/g, "");
  return decimals === undefined ? plain : `${plain}.${decimals}`;
};

/** What a value is for each of two ways to write it. */
type Readings = readonly [string | null, string | null];

/** The reading that was chosen. Without a choice the only one there is. */
const chosenOf = ([one, other]: Readings, place: number) => {
  if (place >= 0) return place === 0 ? one : other;
  return one === null || other === null || one === other ? (one ?? other) : null;
};

const numbersIn = (text: string): Readings => [readBy(text, "point"), readBy(text, "comma")];

/** Null if it is no number that is written like this, or if it could be two. */
export const readNumber = (typed: string, mark: DecimalMark | null): ReadNumber | null => {
  const [before = "", text = "", after = ""] = withUnit.exec(typed)?.slice(1) ?? [];
  const value = chosenOf(numbersIn(text), mark === null ? -1 : decimalMarks.indexOf(mark));
  return value === null || (before && after) ? null : { value, unit: before || after };
};

const ofDays = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?!\d)(.*)$/;
const ofYear = /^(\d{4})([./])(\d{1,2})\2(\d{1,2})(?!\d)(.*)$/;

const isoOf = (year = "", month = "", day = "", rest = "") =>
  Number(month) < 1 || Number(month) > 12 || Number(day) < 1 || Number(day) > 31
    ? null
    : `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}${rest}`;

const daysIn = (text: string): Readings => {
  const [one, , other, year, rest] = ofDays.exec(text)?.slice(1) ?? [];
  return [isoOf(year, other, one, rest), isoOf(year, one, other, rest)];
};

const isoDate =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?)?\s?(?:Z|UTC|([+-])(\d{2})(?::?(\d{2}))?)?$/;

const momentOf = (iso: string) => {
  const parts = isoDate.exec(iso);
  if (!parts) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const ahead = (Number(parts[8] ?? 0) * 60 + Number(parts[9] ?? 0)) * (parts[7] === "-" ? -1 : 1);
  const local = new Date(Date.UTC(year, month - 1, day, hour, minute, second));
  // The 30th of February would be the 2nd of March.
  const isReal =
    local.getUTCMonth() === month - 1 &&
    local.getUTCDate() === day &&
    hour < 24 &&
    minute < 60 &&
    second < 60;
  return isReal ? new Date(+local - ahead * 60_000) : null;
};

/** A date, with or without a time, which is UTC without an offset. Or seconds since 1970. */
export const readMoment = (typed: string, order: DateOrder | null): Date | null => {
  if (/^\d{9,10}$/.test(typed)) return new Date(Number(typed) * 1000);
  if (ofDays.test(typed)) {
    const iso = chosenOf(daysIn(typed), order === null ? -1 : dateOrders.indexOf(order));
    return iso === null ? null : momentOf(iso);
  }
  const [year, , month, day, rest] = ofYear.exec(typed)?.slice(1) ?? [];
  return momentOf(year === undefined ? typed : (isoOf(year, month, day, rest) ?? ""));
};

/** What a column shows about how its numbers and dates are written. Unclear values can be read in both ways. */
export const writtenSigns = [...decimalMarks, "number", ...dateOrders, "date"] as const;
export type WrittenSign = (typeof writtenSigns)[number];

const signOf = <T extends WrittenSign>([one, other]: Readings, [first, second, unclear]: T[]) => {
  if (one === other) return undefined;
  if (one !== null && other !== null) return unclear;
  return one === null ? second : first;
};

/** Undefined if the value doesn't depend on it, such as 12 or 2026-03-01. */
export const signIn = (typed: string): WrittenSign | undefined => {
  // Most cells are words, and are passed over quickly.
  if (typed.length > 40 || !/\d[.,/-]\d/.test(typed)) return undefined;
  if (!ofDays.test(typed)) {
    const [, text = ""] = withUnit.exec(typed)?.slice(1) ?? [];
    return signOf<WrittenSign>(numbersIn(text), ["point", "comma", "number"]);
  }
  const sign = signOf<WrittenSign>(daysIn(typed), [...dateOrders, "date"]);
  // No country writes the month first with full stops.
  return sign === "date" && typed.includes(".") ? "day first" : sign;
};

export const numberFields: readonly string[] = [
  "amount",
  "tax",
  "taxRate",
  "refundedAmount",
  "price",
  "quantity",
  "redemptionLimit",
];

export const dateFields: readonly string[] = [
  "createdAt",
  "startedAt",
  "periodStart",
  "periodEnd",
  "endedAt",
  "date",
  "refundedAt",
];

export const isNumberField = (field: string) => numberFields.includes(field);
export const isDateField = (field: string) => dateFields.includes(field);

/** Whether it has to be known, and what it is if the values of the mapped columns agree. */
type Known<T> = { isNeeded: boolean; preset: T | null };

const knownBy = <T extends WrittenSign>(
  signs: ReadonlySet<WrittenSign>,
  ways: readonly T[],
  unclear: WrittenSign,
): Known<T> => {
  const shown = ways.filter((way) => signs.has(way));
  const [only = null] = shown;
  return {
    isNeeded: shown.length > 0 || signs.has(unclear),
    preset: shown.length === 1 ? only : null,
  };
};

/** How the mapped columns are written, as far as their values show it. Nothing is guessed. */
export const writtenIn = (
  columns: readonly (readonly WrittenSign[])[],
  mapping: readonly (string | null)[],
) => {
  const signsOf = (isOf: (field: string) => boolean) =>
    new Set(columns.flatMap((signs, place) => (isOf(mapping[place] ?? "") ? signs : [])));
  return {
    decimalMark: knownBy(signsOf(isNumberField), decimalMarks, "number"),
    dateOrder: knownBy(signsOf(isDateField), dateOrders, "date"),
  };
};
