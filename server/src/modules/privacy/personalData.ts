import { strToU8, zipSync } from "fflate";
import { z } from "zod";
import type { Db } from "#platform/db/db.ts";
import { writerOf } from "#platform/lists/cells.ts";
import { findPersonalData, type Row } from "./personalDataQueries.ts";
import { findRecordsOf } from "./queries.ts";

const readme = `Personal data of one customer.

all.json contains everything. The CSV files contain one part each, for use in a spreadsheet. Empty parts are left out.
Amounts are in the currency's smallest unit, so 1200 EUR is 12.00 euros.
Times are in the company's time zone in the CSV files, and in UTC in all.json.
`;

const columnsOf = (rows: Row[]) => Object.keys(rows[0] ?? {});

const inCell = (value: unknown) =>
  value !== null && typeof value === "object" && !(value instanceof Date)
    ? JSON.stringify(value)
    : value;

const csvOf = (rows: Row[], zone: string) => {
  const { head, line } = writerOf({
    format: "csv",
    columns: columnsOf(rows),
    zone,
    row: z.object({}),
  });
  const lines = rows.map((row) =>
    line(Object.fromEntries(Object.entries(row).map(([name, value]) => [name, inCell(value)]))),
  );
  return head + lines.join("");
};

/** All personal data of a customer as a zip with one JSON document and one table per part. */
export const writePersonalData = async (db: Db, userId: string, zone: string) => {
  const { ids } = await findRecordsOf(db, userId);
  const read = await findPersonalData(db, ids);
  const tables = Object.entries(read)
    .filter(([, rows]) => rows.length > 0)
    .map(([name, rows]) => [`${name}.csv`, strToU8(csvOf(rows, zone))] as const);
  const document = { ...read, customer: read["customer"]?.[0] };
  return Buffer.from(
    zipSync({
      "readme.txt": strToU8(readme),
      "all.json": strToU8(`${JSON.stringify(document, null, 2)}\n`),
      ...Object.fromEntries(tables),
    }),
  );
};
