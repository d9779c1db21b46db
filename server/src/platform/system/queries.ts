import { findWaitingBackfills } from "../backfills/queries.ts";
import { type Db, first, run } from "../db/db.ts";
import { findMigrations } from "../db/migrate.ts";
import { statement } from "../db/statement.ts";

// The queues count themselves every few seconds. Failed jobs have an index, and are shown one by one next to these numbers.
const findQueuesSql = statement(
  "system.findQueues",
  `select q.name, q.ready_count as waiting, q.deferred_count as later, q.active_count as running,
     coalesce(f.failed, 0) as failed, o.created_on as "oldestWaitingAt"
   from pgboss.queue q
   left join lateral (
     select j.created_on from pgboss.job j
     where q.ready_count > 0 and j.name = q.name and j.state < 'active' and not j.blocked and j.start_after <= pg_catalog.now()
     order by j.priority desc, j.created_on limit 1) o on true
   left join (
     select name, count(*)::int as failed from pgboss.job where state = 'failed' group by name) f on f.name = q.name
   order by q.name`,
).narrow<{ failed: number; oldestWaitingAt: Date | null }>();

const findDatabaseSql = statement(
  "system.findDatabase",
  `select split_part(current_setting('server_version'), ' ', 1) as version, pg_database_size(current_database())::float8 as bytes,
     (select sum(numbackends) from pg_stat_database)::int as used,
     current_setting('max_connections')::int as max`,
).narrow<{ version: string; bytes: number; used: number; max: number }>();

const shownTables = 8;

/** Partitions count for their table. */
const sizesOfTables = `
  select coalesce(pg_partition_root(c.oid), c.oid)::regclass::text as name, sum(pg_total_relation_size(c.oid))::float8 as bytes
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and n.nspname in ('public', 'pgboss') group by 1`;

const measureSql = statement(
  "system.measure",
  `insert into storage_sizes (day, name, bytes)
   select $1::date, s.name, s.bytes::bigint from (${sizesOfTables}) s
   on conflict (day, name) do update set bytes = excluded.bytes`,
);
const forgetSizesSql = statement(
  "system.forgetSizes",
  "delete from storage_sizes where day < $1::date - 400",
);

/** Stores today's sizes, so that the growth is known later. */
export const measureStorage = async (db: Db, now: Date) => {
  await run(db, measureSql, [now]);
  await run(db, forgetSizesSql, [now]);
};

const findStorageSql = statement(
  "system.findStorage",
  `with sizes as (${sizesOfTables}),
     ranked as (select name, bytes, row_number() over (order by bytes desc, name) as place from sizes),
     earlier as (
       select name, bytes from storage_sizes
       where day = (select max(day) from storage_sizes where day <= $1::date - 30))
   select case when r.place <= ${shownTables} then r.name end as "table", sum(r.bytes)::float8 as bytes,
     case when exists (select from earlier) then coalesce(sum(e.bytes), 0)::float8 end as "bytesBefore"
   from ranked r left join earlier e on e.name = r.name
   group by 1 order by min(r.place)`,
)
  // Looks up every table and index in the catalog, with partitions. Rows don't matter.
  .bounded(20_000)
  .narrow<{ table: string | null; bytes: number; bytesBefore: number | null }>();

export const findStorage = (db: Db, now: Date) => run(db, findStorageSql, [now]);

const chartedTables = 4;
const chartedDays = 60;

const findGrowthSql = statement(
  "system.findGrowth",
  `with bounds as (
     select (select day from storage_sizes order by day desc limit 1) as last,
       (select day from storage_sizes where day > $1::date - 400 order by day limit 1) as first
   ), shown as (
     select b.last - n as day from bounds b
     cross join generate_series(0, b.last - b.first, greatest(1, ceil((b.last - b.first) / ${chartedDays}.0))::int) n
   ), ranked as (
     select m.name, row_number() over (order by m.bytes desc, m.name) as place
     from storage_sizes m join bounds b on b.last = m.day and b.last > $1::date - 400
   )
   -- Only the shown days, each by its place in the index.
   select s.day::text as day, case when r.place <= ${chartedTables} then m.name end as "table",
     sum(m.bytes)::float8 as bytes
   from shown s cross join lateral (select name, bytes from storage_sizes where day = s.day offset 0) m
   left join ranked r on r.name = m.name
   group by 1, 2 order by 1, min(coalesce(r.place, ${chartedTables} + 1))`,
).narrow<{ day: string; table: string | null; bytes: number }>();

/** The sizes of the largest tables at up to 61 measured days. A table that didn't exist yet has 0. */
export const findGrowth = async (db: Db, now: Date) => {
  const rows = await run(db, findGrowthSql, [now]);
  const byDay = Map.groupBy(rows, ({ day }) => day);
  const named = new Set([...byDay.values()].at(-1)?.map(({ table }) => table));
  return {
    days: [...byDay.keys()],
    tables: [...named].map((table) => ({
      table,
      bytes: [...byDay.values()].map(
        (sizes) => sizes.find((size) => size.table === table)?.bytes ?? 0,
      ),
    })),
  };
};

export const findQueues = (db: Db) => run(db, findQueuesSql);

export const findDatabase = async (db: Db) => {
  const { version = "", bytes = 0, used = 0, max = 0 } = (await first(db, findDatabaseSql)) ?? {};
  const waiting = await findWaitingBackfills(db);
  return {
    version,
    bytes,
    connections: { used, max },
    migrations: await findMigrations(db),
    backfills: { waiting: waiting.length },
  };
};
