import { type Db, first, run } from "../db/db.ts";
import { statement, template } from "../db/statement.ts";
import type { Entry, Stored } from "./activity.ts";

const currentRow = template(
  "audit.currentRow",
  (entity: string) => `select to_jsonb(r) as row from ${entity} r where r.id = $1`,
  ["users"],
).narrow<{ row: Stored }>();

export const findCurrentRow = async (db: Db, entity: string, id: string) =>
  (await first(db, currentRow.for(entity), [id]))?.row;

const findLaterSql = statement(
  "audit.findLater",
  `select e.id, e.at, e.actor_name as "actorName", e.reverts from audit_entries e
   where e.entity = $1 and e.record_id = $2 and e.id > $3::bigint and exists (
     select from unnest($4::text[]) as c where e.before -> c is distinct from e.after -> c)
   order by e.id desc limit 1`,
);

/** The last change of one of these columns since the entry. */
export const findLater = (db: Db, { id, entity, recordId }: Entry, columns: string[]) =>
  first(db, findLaterSql, [entity, recordId, id, columns]);

export const wasErased = async (db: Db, id: string) =>
  (await run(db, "select from audit_redacted where entry_id = $1::bigint limit 1", [id])).length >
  0;

const lastRevertSql = statement(
  "audit.lastRevert",
  "select max(id) as id from audit_entries where reverts = $1::bigint and id > $1::bigint and entity = $2",
).narrow<{ id: string }>();

/** The newest entry that reverts this one. */
export const findLastRevert = async (db: Db, { id, entity }: Pick<Entry, "id" | "entity">) =>
  (await first(db, lastRevertSql, [id, entity]))?.id;

const lastOfRequestSql = statement(
  "audit.lastOfRequest",
  "select max(id) as id from audit_entries where request_id = $1",
).narrow<{ id: string }>();

/** The newest entry of this request. */
export const findLastOfRequest = async (db: Db, requestId: string) =>
  (await first(db, lastOfRequestSql, [requestId]))?.id;
