import type { Role } from "@purser/contract/auth/permissions";
import type { AttentionKind, AttentionRecord, Snooze } from "@purser/contract/reports/attention";
import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";

const wholeKindSql = "delete from attention_marks where record_id is null";

/** Marks of a whole kind, as earlier versions set them. */
export const deleteMarksOfKinds = async (db: Db) => {
  await run(db, wholeKindSql);
};

/**
 * Creates missing marks, and locks all of them in the same order, so that of two callers the second sees what the
 * first wrote. One that was set for an earlier cause is cleared.
 */
export const lockMarks = async (
  db: Db,
  kind: AttentionKind,
  records: readonly Pick<AttentionRecord, "id" | "since">[],
) => {
  await run(
    db,
    `insert into attention_marks (kind, record_id)
     select $1, id from unnest($2::uuid[]) id order by id
     on conflict (kind, record_id) do update set updated_at = attention_marks.updated_at`,
    [kind, records.map(({ id }) => id)],
  );
  await run(
    db,
    `update attention_marks m set assignee_id = null, snoozed_until = null, snoozed_by = null
     from unnest($2::uuid[], $3::timestamptz[]) r (id, since)
     where m.kind = $1 and m.record_id = r.id and m.updated_at < r.since
       and (m.assignee_id is not null or m.snoozed_until is not null)`,
    [kind, records.map(({ id }) => id), records.map(({ since }) => since)],
  );
};

export const assignMarks = async (
  db: Db,
  kind: AttentionKind,
  { ids, assigneeId, now }: { ids: readonly string[]; assigneeId: string | null; now: Date },
) => {
  await run(
    db,
    "update attention_marks set assignee_id = $3, updated_at = $4 where kind = $1 and record_id = any ($2)",
    [kind, ids, assigneeId, now],
  );
};

type NewSnooze = { ids: readonly string[]; until: Date | null; byId: string; now: Date };

export const snoozeMarks = async (
  db: Db,
  kind: AttentionKind,
  { ids, until, byId, now }: NewSnooze,
) => {
  await run(
    db,
    `update attention_marks set snoozed_until = $3, snoozed_by = $4, updated_at = $5
     where kind = $1 and record_id = any ($2)`,
    [kind, ids, until, until && byId, now],
  );
};

const snoozeEndSql = statement(
  "reports.findSnoozeEnd",
  `select (case $3 when 'tomorrow' then date_trunc('day', local) + interval '1 day'
       when 'monday' then date_trunc('week', local) + interval '7 days'
       else date_trunc('day', local) + interval '7 days' end) at time zone $2 as until
   from (select $1::timestamptz at time zone $2::text as local) today`,
).narrow<{ until: Date }>();

/** The start of a day in the company's time zone, also if the clocks change until then. */
export const findSnoozeEnd = async (db: Db, snooze: Snooze, now: Date, zone: string) => {
  const row = await first(db, snoozeEndSql, [now, zone, snooze]);
  if (!row) throw new Error("The end of the snooze is missing.");
  return row.until;
};

const membersSql = statement(
  "reports.findMembers",
  `select id, name, role from users where role = any ($1::text[]) and not is_service and status = 'active'
   order by lower(name), id limit 200`,
).present<"role">();

/** Active team members with one of the roles. */
export const findMembers = (db: Db, roles: readonly Role[]) => run(db, membersSql, [[...roles]]);

const memberSql = statement(
  "reports.findMember",
  "select id, name, role from users where id = $1 and role is not null and not is_service and status = 'active'",
).present<"role">();

export const findMember = (db: Db, id: string) => first(db, memberSql, [id]);
