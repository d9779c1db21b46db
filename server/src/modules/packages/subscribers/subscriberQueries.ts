import { type Db, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";

export const settledPerStep = 10_000;

const settleSql = statement(
  "packages.settleSubscribers",
  `with due as (
     select id from subscriber_changes where not settled and at <= $1
     order by at limit ${settledPerStep} for update skip locked
   ), past as (
     delete from subscriber_changes c using due where c.id = due.id returning c.package_id, c.version_id, c.change
   ), settled as (
     insert into subscriber_changes (package_id, version_id, at, change, settled)
     select package_id, version_id, '-infinity', sum(change), true from past group by package_id, version_id
     order by package_id, version_id
     on conflict (package_id, version_id) where settled
     do update set change = subscriber_changes.change + excluded.change
   )
   select count(*)::int as rows from past`,
).narrow<{ rows: number }>();

/** Adds changes of the past to the settled ones, so that few rows are read to count. Returns how many there were. */
export const settleSubscribers = async (db: Db, now: Date) => {
  const [past] = await run(db, settleSql, [now]);
  return past?.rows ?? 0;
};

// One statement reads grants and changes of the same moment, so it is correct while others write both. What the
// trigger of grants does for changed grants, this does for all of a package.
const recountSql = statement(
  "packages.recountSubscribers",
  `with edges as (
     select g.user_id, k.version_id, e.at, sum(e.step) as step
     from grants g
     cross join lateral (values (g.version_id), (null::uuid)) k (version_id)
     cross join lateral (values (g.starts_at, 1), (g.ends_at, -1)) e (at, step)
     where g.package_id = $1 and g.starts_at < g.ends_at
     group by g.user_id, k.version_id, e.at
   ), levels as (
     select version_id, at, step, sum(step) over (partition by user_id, version_id order by at) as level from edges
   ), differences as (
     select version_id, at, case when level = 0 then -1 else 1 end as change
     from levels where (level = 0) <> (level = step) and at < 'infinity'
     union all
     select version_id, at, -change from subscriber_changes where package_id = $1
   ), corrections as (
     insert into subscriber_changes (package_id, version_id, at, change)
     select $1, version_id, case when at <= $2 then '-infinity' else at end, sum(change)
     from differences group by 2, 3 having sum(change) <> 0
     returning change
   )
   select count(*)::int as rows from corrections`,
).narrow<{ rows: number }>();

/** Corrects the changes of a package by its grants. Returns how many corrections were necessary. */
export const recountSubscribers = async (db: Db, packageId: string, now: Date) => {
  // Two at the same time would make every correction twice.
  await run(db, "select pg_advisory_xact_lock(hashtext('recount-subscribers'))");
  await run(db, "set local work_mem = '64MB'");
  await run(db, "set local statement_timeout = '60s'");
  const [corrections] = await run(db, recountSql, [packageId, now]);
  return corrections?.rows ?? 0;
};

const findNextPackagesSql = statement(
  "packages.findNextPackages",
  `select id, name from packages where id > coalesce($1, '00000000-0000-0000-0000-000000000000'::uuid)
   order by id limit $2`,
);

/** All that are left if the limit is null. */
export const findNextPackages = (db: Db, after: string | null, limit: number | null) =>
  run(db, findNextPackagesSql, [after, limit]);
