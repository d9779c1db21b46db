import type { Message } from "@purser/contract/messages/message";
import { csvOf } from "#platform/lists/cells.ts";
import type { Locale } from "#platform/mail/writeEmail.ts";
import { message, translate } from "#platform/messages.ts";
import type { Table } from "./tables.ts";

const taxWithoutRate: Record<string, Message> = {
  "tax:none": message("report_tax_none", "No tax"),
  "tax:reverse-charge": message("report_tax_reverse_charge", "Reverse charge"),
  "tax:exempt": message("report_tax_exempt", "Exempt"),
  "tax:manual": message("report_tax_manual", "Entered manually"),
  "tax:provider": message("report_tax_provider", "Reported by a provider"),
  "tax:unknown": message("report_tax_unknown", "Unknown rate"),
};

type FileCell = string | number | null;

/** Rows in the order of the page. A cell without a value is sorted as 0. */
const sortRows = (
  rows: FileCell[][],
  ids: Table["ids"],
  sort: string | undefined,
  language: string,
) => {
  const place = sort === undefined ? -1 : ids.indexOf(sort.replace(/^-/, ""));
  if (place === -1) return rows;
  const collator = new Intl.Collator(language, { numeric: true });
  const direction = sort?.startsWith("-") ? -1 : 1;
  const keyOf = (row: FileCell[]) => row[place] ?? 0;
  return rows.toSorted((one, other) => {
    const [a, b] = [keyOf(one), keyOf(other)];
    const order =
      typeof a === "number" && typeof b === "number" ? a - b : collator.compare(`${a}`, `${b}`);
    return direction * order;
  });
};

/** The table as CSV, with texts in the reader's language. */
export const fileOf = (
  { ids, head, rows, sort }: Table & { sort?: string | undefined },
  locale: Locale,
) => {
  const regions = new Intl.DisplayNames(locale.language, { type: "region", fallback: "code" });
  const percent = new Intl.NumberFormat(locale.language, {
    style: "percent",
    maximumFractionDigits: 2,
  });
  const countryOf = (code: string) => (/^[A-Z]{2}$/.test(code) ? regions.of(code) : code) ?? code;
  /** The name of a tax account, such as "Germany, 19%". */
  const taxOf = (account: string) => {
    const [, place = "", points] = account.split(":");
    if (points === undefined) {
      const known = taxWithoutRate[account];
      return known ? translate(known, locale) : account;
    }
    const [country = "", ...region] = place.split("-");
    return [countryOf(country), ...region, percent.format(Number(points) / 10_000)].join(", ");
  };
  const cellOf = (cell: Table["head"][number]): FileCell => {
    if (cell === null || typeof cell !== "object") return cell;
    if ("country" in cell) return countryOf(cell.country);
    return "tax" in cell ? taxOf(cell.tax) : translate(cell, locale);
  };
  const shown = rows.map((row) => row.map(cellOf));
  return csvOf([head.map(cellOf), ...sortRows(shown, ids, sort, locale.language)]);
};
