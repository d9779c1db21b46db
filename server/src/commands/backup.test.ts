import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { atEnd, testConfig, testDatabase } from "../testing.ts";
import { ensureAppRole } from "./appRole.ts";
import { backup } from "./backup.ts";
import { grantees } from "./backupFile.ts";
import { toolEnvironment } from "./postgresTools.ts";
import { restore } from "./restore.ts";
import { runBare, runHere } from "./testing.ts";

const database = await testDatabase();
const folder = await mkdtemp(join(tmpdir(), "purser-backup-"));
const client = new pg.Client({ connectionString: database.url });
await client.connect();
await client.query(
  "insert into users (email, name, role, status) values ('ada@example.com', 'Ada', 'owner', 'active')",
);
await client.query("insert into apps (code, name) values ('harbor', 'Harbor'), ('pilot', 'Pilot')");
afterAll(async () => {
  await client.end();
  await database.drop();
  await rm(folder, { recursive: true });
});

const config = testConfig(database.url);
const file = join(folder, "purser.dump");

/** The URL of a database that doesn't exist yet. It is dropped at the end of the test. */
const newDatabase = () => {
  const url = new URL(database.url);
  const name = `purser_test_${randomBytes(6).toString("hex")}`;
  url.pathname = `/${name}`;
  atEnd(async () => {
    await client.query(`drop database if exists ${name} with (force)`);
  });
  return url.href;
};

const contents = async (url: string) => {
  const other = new pg.Client({ connectionString: url });
  await other.connect();
  const { rows } = await other.query(
    `select (select json_agg(a order by a.id) from apps a) as apps,
       (select json_agg(e order by e.id) from audit_entries e) as audit,
       (select array_agg(name order by name) from kysely_migration) as migrations,
       has_table_privilege('purser_app', 'apps', 'update') as granted,
       has_database_privilege('purser_app', current_database(), 'temporary') as temporary`,
  );
  await other.end();
  return rows[0];
};

test("R9 a backup is restored into a new database, with the same rows and privileges", async () => {
  const written = await runHere(config, backup, file);
  expect(written).toMatchObject({ code: 0, stderr: "" });
  const counted = /: [\d.,]+ MB, (\d+ tables, [\d,]+ rows), newest migration (\w+)\.\n/.exec(
    written.stdout,
  );
  expect(counted, written.stdout).not.toBeNull();
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(["purser.dump"]);

  const url = newDatabase();
  const restored = await runHere(testConfig(url), restore, file);
  expect(restored).toMatchObject({ code: 0, stderr: "" });
  expect(restored.stdout).toContain(`Restored ${counted?.[1]}.\n`);
  expect(restored.stdout).toContain("The audit log is intact.\n");
  expect(restored.stdout).toContain("The ledger is correct.\n");
  expect(restored.stdout).toMatch(/Next: purser doctor\.\n$/);
  const [before, after] = [await contents(database.url), await contents(url)];
  // The original is a copy of a template, which has no privileges of its own.
  expect(after).toEqual({ ...before, temporary: false });
  expect(after).toMatchObject({ granted: true });

  // A second time would mix two installations.
  expect(await runHere(testConfig(url), restore, file)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^The database purser_test_\w+ already has tables\. Restore into/,
    ),
  });
});

test("an existing file is only replaced with --force, and a failed backup leaves none", async () => {
  const taken = join(folder, "taken.dump");
  await writeFile(taken, "kept");
  expect(await runHere(config, backup, taken)).toMatchObject({
    code: 1,
    stderr: `${taken} already exists. Choose another name, or add --force.\n`,
  });
  expect(await readFile(taken, "utf8")).toBe("kept");
  const replaced = await runHere(config, backup, taken, "--force");
  expect(replaced).toMatchObject({ code: 0, stderr: "" });
  expect(await readFile(taken, "utf8")).not.toBe("kept");

  const without = await runBare({ PATH: folder }, (options) => backup(config, options), `${file}2`);
  expect(without).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^pg_dump isn't installed\. .* apt install postgresql-client-\d+\n$/,
    ),
  });
  expect((await readdir(folder)).filter((name) => /2|partial/.test(name))).toEqual([]);
});

test("a file that isn't a backup, or is one of a newer release, is refused", async () => {
  const url = newDatabase();
  const target = testConfig(url);
  expect(await runHere(target, restore, join(folder, "gone"))).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/gone doesn't exist\.\n$/),
  });
  const other = join(folder, "other.dump");
  await writeFile(other, "no dump");
  expect(await runHere(target, restore, other)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^pg_restore failed\.\n/),
  });

  await client.query("insert into kysely_migration values ('9999_later', now())");
  await runHere(config, backup, join(folder, "later.dump"));
  await client.query("delete from kysely_migration where name = '9999_later'");
  expect(await runHere(target, restore, join(folder, "later.dump"))).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/that this one doesn't have: 9999_later\. Restore it with/),
  });
});

test("a file that can't be restored leaves no database behind, but keeps one that existed", async () => {
  const url = newDatabase();
  const name = new URL(url).pathname.slice(1);
  const exists = async () =>
    (await client.query("select from pg_database where datname = $1", [name])).rowCount === 1;
  const damaged = join(folder, "damaged.dump");
  await runHere(config, backup, damaged);
  // Its table of contents is still readable.
  await truncate(damaged, Math.floor((await stat(damaged)).size / 2));
  expect(await runHere(testConfig(url), restore, damaged)).toMatchObject({ code: 1 });
  expect(await exists()).toBe(false);
  await client.query(`create database ${name}`);
  expect(await runHere(testConfig(url), restore, damaged)).toMatchObject({ code: 1 });
  expect(await exists()).toBe(true);
});

test("R9 the role of the application is created if it is missing", async () => {
  const role = `purser_test_role_${randomBytes(4).toString("hex")}`;
  atEnd(async () => {
    await client.query(`drop role if exists ${role}`);
  });
  expect(await ensureAppRole(client, role)).toEqual({ isNew: true });
  expect(await ensureAppRole(client, role)).toEqual({ isNew: false });
  const { rows } = await client.query(
    `select rolcanlogin as login, rolinherit, pg_has_role(current_user, oid, 'member') as member
     from pg_roles where rolname = $1`,
    [role],
  );
  expect(rows).toEqual([{ login: false, rolinherit: true, member: true }]);
});

test("the roles of a backup are read from its grants", () => {
  const schema = `GRANT USAGE ON SCHEMA public TO purser_app;
GRANT SELECT ON TABLE public.apps TO "Reports ""daily""" WITH GRANT OPTION;
GRANT SELECT(id,name) ON TABLE public.apps TO purser_app;
GRANT ALL ON FUNCTION public.f() TO PUBLIC;
COPY public.notes FROM stdin;`;
  expect(grantees(schema)).toEqual(['Reports "daily"', "purser_app"]);
});

test("PostgreSQL's tools get the connection and its password as variables", () => {
  expect(
    toolEnvironment("postgres://ada:p%40ss@db.example.com:6432/pur%20ser?sslmode=no-verify"),
  ).toEqual({
    PGHOST: "db.example.com",
    PGPORT: "6432",
    PGUSER: "ada",
    PGPASSWORD: "p@ss",
    PGDATABASE: "pur ser",
    PGSSLMODE: "require",
  });
  expect(toolEnvironment("postgres:///purser?host=/run/postgresql&user=ada")).toEqual({
    PGHOST: "/run/postgresql",
    PGUSER: "ada",
    PGDATABASE: "purser",
  });
  expect(toolEnvironment("postgres://[::1]/purser")["PGHOST"]).toBe("::1");
});
