import { createApp, listApps } from "@purser/contract/apps/endpoints";
import pg from "pg";
import { expect, inject, onTestFinished, test, vi } from "vitest";
import { patiently } from "../../../patience.testing.ts";
import { testDatabase, testProduct } from "../../../testing.ts";
import { migrate } from "../migrate.ts";
import { defaultPatience } from "./apply.ts";
import { readMigrations, splitStatements } from "./files.ts";
import { withPlanted } from "./planted.testing.ts";

/** Connections to a database that is dropped at the end of the test. */
const newDatabase = async () => {
  const { url, drop } = await testDatabase();
  const clients: pg.Client[] = [];
  onTestFinished(async () => {
    for (const client of clients) await client.end();
    await drop();
  });
  const connectTo = async (name: string) => {
    const client = new pg.Client({ connectionString: url, application_name: name });
    clients.push(client);
    await client.connect();
    return client;
  };
  return { url, connectTo };
};

const appliedIn = async (client: pg.Client) =>
  (await client.query("select name from kysely_migration where name > '9' order by 1")).rows.map(
    ({ name }) => name,
  );

const indexesIn = async (client: pg.Client) =>
  (
    await client.query(
      `select indexrelid::regclass::text as name, indisvalid as valid from pg_index
       where indexrelid::regclass::text like 'planted_%' order by 1`,
    )
  ).rows;

/** Resolves when the migration says that it waits for another session. */
const untilBlocked = () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const tell = (line: string) => {
    if (line.includes("is waiting for")) resolve(line);
  };
  return { blocked: promise, tell };
};

// Long enough for the second connection to see the blocking session.
const lockTimeoutMs = patiently(300);
const hasty = {
  ...defaultPatience,
  lockTimeoutMs,
  quickAttempts: 0,
  attempts: 2,
  firstPauseMs: 10,
};

test("R6 gives up with the session that blocks a migration, and applies it when the session has ended", async () => {
  const { url, connectTo } = await newDatabase();
  const migrations = await withPlanted("alter table apps add column planted text");
  const blocker = await connectTo("night report");
  const { rows } = await blocker.query("select pg_backend_pid() as pid");
  await blocker.query("begin");
  await blocker.query("lock table apps in share mode");
  await expect(migrate(url, { migrations, patience: hasty })).rejects.toThrow(
    new RegExp(
      `^Migration 9000_planted is blocked by other sessions:
- pid ${rows[0].pid} \\(night report\\), idle in transaction, query started at 20.*Z: lock table apps in share mode
Run \`purser migrate\` again`,
    ),
  );
  expect(await appliedIn(blocker)).toEqual([]);
  await blocker.query("commit");
  expect((await migrate(url, { migrations, patience: hasty })).applied).toEqual(["9000_planted"]);
});

test("R6 tries again until the table is free", async () => {
  const { url, connectTo } = await newDatabase();
  const migrations = await withPlanted("alter table apps add column planted text");
  const blocker = await connectTo("night report");
  await blocker.query("begin");
  await blocker.query("lock table apps in share mode");
  const { blocked, tell } = untilBlocked();
  const patience = { ...hasty, attempts: 1000, pauseMaxMs: 10 };
  const migrating = migrate(url, { migrations, patience, tell });
  expect(await blocked).toMatch(
    /^Migration 9000_planted is waiting for:\n- pid \d+ \(night report/,
  );
  await blocker.query("commit");
  expect((await migrating).applied).toEqual(["9000_planted"]);
});

test("R6 a migration gives way to a request that it would deadlock with", async () => {
  const { url, connectTo } = await newDatabase();
  const gate = 4711;
  const migrations = await withPlanted(
    `lock table features in share row exclusive mode; select pg_advisory_xact_lock(${gate});
     alter table apps add column planted text`,
  );
  const [request, observer] = [await connectTo("request"), await connectTo("observer")];
  await request.query("begin");
  await request.query("lock table apps in row exclusive mode");
  await observer.query(`select pg_advisory_lock(${gate})`);
  const waits = `select from pg_locks where not granted
    and database = (select oid from pg_database where datname = current_database())`;
  const migrating = migrate(url, { migrations });
  await vi.waitFor(
    async () => expect((await observer.query(waits)).rowCount).toBeGreaterThan(0),
    patiently(10_000),
  );
  // It waits for the migration, which then waits for it. PostgreSQL would end the one that waits for a second first.
  const locking = request.query("lock table features in row exclusive mode");
  await observer.query(`select pg_advisory_unlock(${gate})`);
  await locking;
  await request.query("commit");
  expect((await migrating).applied).toEqual(["9000_planted"]);
});

test("R6 keeps the migrations before one that fails", async () => {
  const { url, connectTo } = await newDatabase();
  const good = "alter table apps add column planted text";
  const failing = "alter table apps add column other text; select 1 / 0";
  await expect(migrate(url, { migrations: await withPlanted(good, failing) })).rejects.toThrow(
    "Migration 9001_planted: division by zero",
  );
  const client = await connectTo("test");
  expect(await appliedIn(client)).toEqual(["9000_planted"]);
  await expect(client.query("select other from apps")).rejects.toThrow("does not exist");
  const corrected = await withPlanted(good, "alter table apps add column other text");
  expect((await migrate(url, { migrations: corrected })).applied).toEqual(["9001_planted"]);
});

test("R6 the previous release reads and writes a table that gets a column and an index", async () => {
  const { call, signIn, database, owner } = await testProduct();
  const admin = await signIn("admin");
  const seen: { status: number; ms: number }[] = [];
  const measure = async (request: Promise<{ status: number }>) => {
    const start = performance.now();
    const { status } = await request;
    seen.push({ status, ms: performance.now() - start });
  };
  const useApps = async (times: number) => {
    for (let time = 0; time < times; time += 1) {
      const code = `app-${seen.length}`;
      await measure(call(admin, createApp, { body: { code, name: "An app" } }));
      await measure(call(admin, listApps));
    }
  };
  // Prepares their statements, which must not depend on the columns of the table.
  await useApps(2);
  const column = "alter table apps add column planted text not null default ''";
  const index =
    "-- without transaction\ncreate index concurrently if not exists planted_name on apps (planted)";
  await migrate(database.url, { migrations: await withPlanted(column) });
  const writer = await owner.connect();
  await writer.query("begin");
  await writer.query("insert into apps (code, name) values ('slow', 'Slow')");
  const { blocked, tell } = untilBlocked();
  const migrations = await withPlanted(column, index);
  const patience = { ...defaultPatience, lockTimeoutMs: patiently(defaultPatience.lockTimeoutMs) };
  const migrating = migrate(database.url, { migrations, tell, patience });
  // The index waits for the writer. Nothing else may wait for the index.
  await blocked;
  await useApps(20);
  await writer.query("commit");
  writer.release();
  await migrating;
  expect(new Set(seen.map(({ status }) => status))).toEqual(new Set([200, 201]));
  // A request behind a statement that waits for its lock would wait at least two thirds of the timeout.
  expect(Math.max(...seen.map(({ ms }) => ms))).toBeLessThan(patience.lockTimeoutMs / 2);
  const { rows } = await owner.query(
    "select indisvalid from pg_index where indexrelid = 'planted_name'::regclass",
  );
  expect(rows).toEqual([{ indisvalid: true }]);
});

test("R6 continues a migration without a transaction after a crash, and replaces the unfinished index", async () => {
  const { url, connectTo } = await newDatabase();
  const migrations = await withPlanted(
    `-- without transaction
     create index concurrently if not exists planted_apps on apps (name);
     create unique index concurrently if not exists planted_features on features (name, id);`,
  );
  const [writer, observer] = [await connectTo("writer"), await connectTo("observer")];
  await writer.query("begin");
  await writer.query("lock table features in row exclusive mode");
  const { blocked, tell } = untilBlocked();
  const crashing = migrate(url, { migrations, tell });
  const crashed = expect(crashing).rejects.toThrow();
  await blocked;
  await observer.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'create unique index%'",
  );
  await crashed;
  expect(await appliedIn(observer)).toEqual([]);
  expect(await indexesIn(observer)).toEqual([
    { name: "planted_apps", valid: true },
    { name: "planted_features", valid: false },
  ]);
  await writer.query("commit");
  expect((await migrate(url, { migrations })).applied).toEqual(["9000_planted"]);
  expect(await indexesIn(observer)).toEqual([
    { name: "planted_apps", valid: true },
    { name: "planted_features", valid: true },
  ]);
});

test("R6 gives up an index build that waits for a transaction for too long", async () => {
  const { url, connectTo } = await newDatabase();
  const migrations = await withPlanted(
    "-- without transaction\ncreate index concurrently if not exists planted_name on apps (name)",
  );
  const writer = await connectTo("writer");
  await writer.query("begin");
  await writer.query("lock table apps in row exclusive mode");
  const patience = { ...hasty, concurrentTimeoutMs: 2 * lockTimeoutMs };
  await expect(migrate(url, { migrations, patience })).rejects.toThrow(
    /^Migration 9000_planted is blocked .*\n- pid \d+ \(writer/,
  );
});

test("R6 two processes that build an index don't wait for each other", async () => {
  const { url, connectTo } = await newDatabase();
  const migrations = await withPlanted(
    "-- without transaction\ncreate index concurrently if not exists planted_name on apps (name)",
    "alter table apps add column planted text",
  );
  const results = await Promise.all([migrate(url, { migrations }), migrate(url, { migrations })]);
  const applied = results.map((one) => one.applied).sort((one, other) => one.length - other.length);
  expect(applied).toEqual([[], ["9000_planted", "9001_planted"]]);
  expect(await indexesIn(await connectTo("test"))).toEqual([{ name: "planted_name", valid: true }]);
});

test("R6 the statement timeout of a role doesn't end a long migration", async () => {
  const { url, connectTo } = await newDatabase();
  const client = await connectTo("test");
  const { rows } = await client.query("select current_database() as name");
  await client.query(`alter database ${rows[0].name} set statement_timeout = 100`);
  const long = "select pg_sleep(0.3)";
  const migrations = await withPlanted(long, `-- without transaction\n${long}`);
  expect((await migrate(url, { migrations })).applied).toHaveLength(2);
});

test("R6 a migration waits for the backfill that it requires", async () => {
  const { url, connectTo } = await newDatabase();
  const migrations = await withPlanted(
    "-- backfill: planted-fill\nalter table apps add column planted text",
    "-- Why.\n-- requires backfill: planted-fill\nalter table apps add column other text",
  );
  const blocked = expect(migrate(url, { migrations })).rejects;
  await blocked.toThrow(
    "Migration 9001_planted requires a finished backfill: planted-fill. Run `purser migrate --backfills`, or",
  );
  const client = await connectTo("test");
  expect(await appliedIn(client)).toEqual(["9000_planted"]);
  await client.query("update backfills set finished_at = now()");
  expect(await migrate(url, { migrations })).toEqual({ applied: ["9001_planted"], waiting: [] });
});

test("R6 a new database needs no backfill", async () => {
  const url = new URL(inject("databaseServer"));
  url.pathname = `/purser_new_${process.pid}`;
  const admin = new pg.Client({ connectionString: inject("databaseServer") });
  await admin.connect();
  onTestFinished(async () => {
    await admin.query(`drop database if exists ${url.pathname.slice(1)} with (force)`);
    await admin.end();
  });
  const migrations = await withPlanted(
    "-- backfill: planted-fill\nselect 1",
    "-- requires backfill: planted-fill\nselect 1",
  );
  const { applied, waiting } = await migrate(url.href, { migrations });
  expect(applied).toHaveLength(migrations.length);
  expect(waiting).toEqual([]);
});

test("R6 refuses a late or missing migration, and accepts those of a newer version", async () => {
  const { url } = await newDatabase();
  const own = await readMigrations();
  const newer = { name: "9000_newer", text: "select 1" };
  await migrate(url, { migrations: [...own, newer] });
  expect((await migrate(url)).applied).toEqual([]);
  const late = { name: "8000_late", text: "select 1" };
  await expect(migrate(url, { migrations: [...own, late, newer] })).rejects.toThrow(
    "Migrations are applied in the order of their names. 9000_newer is applied already, so rename: 8000_late.",
  );
  await expect(migrate(url, { migrations: own.slice(1) })).rejects.toThrow(
    "The database has migrations that this version doesn't have: 0001_platform.",
  );
});

test("separates statements at semicolons outside of texts, names, functions and comments", () => {
  expect(
    splitStatements(`-- without transaction
      select 'a;''b', "c;d", e'\\';' /* e; */ ; -- f;
      create function g() returns text language sql as $body$ select $$;$$ $body$;;
      select $1`),
  ).toEqual([
    `select 'a;''b', "c;d", e'\\';'`,
    "create function g() returns text language sql as $body$ select $$;$$ $body$",
    "select $1",
  ]);
});
