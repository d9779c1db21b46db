import { allows, type Holder } from "@purser/contract/auth/permissions";
import type { Activity } from "@purser/contract/workspace/audit";
import { readableWith } from "@purser/contract/workspace/liveChanges";
import { canRevert } from "@purser/contract/workspace/revert";
import type { Session } from "../auth/sessions/sessions.ts";
import { type Db, run } from "../db/db.ts";
import { camelCase } from "../db/names.ts";
import { statement } from "../db/statement.ts";

const pageSize = 25;

// They change with every save, and the entry itself already has this information.
const bookkeeping = new Set(["id", "version", "created_at", "updated_at"]);

export type Stored = Record<string, unknown>;

export type Entry = Pick<
  Activity,
  "id" | "at" | "entity" | "recordId" | "action" | "address" | "requestId" | "reason"
> & {
  actorKind: Activity["actor"]["kind"];
  actorId: string | null;
  actorName: string | null;
  before: Stored | null;
  after: Stored | null;
  reverts: string | null;
  revertedBy: string | null;
};

// Listed one by one, because a new column must not change the result of a prepared statement.
export const columnsOf = (e: string) => `
  ${e}.id, ${e}.at, ${e}.entity, ${e}.record_id as "recordId", ${e}.action, ${e}.actor_kind as "actorKind",
  ${e}.actor_id as "actorId", ${e}.actor_name as "actorName", ${e}.address, ${e}.request_id as "requestId",
  ${e}.reason, ${e}.before, ${e}.after, ${e}.reverts,
  (select max(later.id) from audit_entries later where later.reverts = ${e}.id and later.id > ${e}.id) as "revertedBy"`;

const columns = columnsOf("e");

const limit = `limit ${pageSize + 1}`;

// No record has entries from before the creation of the oldest one, so older partitions aren't read, nor empty ones.
const ofRecords = statement(
  "audit.findActivity",
  `
  select ${columns} from unnest($1::text[], $2::uuid[]) as wanted (entity, record_id)
  cross join lateral (
    select * from audit_entries
    where entity = wanted.entity and record_id = wanted.record_id and id < $3::bigint
      and id >= (select audit_since($4::uuid)) and id <= (select max(id) from audit_entries)
    order by id desc ${limit}
  ) e
  order by e.id desc ${limit}`,
).narrow<Entry>();

// Compared and ordered by both columns; otherwise the planner scans the entries of all other tables. The id alone tells
// it which partitions to read.
const ofEntities = statement(
  "audit.findReadableActivity",
  `
  select ${columns} from unnest($1::text[]) as wanted (entity)
  cross join lateral (
    select * from audit_entries
    where (entity, id) >= (wanted.entity, $3::bigint) and (entity, id) < (wanted.entity, $2::bigint)
      and id >= $3::bigint and id < $2::bigint
    order by entity desc, id desc ${limit}
  ) e
  order by e.id desc ${limit}`,
).narrow<Entry>();

const newest = "9223372036854775807";

const anyTime = "00000000-0000-0000-0000-000000000000";

const monthsSql = statement(
  "audit.findMonths",
  "select first_id as id from audit_months where first_id < $1::bigint order by first_id desc",
);

/** Where to look for a page before an entry: in the last two months, then further back. The last place is the start. */
const startsBefore = async (db: Db, after: string) => {
  const months = (await run(db, monthsSql, [after])).map(({ id }) => id);
  return [...[1, 7, 31].flatMap((place) => months[place] ?? []), "0"];
};

export const changesBetween = (
  before: Stored | null,
  after: Stored | null,
): Activity["changes"] => {
  const old = before ?? {};
  const next = after ?? {};
  return Object.keys({ ...old, ...next })
    .filter((column) => !bookkeeping.has(column))
    .filter((column) => JSON.stringify(old[column]) !== JSON.stringify(next[column]))
    .map((column) => ({
      field: camelCase(column),
      before: old[column] ?? null,
      after: next[column] ?? null,
    }));
};

const firstText = (values: unknown[]) =>
  values.find((value): value is string => typeof value === "string" && value !== "");

const labels = ["name", "email", "number", "code", "url", "summary", "company_name", "list"];

/** The label of the record of an entry. */
export const labelOf = ({
  before,
  after,
  recordId,
}: Pick<Entry, "before" | "after" | "recordId">) => {
  const row = after ?? before ?? {};
  return firstText(labels.map((column) => row[column])) ?? recordId;
};

/** The address of the actor is only shown to users who can read the audit log. */
export const describe = (entry: Entry, reader: Holder): Activity => {
  const { before, after, actorKind, actorId, actorName, ...shown } = entry;
  const row = after ?? before ?? {};
  const changes = changesBetween(before, after);
  return {
    ...shown,
    label: labelOf(entry),
    appId: firstText([row["app_id"]]) ?? null,
    actor: { kind: actorKind, id: actorId, name: actorName },
    address: allows(reader, "audit:read") ? entry.address : null,
    changes,
    canRevert: entry.revertedBy === null && canRevert({ ...entry, changes }, reader),
  };
};

const pageOf = (entries: Entry[], reader: Session) => {
  const items = entries.slice(0, pageSize).map((entry) => describe(entry, reader));
  return { items, next: entries.length > pageSize ? (items.at(-1)?.id ?? null) : null };
};

type Place = { after?: string | undefined };

/** The changes of these records, newest first. */
export const findActivity = async (
  db: Db,
  { records, after = newest }: Place & { records: { entity: string; id: string }[] },
  session: Session,
) => {
  const entities = records.map(({ entity }) => entity);
  const ids = records.map(({ id }) => id);
  // Other ids don't begin with their time.
  const oldest = ids.every((id) => id[14] === "7") ? ids.toSorted()[0] : null;
  return pageOf(await run(db, ofRecords, [entities, ids, after, oldest ?? anyTime]), session);
};

/** The tables whose changes this team member can read. */
const readableEntities = (confidential: readonly string[], reader: Session) =>
  Object.entries(readableWith)
    .filter(([entity]) => !confidential.includes(entity))
    .filter(([, permission]) => permission && allows(reader, permission))
    .map(([entity]) => entity)
    // The table also has the team members.
    .filter((entity) => entity !== "users" || allows(reader, "team:read"));

type Readable = Place & { confidential: readonly string[] };

/** The entries of everything that this team member can read, newest first, with one more than a page has. */
export const findReadableEntries = async (
  db: Db,
  { after = newest, confidential }: Readable,
  session: Session,
): Promise<Entry[]> => {
  const entities = readableEntities(confidential, session);
  for (const start of await startsBefore(db, after)) {
    const entries = await run(db, ofEntities, [entities, after, start]);
    if (entries.length > pageSize || start === "0") return entries;
  }
  return [];
};

/** The changes of everything that this team member can read, newest first. */
export const findReadableActivity = async (db: Db, place: Readable, session: Session) =>
  pageOf(await findReadableEntries(db, place, session), session);
