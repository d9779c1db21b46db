import { strToU8, zipSync } from "fflate";
import { z } from "zod";
import type { Db } from "#platform/db/db.ts";
import { writerOf } from "#platform/lists/cells.ts";
import { findPersonalData, type Row } from "./personalDataQueries.ts";
import { findRecordsOf } from "./queries.ts";

const readme = `Everything that this office keeps about one person.

all.json has all of it. Each table is one part of it, for a spreadsheet. Parts that are empty are left out.
Amounts of money are in the currency's smallest unit: 1200 EUR are 12.00 euros.
Moments are in the company's time zone in the tables, and in UTC in all.json.
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
  const document = { ...read, person: read["person"]?.[0] };
  return Buffer.from(
    zipSync({
      "readme.txt": strToU8(readme),
      "all.json": strToU8(`${JSON.stringify(document, null, 2)}\n`),
      ...Object.fromEntries(tables),
    }),
  );
};
