import { setImmediate } from "node:timers/promises";
import { importKeyFields, type OutcomeCounts } from "@purser/contract/workspace/imports";
import type { Db } from "#platform/db/db.ts";
import { message } from "#platform/messages.ts";
import type { CellError, Parsed } from "./cells.ts";
import { type Judged, judgeSent } from "./judgeQueries.ts";
import type { Kind } from "./kind.ts";
import { kinds } from "./kinds.ts";
import {
  type Checked,
  deleteResults,
  findEarlier,
  findRows,
  insertResults,
  lockImport,
  type Result,
  type StoredImport,
  setStage,
  storeChecked,
} from "./queries.ts";

/** Small enough that a batch keeps neither the process nor the database busy for long. */
const checkedAtOnce = 500;
const parsedAtOnce = 50;
const deletedAtOnce = 10_000;

export const noOutcomes: OutcomeCounts = { new: 0, update: 0, unchanged: 0, rejected: 0 };

const suggestionsMax = 100;

type Row = { row: number; cells: string[] };
type Read = Row & Parsed;

const cellsOf = ({ mapping, replacements }: StoredImport, cells: readonly string[]) => {
  const found: Record<string, string> = {};
  for (const [place, field] of (mapping ?? []).entries()) {
    const typed = cells[place] ?? "";
    if (field) found[field] = replacements[field]?.[typed] ?? typed;
  }
  return found;
};

const readRow = (own: StoredImport, { row, cells }: Row, now: Date): Read => {
  const { kind, decimalMark, dateOrder } = own;
  const parsed = kinds[kind].parse(cellsOf(own, cells), { now, decimalMark, dateOrder });
  if (cells.length > (own.columns?.length ?? 0))
    parsed.errors.push({
      field: null,
      message: message("import_row_too_long", "This row has more cells than the header."),
    });
  return { row, cells, ...parsed };
};

/** Lets requests of the same process through between some rows. */
const readRows = async (own: StoredImport, rows: readonly Row[], now: Date) => {
  const read: Read[] = [];
  for (const [place, row] of rows.entries()) {
    if (place % parsedAtOnce === parsedAtOnce - 1) await setImmediate();
    read.push(readRow(own, row, now));
  }
  return read;
};

/** The error of a row that can't be imported, because of what is stored. */
export const errorsOfVerdict = ({ errors }: Kind, verdict: string): CellError[] => {
  const found = errors[verdict];
  return found ? [{ field: found[0], message: found[1] }] : [];
};

export const outcomeOf = (verdict: string): keyof OutcomeCounts =>
  verdict === "new" || verdict === "update" || verdict === "unchanged" ? verdict : "rejected";

const sameEmailAs = (row: number): CellError => ({
  field: "email",
  message: message("import_same_email", "Same email address as row {row}", { row }),
});

const sameKeyAs = (field: string, row: number): CellError => ({
  field,
  message:
    field === "externalId"
      ? message("import_same_id", "Same ID as row {row}", { row })
      : message("import_same_key", "Same value as row {row}", { row }),
});

/** The first row with each key and email address, in this batch. */
const firstOf = (rows: readonly Read[], part: "key" | "email") => {
  const known = new Map<string, number>();
  for (const read of rows) {
    const value = read[part];
    if (value !== null && !known.has(value)) known.set(value, read.row);
  }
  return known;
};

/** Adds errors to rows whose record is in an earlier row of the file. */
const refuseRepeated = async (db: Db, { id, kind }: StoredImport, rows: readonly Read[]) => {
  const { hasOneRowPerEmail } = kinds[kind];
  const [keys, emails] = [firstOf(rows, "key"), firstOf(rows, "email")];
  const earlier = new Map(
    (
      await findEarlier(
        db,
        id,
        rows.map(({ row, key, email }) => ({ row, key, email: hasOneRowPerEmail ? email : null })),
      )
    ).map((one) => [one.row, one]),
  );
  for (const { row, key, email, errors } of rows) {
    const sameKey = earlier.get(row)?.sameKey ?? (key === null ? row : keys.get(key)) ?? row;
    const sameEmail =
      earlier.get(row)?.sameEmail ?? (email === null ? row : emails.get(email)) ?? row;
    if (sameKey < row) errors.push(sameKeyAs(importKeyFields[kind], sameKey));
    else if (hasOneRowPerEmail && sameEmail < row) errors.push(sameEmailAs(sameEmail));
  }
};

/** With what the check of later rows looks for. */
const fieldsOf = ({ fields }: Read, found: Judged | undefined) => {
  const place = found?.verdict === "new" ? found.links?.["place"] : undefined;
  return place === undefined ? fields : { ...fields, place };
};

const resultsOf = async (
  db: Db,
  { id, kind: name }: StoredImport,
  rows: readonly Read[],
  now: Date,
): Promise<Result[]> => {
  const kind = kinds[name];
  const valid = rows.filter(({ errors }) => errors.length === 0);
  const judged = await judgeSent(
    db,
    kind.judge,
    valid.map(({ row, key, email, fields }) => ({ row, key, email, fields })),
    { id, now },
  );
  const verdicts = new Map(judged.map((one) => [one.row, one]));
  return rows.map((read) => {
    const { row, key, email, errors } = read;
    const found = verdicts.get(row);
    const all = found ? errorsOfVerdict(kind, found.verdict) : errors;
    const outcome = found ? outcomeOf(found.verdict) : "rejected";
    const isRejected = outcome === "rejected";
    return {
      row,
      outcome,
      key,
      email: found?.email ?? email,
      recordId: isRejected ? null : (found?.recordId ?? null),
      fields: isRejected ? null : fieldsOf(read, found),
      errors: isRejected ? all : null,
    };
  });
};

const countIn = (counts: Record<string, number>, name: string) => {
  counts[name] = (counts[name] ?? 0) + 1;
};

const add = (checked: Partial<Checked>, results: readonly Result[]): Checked => {
  const sum: Checked = {
    ...noOutcomes,
    ...checked,
    errors: { ...checked.errors },
    suggestions: { ...checked.suggestions },
  };
  for (const { outcome, errors } of results) {
    sum[outcome] += 1;
    // A row counts once, with its first error, so that the numbers add up to the rejected rows.
    const [error] = errors ?? [];
    if (!error) continue;
    countIn(sum.errors, `${error.field ?? ""} ${error.message.code}`);
    const { suggestion, field } = error;
    const key = suggestion && JSON.stringify([field, suggestion.from, suggestion.to]);
    if (key && (key in sum.suggestions || Object.keys(sum.suggestions).length < suggestionsMax))
      countIn(sum.suggestions, key);
  }
  return sum;
};

/** Checks the next rows of a file without changing anything else. Returns whether there may be more. */
export const checkBatch = async (db: Db, id: string, now: Date): Promise<boolean> => {
  const own = await lockImport(db, id);
  if (own?.status !== "checking") return false;
  if (own.position === 0 && (await deleteResults(db, id, deletedAtOnce))) return true;
  const rows = await findRows(db, id, own.position, checkedAtOnce);
  const last = rows.at(-1);
  if (!last) {
    await setStage(db, id, "checked");
    return false;
  }
  const read = await readRows(own, rows, now);
  await refuseRepeated(db, own, read);
  const results = await resultsOf(db, own, read, now);
  await insertResults(db, id, results);
  await storeChecked(db, id, last.row, add(own.checked, results));
  return true;
};
