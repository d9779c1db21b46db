import { type Db, run } from "#platform/db/db.ts";
import type { Statement } from "#platform/db/statement.ts";
import type { Span } from "./queries.ts";

/** What a row would do. A verdict other than `new`, `update` and `unchanged` rejects it. */
export type Judged = {
  row: number;
  verdict: string;
  /** The record that the row changes. */
  recordId: string | null;
  /** The address of the row's customer, by which the row is erased with them. */
  email: string | null;
  /** IDs of what the row names, for the write. Of new rows with the same `place`, not all can be imported. */
  links: Record<string, string> | null;
};

/** The rows that a query judges: those of a batch that is being checked, sent as JSON. */
export const sentRows = `(
  select sent.*, $2::timestamptz as now, $3::uuid as import_id
  from jsonb_to_recordset($1::jsonb) as sent (row int, key text, email text, fields jsonb))`;

/** As `sentRows`, those of a batch that is being imported. They are judged again, because records may have changed. */
export const checkedRows = `(
  select row, key, email, fields, $4::timestamptz as now from import_results
  where import_id = $1 and row > $2 and row <= $3 and outcome <> 'rejected')`;

/** The same comparison of rows with the database, for rows that are checked and for those that are imported. */
export type Judge = { sent: Statement<Judged>; again: Statement<Judged> };

export type Candidate = {
  row: number;
  key: string | null;
  email: string | null;
  fields: Record<string, unknown>;
};

export const judgeSent = (
  db: Db,
  { sent }: Judge,
  rows: readonly Candidate[],
  { id, now }: { id: string; now: Date },
) => run(db, sent, [JSON.stringify(rows), now, id]);

export const judgeAgain = (db: Db, { again }: Judge, { id, after, to }: Span, now: Date) =>
  run(db, again, [id, after, to, now]);
