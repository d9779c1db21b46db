import type { Role } from "@purser/contract/auth/permissions";
import type { ImportKind, ImportStatus, OutcomeCounts } from "@purser/contract/workspace/imports";
import type { DateOrder, DecimalMark, WrittenSign } from "@purser/contract/workspace/importValues";
import { type Db, first, run } from "#platform/db/db.ts";
import { type RowOf, statement } from "#platform/db/statement.ts";
import type { CellError } from "./cells.ts";

/** What checking found, by outcome, and the errors by field and code. */
export type Checked = OutcomeCounts & {
  errors: Record<string, number>;
  suggestions: Record<string, number>;
};

type Stored = {
  kind: ImportKind;
  /** Who started, continued or undid it last, and who uploaded the file until then. */
  actorRole: Role | null;
  status: ImportStatus;
  columns: string[] | null;
  mapping: (string | null)[] | null;
  replacements: Record<string, Record<string, string>>;
  decimalMark: DecimalMark | null;
  dateOrder: DateOrder | null;
  written: WrittenSign[][];
  checked: Partial<Checked>;
  progress: Partial<OutcomeCounts & { undone: number; ended: number }>;
  bytes: number;
};

const shown = `
  i.id, i.kind, i.name, case i.status when 'draft' then i.stage else i.status end as status,
  i.created_by as "createdById", u.name as "createdByName", by.id as "actorId", by.name as "actorName",
  by.role as "actorRole", by.status as "actorStatus", i.created_at as "createdAt",
  i.started_at as "startedAt", i.finished_at as "finishedAt", i.emptied_at as "emptiedAt", i.columns, i.mapping,
  i.replacements, i.decimal_mark as "decimalMark", i.date_order as "dateOrder", i.written, i.parts, i.bytes::float8 as bytes, i.rows, i.position, i.checked, i.progress, i.undone`;

const imports = statement(
  "imports.imports",
  `select ${shown} from imports i join users u on u.id = i.created_by join users by on by.id = coalesce(i.acted_by, i.created_by)`,
).narrow<Stored>();
export type StoredImport = RowOf<typeof imports>;
const one = imports.with("where i.id = $1");
const lockedOne = one.with("for update of i");
const latest = imports.with("order by i.id desc limit 50");

export const findImport = (db: Db, id: string) => first(db, one, [id]);
export const lockImport = (db: Db, id: string) => first(db, lockedOne, [id]);
export const findImports = (db: Db) => run(db, latest);

const insertSql = statement(
  "imports.insert",
  "insert into imports (kind, name, created_by) values ($1, $2, $3) returning id",
);

export const insertImport = async (db: Db, kind: ImportKind, name: string, by: string) => {
  const row = await first(db, insertSql, [kind, name, by]);
  if (!row) throw new Error("The import was not inserted.");
  return row.id;
};

const uploadSql = statement(
  "imports.upload",
  "select parts, bytes::float8 as bytes, rows, rest, delimiter, columns, written from imports where id = $1",
).narrow<Pick<Stored, "columns" | "bytes" | "written">>();
export type Upload = RowOf<typeof uploadSql>;

/** What the received parts left for the next one. */
export const findUpload = (db: Db, id: string) => first(db, uploadSql, [id]);

export const storePart = async (db: Db, id: string, upload: Upload, cells: readonly string[][]) => {
  // The header is row 1, as in a spreadsheet. One JSON text needs less memory than an array of texts.
  await run(
    db,
    `insert into import_rows (import_id, row, cells)
     select $1, $2::int + place, cells from jsonb_array_elements($3::jsonb) with ordinality as sent (cells, place)`,
    [id, upload.rows - cells.length + 1, JSON.stringify(cells)],
  );
  const { parts, bytes, rows, rest, delimiter, columns, written } = upload;
  await run(
    db,
    `update imports set parts = $2, bytes = $3, rows = $4, rest = $5, delimiter = $6, columns = $7, written = $8
     where id = $1`,
    [
      ...[id, parts, bytes, rows, rest, delimiter],
      ...[columns && JSON.stringify(columns), JSON.stringify(written)],
    ],
  );
};

export const setStage = async (db: Db, id: string, stage: "uploaded" | "checking" | "checked") => {
  await run(db, "update imports set stage = $2 where id = $1", [id, stage]);
};

const sameColumnsSql = statement(
  "imports.sameColumns",
  `select mapping from imports where kind = $1 and columns = $2::jsonb and mapping is not null and id <> $3
   order by id desc limit 1`,
)
  .present<"mapping">()
  .narrow<{ mapping: (string | null)[] }>();

/** The mapping of the last file with the same columns. */
export const findMapping = async (db: Db, kind: ImportKind, columns: string[], except: string) =>
  (await first(db, sameColumnsSql, [kind, JSON.stringify(columns), except]))?.mapping;

export const setMapping = async (
  db: Db,
  id: string,
  {
    mapping,
    replacements,
    decimalMark,
    dateOrder,
  }: Pick<Stored, "mapping" | "replacements" | "decimalMark" | "dateOrder">,
) => {
  await run(
    db,
    `update imports set mapping = $2, replacements = $3, decimal_mark = $4, date_order = $5, position = 0, checked = '{}'
     where id = $1`,
    [id, JSON.stringify(mapping), JSON.stringify(replacements), decimalMark, dateOrder],
  );
};

const samplesSql = statement(
  "imports.samples",
  "select cells from import_rows where import_id = $1 order by row limit 20",
).narrow<{ cells: string[] }>();

export const findSamples = (db: Db, id: string) => run(db, samplesSql, [id]);

const rowsSql = statement(
  "imports.rows",
  "select row, cells from import_rows where import_id = $1 and row > $2 order by row limit $3",
).narrow<{ cells: string[] }>();

export const findRows = (db: Db, id: string, after: number, limit: number) =>
  run(db, rowsSql, [id, after, limit]);

/** Removes some results of an earlier check. Returns whether there may be more. */
export const deleteResults = async (db: Db, id: string, limit: number) =>
  (
    await run(
      db,
      `delete from import_results where import_id = $1
         and row in (select row from import_results where import_id = $1 order by row limit $2) returning row`,
      [id, limit],
    )
  ).length === limit;

export const earlierRows = statement(
  "imports.earlier",
  `select r.row,
     (select min(o.row) from import_results o where o.import_id = $1 and o.key = r.key) as "sameKey",
     (select min(o.row) from import_results o where o.import_id = $1 and o.email = r.email) as "sameEmail"
   from jsonb_to_recordset($2::jsonb) as r (row int, key text, email text)`,
)
  // Two lookups for each of the rows of a batch.
  .bounded(20_000)
  .narrow<{ row: number; sameKey: number | null; sameEmail: number | null }>();

/** The rows before this batch with the same key or email address. */
export const findEarlier = (
  db: Db,
  id: string,
  rows: readonly { row: number; key: string | null; email: string | null }[],
) => run(db, earlierRows, [id, JSON.stringify(rows)]);

export type Result = {
  row: number;
  outcome: keyof OutcomeCounts;
  key: string | null;
  email: string | null;
  recordId: string | null;
  fields: Record<string, unknown> | null;
  errors: CellError[] | null;
};

// New records have the time of their creation in the ID, because lists sort by it.
const newId = "uuid_v7(coalesce((fields ->> 'created_at')::timestamptz, now()))";

export const insertResults = async (db: Db, id: string, results: readonly Result[]) => {
  await run(
    db,
    `insert into import_results (import_id, row, outcome, key, email, record_id, fields, errors)
     select $1, row, outcome, key, email, case outcome when 'new' then ${newId} else "recordId" end, fields, errors
     from jsonb_to_recordset($2::jsonb)
       as r (row int, outcome text, key text, email text, "recordId" uuid, fields jsonb, errors jsonb)`,
    [id, JSON.stringify(results)],
  );
};

export const storeChecked = async (db: Db, id: string, position: number, checked: Checked) => {
  await run(db, "update imports set position = $2, checked = $3 where id = $1", [
    id,
    position,
    JSON.stringify(checked),
  ]);
};

const spanSql = statement(
  "imports.span",
  `select row, outcome, record_id as "recordId", fields ->> 'ended_at' is not null as "isEnded" from import_results
   where import_id = $1 and row > $2 order by row limit $3`,
).narrow<{ outcome: keyof OutcomeCounts }>();

/** Rows of an import after one and up to another. */
export type Span = { id: string; after: number; to: number };

/** The next checked rows. */
export const findSpan = (db: Db, id: string, after: number, limit: number) =>
  run(db, spanSql, [id, after, limit]);

type Corrected = Pick<Result, "row" | "outcome" | "recordId" | "errors">;

/** Stores what changed about rows since they were checked. */
export const correctResults = async (db: Db, id: string, results: readonly Corrected[]) => {
  if (results.length === 0) return;
  await run(
    db,
    `update import_results t set outcome = r.outcome, errors = r.errors,
       record_id = case r.outcome when 'new' then ${newId} else r."recordId" end
     from jsonb_to_recordset($2::jsonb) as r (row int, outcome text, "recordId" uuid, errors jsonb)
     where t.import_id = $1 and t.row = r.row`,
    [id, JSON.stringify(results)],
  );
};

/** Imports of the same kind write one batch after the other, so that two with the same records don't collide. */
export const takeTurn = async (db: Db, kind: ImportKind) => {
  await run(db, "select pg_advisory_xact_lock(hashtext('import ' || $1))", [kind]);
};

/** Analyzes those of the tables that have grown by more than a quarter. */
export const refreshStatistics = async (db: Db, tables: readonly string[]) => {
  await run(db, "select refresh_statistics($1::text[])", [tables]);
};

export const storeProgress = async (
  db: Db,
  id: string,
  position: number,
  progress: OutcomeCounts & { ended: number },
) => {
  await run(db, "update imports set position = $2, progress = $3 where id = $1", [
    id,
    position,
    JSON.stringify(progress),
  ]);
};

export const setRunning = async (db: Db, id: string, by: string, now: Date) => {
  await run(
    db,
    `update imports set status = 'running', acted_by = $3, started_at = coalesce(started_at, $2),
       position = case when started_at is null then 0 else position end where id = $1`,
    [id, now, by],
  );
};

export const setPaused = async (db: Db, id: string) => {
  await run(db, "update imports set status = 'paused' where id = $1", [id]);
};

export const setEnded = async (
  db: Db,
  id: string,
  {
    status,
    done: { new: created = 0, update = 0, rejected = 0 },
    now,
  }: { status: "finished" | "stopped" | "canceled"; done: Partial<OutcomeCounts>; now: Date },
) => {
  await run(
    db,
    "update imports set status = $2, finished_at = $3, imported = $4, rejected = $5 where id = $1",
    [id, status, now, created + update, rejected],
  );
};

const listed = statement(
  "imports.listed",
  `select r.row, r.outcome, r.errors, c.cells from import_results r
   join import_rows c on c.import_id = r.import_id and c.row = r.row where r.import_id = $1 and r.row > $2`,
).narrow<{ outcome: keyof OutcomeCounts; errors: CellError[] | null; cells: string[] }>();
const listedAll = listed.with("order by r.row limit $3");
const listedRejected = listed.with("and r.outcome = 'rejected' order by r.row limit $3");
/** Rejected rows from the first one on, for a file. */
export const rejectedRows = listed.with("and r.outcome = 'rejected' order by r.row");

export const findListed = (
  db: Db,
  {
    id,
    show,
    after,
    limit,
  }: { id: string; show: "all" | "rejected"; after: number; limit: number },
) => run(db, show === "all" ? listedAll : listedRejected, [id, after, limit]);

const openSql = statement(
  "imports.open",
  `select id from imports where emptied_at is null and (status = 'canceled'
     or (status in ('finished', 'stopped', 'undone') and finished_at < $1)
     or (status = 'draft' and created_at < $1)) order by id limit 1`,
);

/** An import that ended before this moment, or was canceled, whose rows are no longer needed. */
export const findExpired = (db: Db, before: Date) => first(db, openSql, [before]);

/** Deletes some rows of an import. Returns whether there may be more. */
export const deleteRows = async (db: Db, id: string, limit: number) =>
  (
    await run(
      db,
      `delete from import_rows where import_id = $1
         and row in (select row from import_rows where import_id = $1 order by row limit $2) returning row`,
      [id, limit],
    )
  ).length === limit;

export const setEmptied = async (db: Db, id: string, now: Date) => {
  await run(db, "update imports set emptied_at = $2, rest = '' where id = $1", [id, now]);
};

/** Removes what files say about these customers. */
export const eraseImportedRows = async (
  db: Db,
  userIds: readonly string[],
  emails: readonly string[],
) => {
  await run(
    db,
    `with theirs as (
       select import_id, row from import_results where record_id = any ($1::uuid[])
       union select r.import_id, r.row from imports i join import_results r on r.import_id = i.id
         where i.emptied_at is null and r.email = any ($2::text[])
     ), results as (
       delete from import_results r using theirs t where r.import_id = t.import_id and r.row = t.row
     )
     delete from import_rows r using theirs t where r.import_id = t.import_id and r.row = t.row`,
    [userIds, emails],
  );
};
