import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import pg from "pg";
import { expect, inject, test } from "vitest";
import { migrateCommand } from "../../commands/migrate.ts";
import { runHere } from "../../commands/testing.ts";
import { compose } from "../../compose.ts";
import { samplesIn } from "../../docs.testing.ts";
import { patiently } from "../../patience.testing.ts";
import { atEnd, testConfig } from "../../testing.ts";

const page = readFileSync(new URL("../../../../docs/operations.md", import.meta.url), "utf8");
const sample = samplesIn(page).find(
  ({ heading, language }) => heading === "Database roles" && language === "sql",
);

/** The statements for a database and roles of this test, because the cluster is the one of all tests. */
const statementsFor = (suffix: string) =>
  (sample?.code ?? "")
    .replaceAll(/--.*$/gm, "")
    .replaceAll(/\bpurser_(?:owner|login)\b|(?<=database )purser\b/g, `$&_${suffix}`)
    .split(";")
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");

const urlOf = (login: string, database: string) => {
  const url = new URL(inject("databaseServer"));
  url.username = login;
  url.password = "…";
  url.pathname = `/${database}`;
  return url.href;
};

test(
  "D15 the SQL of the documentation makes an owner that can migrate and a login that Purser accepts",
  async () => {
    const suffix = randomBytes(6).toString("hex");
    const [owner, login, database] = ["owner", "login", ""].map((name) =>
      ["purser", name, suffix].filter(Boolean).join("_"),
    ) as [string, string, string];
    const admin = new pg.Client({ connectionString: inject("databaseServer") });
    await admin.connect();
    atEnd(async () => {
      await admin.query(`drop database if exists ${database} with (force)`);
      for (const role of [login, owner]) await admin.query(`drop role if exists ${role}`);
      await admin.end();
    });
    const [createOwner = "", createDatabase = "", createLogin = "", ...others] =
      statementsFor(suffix);
    expect(others).toEqual([]);

    await admin.query(createOwner);
    await admin.query(createDatabase);
    const config = testConfig(urlOf(login, database), {
      MIGRATION_DATABASE_URL: urlOf(owner, database),
      // Purser accepts any login on localhost.
      PUBLIC_URL: "https://purser.example.com",
    });
    const migrated = await runHere(
      config,
      migrateCommand(async () => []),
    );
    expect(migrated.code, migrated.stderr).toBe(0);

    await admin.query(createLogin);
    const { close } = await compose(config, { name: "test", works: false });
    await close();
  },
  patiently(60_000),
);
