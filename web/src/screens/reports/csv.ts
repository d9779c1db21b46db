import { decimalAmount } from "@purser/contract/fields/amounts";

export type Cell = string | number | null;

// A spreadsheet would run a text that starts like a formula.
const safe = (text: string) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);

const written = (cell: Cell) => {
  if (cell === null) return "";
  const text = typeof cell === "number" ? String(cell) : safe(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** A table as CSV. Amounts are exact and have a point, whatever the language. */
export const csvOf = (head: readonly string[], rows: readonly (readonly Cell[])[]) =>
  [head, ...rows].map((row) => `${row.map(written).join(",")}\r\n`).join("");

/** An amount in minor units as an exact number. */
export const exact = (minor: number, currency: string) => Number(decimalAmount(minor, currency));

export type Table = { name: string; head: readonly string[]; rows: readonly (readonly Cell[])[] };

export const download = ({ name, head, rows }: Table) => {
  // With a mark, because spreadsheets otherwise don't expect UTF-8.
  const file = new Blob(["\uFEFF", csvOf(head, rows)], { type: "text/csv;charset=utf-8" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = `${name}.csv`;
  link.click();
  URL.revokeObjectURL(link.href);
};
