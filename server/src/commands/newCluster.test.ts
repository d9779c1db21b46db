import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { expect, test } from "vitest";
import { patiently } from "../patience.testing.ts";
import { isNightly } from "../runs.testing.ts";
import { atEnd, testConfig, testDatabase } from "../testing.ts";
import { backup } from "./backup.ts";
import { startCluster } from "./cluster.testing.ts";
import { toolEnvironment } from "./postgresTools.ts";
import { restore } from "./restore.ts";
import { runHere } from "./testing.ts";

// Only nightly: it creates a cluster. The gate restores into a new database of the same one (backup.test.ts).
test.runIf(isNightly)(
  "R9 a backup is restored on a cluster that has no role purser_app, by a login that isn't a superuser",
  async () => {
    const database = await testDatabase();
    atEnd(database.drop);
    const folder = await mkdtemp(join(tmpdir(), "purser-backup-"));
    atEnd(() => rm(folder, { recursive: true }));
    const file = join(folder, "purser.dump");
    expect(await runHere(testConfig(database.url), backup, file)).toMatchObject({ code: 0 });

    const admin = new URL(await startCluster());
    const server = new URL(admin.href);
    server.pathname = "/postgres";
    const client = new pg.Client({ connectionString: server.href });
    await client.connect();
    await client.query("create role purser_owner login createrole createdb");
    await client.query("create database plain");
    await client.end();

    // What an operator would do without the command.
    const plain = promisify(execFile)("pg_restore", ["--no-owner", "--dbname=plain", "-e", file], {
      env: { ...process.env, ...toolEnvironment(admin.href) },
    });
    await expect(plain).rejects.toThrow(/role "purser_app" does not exist/);

    admin.username = "purser_owner";
    const restored = await runHere(testConfig(admin.href), restore, file);
    expect(restored).toMatchObject({ code: 0, stderr: "" });
    expect(restored.stdout).toMatch(/^Created the role purser_app\.\nRestored \d+ tables, /);
    expect(restored.stdout).toContain("The audit log is intact.\n");
    expect(restored.stdout).toContain("The ledger is correct.\n");
  },
  patiently(120_000),
);
