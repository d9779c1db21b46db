import { type Db, run } from "../../db/db.ts";
import { statement, template } from "../../db/statement.ts";
import type { Entry, Stored } from "../activity.ts";

type Read = Omit<Entry, "revertedBy">;

const columns = `e.id, e.at, e.entity, e.record_id as "recordId", e.action, e.actor_kind as "actorKind",
  e.actor_id as "actorId", e.actor_name as "actorName", e.address, e.request_id as "requestId",
  e.reason, e.before, e.after, e.reverts`;

/** Of larger actions only the first entries are read. */
export const entriesMax = 40;

// The entries of a request are neighbours, so that a page of the table has several.
const ofRequestsSql = statement(
  "audit.findEntriesOfRequests",
  `select ${columns} from unnest($1::text[]) as wanted (request_id)
   cross join lateral (
     select * from audit_entries e where e.request_id = wanted.request_id order by e.id limit $2
   ) e`,
)
  // 25 requests with 41 entries each, in up to five partitions.
  .bounded(2500)
  .narrow<Read>();

/** The first entries of each of these requests. */
export const findEntriesOfRequests = (db: Db, requestIds: readonly string[], max: number) =>
  run(db, ofRequestsSql, [requestIds, max]);

const byIdsSql = statement(
  "audit.findEntriesById",
  `select ${columns} from audit_entries e where e.id = any ($1::bigint[])`,
).narrow<Read>();

export const findEntriesById = (db: Db, ids: readonly string[]) => run(db, byIdsSql, [ids]);

const revertsSql = statement(
  "audit.findReverts",
  `select e.reverts, max(e.id) as id from audit_entries e where e.reverts = any ($1::bigint[]) group by e.reverts`,
)
  // A lookup in each partition for each of up to 300 entries.
  .bounded(5000)
  .present<"reverts">()
  .narrow<{ id: string }>();

/** The newest entry that reverts each of these. */
export const findReverts = async (db: Db, ids: readonly string[]) =>
  new Map((await run(db, revertsSql, [ids])).map(({ reverts, id }) => [reverts, id]));

const currentRows = template(
  "audit.currentRows",
  (entity: string) =>
    `select r.id, to_jsonb(r) as row from ${entity} r where r.id = any ($1::uuid[])`,
  ["users"],
)
  // Up to 25 actions that refer to several records each.
  .bounded(2500)
  .narrow<{ row: Stored }>();

/** The rows of these records today. */
export const findCurrentRows = (db: Db, entity: string, ids: readonly string[]) =>
  run(db, currentRows.for(entity), [ids]);
