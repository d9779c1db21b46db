import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import type { Span } from "./queries.ts";

const eraseSql = statement(
  "imports.eraseImported",
  "select undo_imported_customers($1, $2, $3) as erased",
)
  // Each customer is looked up in nine tables and in the audit log.
  .bounded(60_000)
  .narrow<{ erased: number }>();

/** Returns how many customers were erased. */
export const eraseImported = async (db: Db, { id, after, to }: Span) =>
  (await first(db, eraseSql, [id, after, to]))?.erased ?? 0;

export const setUndoing = async (db: Db, id: string, by: string) => {
  await run(
    db,
    "update imports set status = 'undoing', position = 0, acted_by = $2 where id = $1",
    [id, by],
  );
};

export const storeUndone = async (db: Db, id: string, position: number, more: number) => {
  await run(
    db,
    `update imports set position = $2,
       progress = progress || jsonb_build_object('undone', coalesce((progress ->> 'undone')::int, 0) + $3::int)
     where id = $1`,
    [id, position, more],
  );
};

export const setUndone = async (db: Db, id: string, undone: number, now: Date) => {
  await run(
    db,
    "update imports set status = 'undone', undone = $2, finished_at = $3 where id = $1",
    [id, undone, now],
  );
};
