import { randomBytes } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { afterAll, expect, inject, test } from "vitest";
import { migrate } from "#platform/db/migrate.ts";
import { readMigrations } from "#platform/db/migrations/files.ts";

// A database with rows from before tables were partitioned, which is in use during the update.

const url = new URL(inject("databaseServer"));
url.pathname = `/purser_partitions_${randomBytes(6).toString("hex")}`;
const migrations = await readMigrations();
await migrate(url.href, { migrations: migrations.filter(({ name }) => name < "0062") });
const owner = new pg.Pool({ connectionString: url.href, max: 4 });
// A client of the update may be closed by the end of the test.
owner.on("error", () => undefined);

afterAll(async () => {
  await owner.end();
  const admin = new pg.Client({ connectionString: inject("databaseServer") });
  await admin.connect();
  await admin.query(`drop database if exists ${url.pathname.slice(1)} with (force)`);
  await admin.end();
});

const tables = ["webhook_deliveries", "webhook_events", "audit_entries"];

const addEvent = `
  with event as (
    insert into webhook_events (type, user_id, seq, data)
    select 'entitlements.changed', u.id, (select count(*) + 1 from webhook_events), '{}' from users u limit 1
    returning id, user_id, seq
  )
  insert into webhook_deliveries (endpoint_id, event_id, line, seq, type, user_id)
  select w.id, e.id, e.user_id, e.seq, 'entitlements.changed', e.user_id from event e cross join webhook_endpoints w`;

await owner.query(`
  insert into users (email, name, status) values ('ada@example.com', 'Ada', 'active');
  insert into webhook_endpoints (url, types, secret)
    values ('https://hooks.example.com', '{entitlements.changed}', '')`);
// Each also writes an audit entry.
const renameUser = "update users set name = name || 'a' where email = 'ada@example.com'";
for (let n = 0; n < 50; n += 1) {
  await owner.query(addEvent);
  await owner.query(renameUser);
  if (n % 20 === 0) await owner.query("select audit_seal()");
}

const rowsOf = async (table: string) =>
  (await owner.query(`select * from ${table} order by id`)).rows as Record<string, unknown>[];
const filesOf = async (table: string) =>
  (await owner.query("select pg_relation_filepath($1) as path", [table])).rows[0].path;

test("R6 rows stay where they are, requests go on, and new rows continue", async () => {
  const before = await Promise.all(tables.map(rowsOf));
  const files = await Promise.all(tables.map(filesOf));

  // Another session writes all the time, as the previous release does.
  let isDone = false;
  let slowestMs = 0;
  let written = 0;
  const writer = (async () => {
    while (!isDone) {
      const start = performance.now();
      await owner.query(addEvent);
      await owner.query(renameUser);
      slowestMs = Math.max(slowestMs, performance.now() - start);
      written += 1;
      await setTimeout(2);
    }
  })();
  await migrate(url.href);
  isDone = true;
  await writer;

  expect(slowestMs).toBeLessThan(2000);
  for (const [place, table] of tables.entries()) {
    const after = await rowsOf(table);
    const added = after.length - (before[place]?.length ?? 0);
    expect(added).toBeGreaterThanOrEqual(written);
    expect(after.slice(0, before[place]?.length)).toEqual(before[place]);
    expect(await filesOf(`partitions.${table}_first`)).toBe(files[place]);
  }
  const { rows } = await owner.query("select number from webhook_events order by id");
  expect(new Set(rows.map(({ number }) => number)).size).toBe(rows.length);
  expect(rows.length).toBe(50 + written);
});

test("R6 the hash chain of the audit log continues, with the same numbers", async () => {
  const { rows } = await owner.query(
    'select max(id) - min(id) + 1 = count(*) as "hasNoGap" from audit_entries',
  );
  expect(rows).toEqual([{ hasNoGap: true }]);
  while ((await owner.query("select audit_seal() as entries")).rows[0].entries > 0);
  expect((await owner.query("select * from audit_verify()")).rows).toEqual([]);
});

test("R6 all partitions have the same indexes, and none was built for existing rows", async () => {
  for (const table of tables) {
    const { rows } = await owner.query(
      `select p.part::text as part, count(*)::int as indexes from partitions_of('${table}') p
       join pg_index i on i.indrelid = p.part and i.indisvalid group by 1`,
    );
    expect(rows.length).toBeGreaterThanOrEqual(3);
    expect(new Set(rows.map(({ indexes }) => indexes)).size).toBe(1);
    const built = await owner.query(
      `select i.indexrelid::regclass::text as name from pg_index i
       where i.indrelid = 'partitions.${table}_first'::regclass
         and i.indexrelid::regclass::text not like 'partitions.${table}\\_%'`,
    );
    expect(built.rows).toEqual([]);
    const names = await owner.query(
      `select i.indexrelid::regclass::text as name from pg_index i
       where i.indrelid = 'partitions.${table}_first'::regclass
         and i.indexrelid::regclass::text like '%\\_first\\_%'`,
    );
    expect(names.rows).toEqual([]);
  }
});

test("R6 the next months have partitions, and so have all months before and after", async () => {
  for (const table of tables) {
    const { rows } = await owner.query(
      `select count(*) filter (where upper is null)::int as unbounded,
         count(*) filter (where lower is null)::int as first,
         count(*) filter (where upper is not null and lower is not null)::int >= 1 as "isAhead"
       from partitions_of('${table}')`,
    );
    expect(rows).toEqual([{ unbounded: 1, first: 1, isAhead: true }]);
  }
});
