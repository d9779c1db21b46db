import { importColumnsMax } from "@purser/contract/workspace/imports";
import { signIn, type WrittenSign } from "@purser/contract/workspace/importValues";
import type { Db } from "#platform/db/db.ts";
import { existing, invalidAt, Problem } from "#platform/http/problem.ts";
import { originalOf } from "#platform/lists/cells.ts";
import { message } from "#platform/messages.ts";
import { recognize } from "./columnNames.ts";
import { delimiterOf, readCsv } from "./csv.ts";
import {
  findMapping,
  findUpload,
  type StoredImport,
  setMapping,
  setStage,
  storePart,
} from "./queries.ts";

const megabyte = 1_000_000;

/** The last column of a file of rejected rows, which Purser wrote. */
export const errorColumn = "error";

const invalidFile = (detail: Parameters<typeof invalidAt>[1]) => invalidAt("/text", detail);

const readHeader = (cells: readonly string[] | undefined, isLast: boolean) => {
  if (!cells && !isLast) return null;
  if (!cells)
    throw invalidFile(message("import_file_empty", "This file has no rows. Choose another file."));
  if (cells.length > importColumnsMax)
    throw invalidFile(
      message("import_columns_many", "This file has more than {max} columns. Remove some.", {
        max: importColumnsMax,
      }),
    );
  return [...cells];
};

/** Adds what the cells of each column show about how numbers and dates are written. */
const addSigns = (known: readonly WrittenSign[][], rows: readonly string[][], columns: number) => {
  const signs = Array.from({ length: columns }, (_, place) => new Set(known[place]));
  for (const cells of rows)
    for (const [place, cell] of cells.entries()) {
      const sign = signIn(cell);
      if (sign) signs[place]?.add(sign);
    }
  return signs.map((one) => [...one]);
};

type Part = { part: number; text: string; isLast: boolean; mbMax: number };

/** Ends the upload and maps the columns, like the last file with the same columns or by their names. */
const finish = async (db: Db, { id, kind }: StoredImport, columns: string[], rows: number) => {
  if (rows === 0)
    throw invalidFile(
      message("import_file_header_only", "This file only has a header. Choose another file."),
    );
  const mapping = (await findMapping(db, kind, columns, id)) ?? recognize(kind, columns);
  const undecided = { decimalMark: null, dateOrder: null };
  await setMapping(db, id, { mapping, replacements: {}, ...undecided });
  await setStage(db, id, "uploaded");
};

/** Stores the complete rows of the next part. A part that is sent again changes nothing. */
export const takePart = async (db: Db, own: StoredImport, { part, text, isLast, mbMax }: Part) => {
  const { id, parts } = own;
  if (part <= parts) return;
  const upload = existing(await findUpload(db, id), "import");
  if (part !== parts + 1)
    throw new Problem(
      "wrong_state",
      message("import_part_missing", "Send part {next} first.", { next: parts + 1 }),
    );
  const bytes = upload.bytes + Buffer.byteLength(text);
  if (bytes > mbMax * megabyte)
    throw invalidFile(
      message("import_file_large", "This file is larger than {max} MB. Split it.", { max: mbMax }),
    );
  const whole = upload.rest + (part === 1 ? text.replace(/^\ufeff/, "") : text);
  const delimiter = upload.columns ? upload.delimiter : delimiterOf(whole);
  const { records, rest, isTooLong } = readCsv(whole, { delimiter, isLast });
  if (isTooLong)
    throw invalidFile(
      message(
        "import_quote_open",
        "Row {row} has a quotation mark that isn't closed. Correct the file and upload it again.",
        { row: upload.rows + records.length + (upload.columns ? 2 : 1) },
      ),
    );
  const header = upload.columns ?? readHeader(records[0], isLast);
  const isOwn = header?.at(-1) === errorColumn;
  const columns = isOwn ? header.map(originalOf) : header;
  const rowCells = upload.columns ? records : records.slice(1);
  const cells = isOwn ? rowCells.map((row) => row.map(originalOf)) : rowCells;
  const rows = upload.rows + cells.length;
  const written = addSigns(upload.written, cells, columns?.length ?? 0);
  await storePart(db, id, { parts: part, bytes, rows, rest, delimiter, columns, written }, cells);
  if (isLast && columns) await finish(db, own, columns, rows);
};
