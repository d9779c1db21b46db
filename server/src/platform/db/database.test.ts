import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import pg from "pg";
import { expect, inject, onTestFinished, test, vi } from "vitest";
import { testConfig, testDatabase } from "../../testing.ts";
import { dumpSchema, generateSchema } from "./codegen/generate.ts";
import { connect, connectAsOwner, run } from "./db.ts";
import { isMigrated } from "./migrate.ts";

const main = fileURLToPath(new URL("../../main.ts", import.meta.url));
const fileOf = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
const again = "Run `npm run schema` and commit what it writes.";

test("runs each migration once when two processes migrate an empty server", async () => {
  const url = new URL(inject("databaseServer"));
  url.pathname = `/purser_twice_${process.pid}`;
  const environment = {
    ...process.env,
    ...testConfig(url.href),
    MIGRATION_DATABASE_URL: "",
    TRUSTED_PROXIES: "",
  };
  const migrate = () =>
    promisify(execFile)(process.execPath, [main, "migrate"], {
      env: Object.fromEntries(
        Object.entries(environment).map(([key, value]) => [key, String(value ?? "")]),
      ),
    });
  const outputs = (await Promise.all([migrate(), migrate()])).map(({ stdout }) => stdout);
  expect(outputs.filter((text) => text.includes("Applied 0001_platform.\n"))).toHaveLength(1);
  expect(outputs.filter((text) => text.endsWith("The database is up to date.\n"))).toHaveLength(1);
  const { db } = connectAsOwner(url.href);
  expect(await isMigrated(db)).toBe(true);
  await db.destroy();
  const admin = new pg.Client({ connectionString: inject("databaseServer") });
  await admin.connect();
  await admin.query(`drop database ${url.pathname.slice(1)} with (force)`);
  await admin.end();
});

test("has the table types of the migrated database", async () => {
  const database = await testDatabase();
  const { db } = connectAsOwner(database.url);
  const generated = await generateSchema(db);
  await db.destroy();
  await database.drop();
  expect(fileOf("src/platform/db/schema.ts") === generated, again).toBe(true);
});

test("has the schema.sql of the migrations", async () => {
  const database = await testDatabase();
  const dumped = dumpSchema(database.url);
  await database.drop();
  expect(fileOf("schema.sql") === dumped, again).toBe(true);
});

test("gives rows of one statement IDs in the order of their insertion, with the time of their creation", async () => {
  const database = await testDatabase();
  const { db } = connectAsOwner(database.url);
  const [row] = await run(
    db,
    `with made as materialized (select place, uuid_v7() as id from generate_series(1, 2000) place),
       again as (select place, row_number() over (order by id) as sorted, id from made)
     select count(*) filter (where place = sorted)::int as sorted,
       count(*) filter (where abs(extract(epoch from clock_timestamp() - uuid_v7_time(id))) < 60)::int as recent,
       count(*) filter (where id::text ~ '^.{8}-.{4}-7.{3}-[89ab].{3}-.{12}$')::int as versioned
     from again`,
  );
  await db.destroy();
  await database.drop();
  expect(row).toEqual({ sorted: 2000, recent: 2000, versioned: 2000 });
});

const triggersOfPage = (page: string) =>
  [...page.matchAll(/^\| `(\w+)` \| (`.+?`) \| `(\w+)` \| .+\. \|$/gm)].flatMap(
    ([, table, names = "", calls]) =>
      [...names.matchAll(/\w+/g)].map(([name]) => `${table}: ${name} calls ${calls}`),
  );

const triggerFaults = (page: string, triggers: readonly string[]) => {
  const listed = triggersOfPage(page);
  return [
    ...triggers.filter((one) => !listed.includes(one)).map((one) => `${one}: not on the page`),
    ...listed.filter((one) => !triggers.includes(one)).map((one) => `${one}: no such trigger`),
  ];
};

test("lists every trigger in docs/database.md and nothing else", async () => {
  const database = await testDatabase();
  const { db, pool } = connectAsOwner(database.url);
  const { rows } = await pool.query<{ trigger: string }>(
    `select format('%s: %s calls %s', c.relname, t.tgname, p.proname) as trigger
     from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid
     where not t.tgisinternal and c.relnamespace = 'public'::regnamespace`,
  );
  await db.destroy();
  await database.drop();
  const triggers = rows.map(({ trigger }) => trigger);
  const page = fileOf("../docs/database.md");
  expect(triggerFaults(page, triggers)).toEqual([]);
  const planted = page.replace("`apps_touch` | `touch_row`", "`apps_gone` | `touch_row`");
  expect(triggerFaults(planted, triggers)).toEqual([
    "apps: apps_touch calls touch_row: not on the page",
    "apps: apps_gone calls touch_row: no such trigger",
  ]);
});

test("refuses the application to create, alter, drop or truncate", async () => {
  const database = await testDatabase();
  const { db, pool } = connect({ url: database.url, poolMax: 1, name: "test" });
  for (const statement of [
    "create table mine ()",
    "alter table apps add column extra text",
    "drop table apps",
    "truncate apps",
    "alter table apps disable trigger audit_update",
    "delete from users",
    "update app_keys set secret_hash = ''",
    "select audit_table('apps')",
  ])
    await expect(pool.query(statement), statement).rejects.toThrow(
      /permission denied|must be owner/,
    );
  await db.destroy();
  await database.drop();
});

test("ends only the transaction when its connection is lost", async () => {
  const database = await testDatabase();
  const { db, pool } = connect({ url: database.url, poolMax: 1, name: "test" });
  const killer = connectAsOwner(database.url);
  const lost = db.transaction().execute(async (transaction) => {
    await run(transaction, "select 1 as one");
    await killer.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'test'`,
    );
    await run(transaction, "select 1 as one");
  });
  await expect(lost).rejects.toThrow();
  expect((await pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  await killer.db.destroy();
  await db.destroy();
  await database.drop();
});

test("prepares statements once per connection, up to a limit", async () => {
  const database = await testDatabase();
  // A fresh module, because test files share imports and others may have used up the limit.
  vi.resetModules();
  onTestFinished(() => void vi.resetModules());
  const { connect: connectFresh, run: runFresh } = await import("./db.ts");
  const { db, pool } = connectFresh({ url: database.url, poolMax: 1, name: "test" });
  const prepared = async () =>
    (await pool.query("select count(*)::int as many from pg_prepared_statements")).rows[0].many;
  await runFresh(db, "select $1::int as same", [1]);
  await runFresh(db, "select $1::int as same", [2]);
  expect(await prepared()).toBe(1);
  for (let n = 0; n < 600; n += 1) await runFresh(db, `select $1::int as number_${n}`, [n]);
  expect(await prepared()).toBeLessThanOrEqual(500);
  await db.destroy();
  await database.drop();
});
