import { randomBytes } from "node:crypto";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { runMigrations } from "../commands/migrate.ts";
import { runHere } from "../commands/testing.ts";
import { ConfigError } from "../config.ts";
import { dropDatabase } from "../platform/db/migrate.ts";
import { installTestClock } from "../platform/testMode/install.ts";
import { testConfig, testDatabase } from "../testing.ts";

const newDatabase = async () => {
  const database = await testDatabase();
  onTestFinished(database.drop);
  return database.url;
};

const nextTo = (url: string) =>
  Object.assign(new URL(url), { pathname: `/purser_test_${randomBytes(6).toString("hex")}` }).href;

const ask = async (url: string, text: string) => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
};

const isTest = async (url: string) => (await ask(url, "select from test_clock")).length > 0;

/** The same database by another name. */
const respelled = (url: string) => {
  const other = new URL(url);
  other.searchParams.set("application_name", "other");
  return other.href;
};

test("migrate creates the database of test mode and gives it its clock", async () => {
  const live = await newDatabase();
  const other = nextTo(live);
  const config = testConfig(live, { TEST_MODE_DATABASE_URL: other });
  expect(await runHere(config, runMigrations)).toMatchObject({ code: 0 });
  onTestFinished(() => dropDatabase(other));
  expect([await isTest(live), await isTest(other)]).toEqual([false, true]);
  // The second run finds nothing to do, also when test mode is in use.
  await ask(other, "insert into users (email, name) values ('ann@example.com', 'Ann')");
  expect(await runHere(config, runMigrations)).toMatchObject({ code: 0 });
});

test("migrate doesn't convert the live database, however the URL of test mode is written", async () => {
  const live = await newDatabase();
  const config = testConfig(live, {
    TEST_MODE_DATABASE_URL: nextTo(live),
    TEST_MODE_MIGRATION_DATABASE_URL: respelled(live),
  });
  const ran = await runHere(config, runMigrations);
  expect(ran).toMatchObject({ code: 2, stdout: expect.stringContaining("is the live one") });
  expect(await isTest(live)).toBe(false);
  const same = { TEST_MODE_DATABASE_URL: nextTo(live), TEST_MODE_MIGRATION_DATABASE_URL: live };
  expect(() => testConfig(live, same)).toThrow(ConfigError);
});

test.each([
  "insert into users (email, name) values ('ann@example.com', 'Ann')",
  "insert into apps (code, name) values ('harbor', 'Harbor')",
])("a database in use doesn't get a test clock: %s", async (insert) => {
  const used = await newDatabase();
  await ask(used, insert);
  await expect(installTestClock(used)).rejects.toThrow("has data of live mode");
  expect(await isTest(used)).toBe(false);
});

test("migrate without the database of test mode updates live, and exits with 2", async () => {
  const live = await newDatabase();
  const config = testConfig(live, { TEST_MODE_DATABASE_URL: "postgres://127.0.0.1:1/purser_test" });
  const { code, stdout } = await runHere(config, runMigrations);
  expect(code).toBe(2);
  expect(stdout).toContain("The live database is up to date. Test mode wasn't migrated.");
  expect(stdout).toContain("Check TEST_MODE_DATABASE_URL and TEST_MODE_MIGRATION_DATABASE_URL");
});
