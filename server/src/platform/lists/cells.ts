import { decimalAmount } from "@purser/contract/fields/amounts";
import { amount } from "@purser/contract/fields/money";
import { z } from "zod";
import { formatsByZone } from "../formatsByZone.ts";
import { encoderOf } from "../http/calls/encode.ts";

export const fileTypes = {
  csv: "text/csv; charset=utf-8; header=present",
  jsonl: "application/jsonl",
} as const;
export type Format = keyof typeof fileTypes;

/** For files that are one document instead of rows. */
export const documentTypes = {
  yaml: "application/yaml; charset=utf-8",
  json: "application/json; charset=utf-8",
  zip: "application/zip",
  pdf: "application/pdf",
  csv: fileTypes.csv,
} as const;
export type DocumentFormat = keyof typeof documentTypes;

type Row = Record<string, unknown>;

/** How a file is written: its header, and each row. */
type Writer = { head: string; line: (row: Row) => string };

const dayMs = 86_400_000;

// Kept also because a job writes thousands of parts.
const formatIn = formatsByZone({ timeZoneName: "longOffset" });

/** Writes dates as ISO 8601 with the offset of the time zone at that time. */
export const momentsIn = (zone: string) => {
  const format = formatIn(zone);
  const readOffset = (at: number) => {
    const parts = format.formatToParts(at);
    const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
    return /[+-]\d\d:\d\d/.exec(name)?.[0] ?? "+00:00";
  };
  // Calculating an offset is slow. If a day starts and ends with the same one, it has no other.
  const ofDays = new Map<number, string | null>();
  const offsetAt = (at: number) => {
    const day = Math.floor(at / dayMs);
    const known = ofDays.get(day);
    if (known !== undefined) return known ?? readOffset(at);
    const [first, last] = [readOffset(day * dayMs), readOffset((day + 1) * dayMs)];
    ofDays.set(day, first === last ? first : null);
    return readOffset(at);
  };
  return (moment: Date) => {
    const offset = offsetAt(moment.getTime());
    const [hours = 0, minutes = 0] = offset.slice(1).split(":").map(Number);
    const ahead = (offset.startsWith("-") ? -1 : 1) * (hours * 60 + minutes) * 60_000;
    return new Date(moment.getTime() + ahead).toISOString().replace("Z", offset);
  };
};

// Spreadsheets skip these before they look for a formula.
const skipped = String.raw`(?:(?![\t\r\n])[\p{Cc}\p{Z}\p{Cf}"])*`;
const formula = `'*${skipped}[=+\\-@＝＋－＠]`;
const atStart = new RegExp(`^(?=${formula}|'*\\p{Cc})`, "u");
const afterSeparator = new RegExp(`(?<=[,;|\\t\\r\\n])(?=${formula})`, "gu");

/**
 * Adds an apostrophe before text that a spreadsheet would run as a formula. Also after a separator within the text, where
 * a spreadsheet that is set to another separator would start a cell. Text that already has the apostrophe gets another
 * one, so that removing one restores the original.
 */
const harmless = (text: string) => text.replace(atStart, "'").replace(afterSeparator, "'");

const addedAtStart = new RegExp(`^'(?=${formula}|'*\\p{Cc})`, "u");
const addedAfterSeparator = new RegExp(`(?<=[,;|\\t\\r\\n])'(?=${formula})`, "gu");

/** The text of a cell of a file that Purser wrote, without the apostrophes that it added. */
export const originalOf = (cell: string) =>
  cell.replace(addedAtStart, "").replace(addedAfterSeparator, "");

const quoted = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const csvLine = (cells: readonly string[]) => {
  // Most programs would skip an empty line.
  const line = cells.length === 1 && cells[0] === "" ? '""' : cells.join(",");
  return `${line}\r\n`;
};

const csvCell = (value: unknown) => {
  if (value === null || value === undefined) return "";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return quoted(harmless(Array.isArray(value) ? value.join(", ") : String(value)));
};

/** A table as CSV. Starts with a mark, because spreadsheets otherwise don't expect UTF-8. */
export const csvOf = (rows: readonly (readonly (string | number | null)[])[]) =>
  `\uFEFF${rows.map((row) => csvLine(row.map(csvCell))).join("")}`;

type Details = {
  /** The header, if it differs from the columns. */
  head?: readonly string[];
  /** The fields of a row in the API, which tell amounts from other numbers. */
  row?: z.ZodObject;
  /** Whether sums subtract the amounts of a row, so that those of a spreadsheet equal those of the list. */
  isMinus?: ((row: Row) => boolean) | undefined;
};

/** The amount with the decimals of the row's currency, because a spreadsheet doesn't know minor units. */
const moneyCell = (value: unknown, { currency }: Row, isMinus: boolean) =>
  decimalAmount(isMinus ? -Number(value) : Number(value), String(currency));

export const csvWriter = (
  columns: readonly string[],
  zone: string,
  { head = columns, row: { shape } = z.object({}), isMinus = () => false }: Details = {},
): Writer => {
  const writeMoment = momentsIn(zone);
  const amounts = new Set(columns.filter((column) => shape[column] === amount));
  const cellOf = (value: unknown) => (value instanceof Date ? writeMoment(value) : csvCell(value));
  return {
    head: csvLine(head.map(csvCell)),
    line: (row) =>
      csvLine(
        columns.map((column) =>
          amounts.has(column) ? moneyCell(row[column], row, isMinus(row)) : cellOf(row[column]),
        ),
      ),
  };
};

const jsonlWriter = (columns: readonly string[], { shape }: z.ZodObject): Writer => {
  const chosen = Object.fromEntries(
    Object.entries(shape).filter(([name]) => columns.includes(name)),
  );
  const encode = encoderOf(z.object(chosen));
  return { head: "", line: (row) => `${JSON.stringify(encode(row))}\n` };
};

type File = Details & {
  format: Format;
  columns: readonly string[];
  zone: string;
  row: z.ZodObject;
};

/** CSV is for spreadsheets. JSON lines are for programs and have the values of the API. */
export const writerOf = ({ format, columns, zone, ...details }: File): Writer =>
  format === "csv" ? csvWriter(columns, zone, details) : jsonlWriter(columns, details.row);
