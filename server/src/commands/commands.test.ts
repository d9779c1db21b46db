import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import pg from "pg";
import { afterAll, expect, test, vi } from "vitest";
import { patiently } from "../patience.testing.ts";
import { childEnvironment, testConfig, testDatabase } from "../testing.ts";
import { audit } from "./audit.ts";
import { createOwner } from "./createOwner.ts";
import { exitOf, listening, main, runHere, startProcess } from "./testing.ts";

const database = await testDatabase();
const client = new pg.Client({ connectionString: database.url });
await client.connect();
afterAll(async () => {
  await client.end();
  await database.drop();
});

const config = testConfig(database.url);
const environment = childEnvironment(config, {
  // Used as a public address. Metrics stay on 127.0.0.1.
  HOST: "127.0.0.2",
  PORT: "0",
  LOG_LEVEL: "info",
  METRICS_PORT: "0",
});

/** Runs the command in its own process, for behavior that only a process has. */
const purser = (...words: string[]) =>
  promisify(execFile)(process.execPath, [main, ...words], { env: environment });

/** A `serve` process and the address it logs. */
const startServe = async (...words: string[]) => {
  const started = startProcess(["serve", ...words], environment);
  return { ...started, address: await started.said(listening) };
};

test("--help lists every command, and an unknown one is refused", async () => {
  const { stdout } = await purser("--help");
  for (const command of [
    "serve",
    "worker",
    "migrate",
    "seed",
    "create-owner",
    "audit verify",
    "audit keep",
    "subscribers recount",
    "catalog diff",
  ])
    expect(stdout).toContain(command);
  const readme = await readFile(new URL("../../../README.md", import.meta.url), "utf8");
  const all = [...stdout.matchAll(/^ {2}([a-z-]+(?: [a-z]+)?)/gm)].map(
    ([, command = ""]) => command,
  );
  expect(all.length).toBeGreaterThan(10);
  const named = (command: string) =>
    [command, command.split(" ")[0]].some((words) => readme.includes(`\`${words}\``));
  expect(all.filter((command) => !named(command))).toEqual([]);
  await expect(purser("sell")).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Unknown command "sell".'),
  });
  await expect(purser("seed", "--apps", "many")).rejects.toMatchObject({
    stderr: '--apps must be a positive whole number, not "many".\n',
  });
});

test("a missing variable stops the process with a message", async () => {
  const failing = promisify(execFile)(process.execPath, [main, "serve"], {
    env: { PATH: environment.PATH },
  });
  await expect(failing).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^DATABASE_URL is missing\. /),
  });
});

test("create-owner prints a one-time link that sets the first owner's password", async () => {
  const { stdout } = await purser(
    "create-owner",
    "--email",
    "First@Example.com",
    "--name",
    "First",
  );
  const token = /#set-password=([\w-]{43})$/m.exec(stdout)?.[1];
  const { child, address } = await startServe();
  const set = (password: string) =>
    fetch(`${address}/api/password/set`, {
      method: "POST",
      headers: { origin: "http://localhost:3000", "content-type": "application/json" },
      body: JSON.stringify({ token, password }),
    });
  expect((await set("quiet lantern over seven harbours")).status).toBe(204);
  expect((await set("quiet lantern over eight harbours")).status).toBe(410);
  const { rows } = await client.query(
    "select role, status from users where email = 'first@example.com'",
  );
  expect(rows).toEqual([{ role: "owner", status: "active" }]);
  child.kill("SIGTERM");
  expect(await exitOf(child)).toBe(0);
});

test("create-owner restores an owner and removes the lost passkey and authenticator", async () => {
  const { rows } = await client.query<{ id: string }>(
    `insert into users (email, name, role, status)
     values ('lost@example.com', 'Lost', 'viewer', 'suspended') returning id`,
  );
  const id = rows[0]?.id;
  await client.query("insert into authenticators values ($1, '', now())", [id]);
  await client.query(
    `insert into passkeys (user_id, name, credential_id, public_key, counter, transports, created_at)
     values ($1, 'Lost', 'lost', '', 0, '{}', now())`,
    [id],
  );
  await runHere(config, createOwner, "--email", "lost@example.com", "--name", "Lost");
  const left = await client.query(
    `select u.role, u.status, (select count(*)::integer from passkeys where user_id = u.id) as passkeys,
       (select count(*)::integer from authenticators where id = u.id) as authenticators,
       (select purpose from links where user_id = u.id) as link
     from users u where id = $1`,
    [id],
  );
  expect(left.rows).toEqual([
    { role: "owner", status: "active", passkeys: 0, authenticators: 0, link: "operator" },
  ]);
});

test("audit verify passes for an intact log and names an altered entry", async () => {
  expect((await runHere(config, audit, "verify")).stdout).toMatch(
    /^The audit log is intact\.\n(Hash of seal \d+: [0-9a-f]{64}\. .*\n)?$/,
  );
  await client.query("update audit_entries set reason = 'forged' where id = 3");
  await expect(purser("audit", "verify")).rejects.toMatchObject({
    code: 1,
    stderr: "Audit log verification failed. Entry 3 was altered.\n",
  });
});

test("D13 serves probes, and metrics on a separate port that isn't public", async () => {
  const { child, address, said } = await startServe();
  expect(await (await fetch(`${address}/healthz`)).json()).toEqual({ status: "ok" });
  expect(await (await fetch(`${address}/readyz`)).json()).toEqual({
    status: "ready",
    database: "ok",
    migrations: "ok",
    redis: "ok",
  });
  const metricsAddress = new URL(await said(/Metrics at (http:[^"]+)/));
  expect([new URL(address).hostname, metricsAddress.hostname]).toEqual(["127.0.0.2", "127.0.0.1"]);
  await expect(fetch(`http://127.0.0.2:${metricsAddress.port}/metrics`)).rejects.toThrow();
  const metrics = await (await fetch(metricsAddress)).text();
  expect(metrics).toMatch(
    /purser_http_request_seconds_count\{method="GET",route="\/readyz",status="200"\} 1/,
  );
  expect((await fetch(`${address}/metrics`)).status).toBe(404);
  child.kill("SIGTERM");
  expect(await exitOf(child)).toBe(0);
});

test("is not ready while a migration is missing", async () => {
  await client.query("update kysely_migration set name = '0000_gone' where name = '0003_apps'");
  const { child, address } = await startServe();
  const ready = await fetch(`${address}/readyz`);
  expect(ready.status).toBe(503);
  expect(await ready.json()).toMatchObject({ status: "not ready", migrations: "failed" });
  await client.query("update kysely_migration set name = '0003_apps' where name = '0000_gone'");
  child.kill("SIGTERM");
  await exitOf(child);
});

/** Until one statement waits for the lock that this test holds. */
const oneWaits = () =>
  vi.waitFor(async () => {
    // A transaction caches statistics until the snapshot is cleared.
    await client.query("select pg_stat_clear_snapshot()");
    const { rows } = await client.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    expect(rows).toHaveLength(1);
  }, patiently(10_000));

const signInAt = (address: string) =>
  fetch(`${address}/api/session`, {
    method: "POST",
    headers: { origin: "http://localhost:3000", "content-type": "application/json" },
    body: JSON.stringify({
      email: "first@example.com",
      password: "quiet lantern over seven harbours",
    }),
  });

test("SIGTERM finishes the request in flight and exits with 0", async () => {
  const { child, address } = await startServe();
  // The request waits for this lock, so it is in flight when the signal arrives.
  await client.query("begin; lock table users in access exclusive mode");
  const signIn = signInAt(address);
  await oneWaits();
  child.kill("SIGTERM");
  await vi.waitFor(() => expect(fetch(`${address}/healthz`)).rejects.toThrow(), patiently(10_000));
  await client.query("commit");
  expect((await signIn).status).toBe(200);
  expect(await exitOf(child)).toBe(0);
});

test("R2 a stream that is requested before SIGTERM and begins after it delays no exit", async () => {
  const { child, address } = await startServe();
  const cookie = (await signInAt(address)).headers.get("set-cookie")?.split(";")[0] ?? "";
  await client.query("begin; lock table sessions in access exclusive mode");
  const stream = fetch(`${address}/api/events`, { headers: { cookie } });
  await oneWaits();
  child.kill("SIGTERM");
  await vi.waitFor(() => expect(fetch(`${address}/healthz`)).rejects.toThrow(), patiently(10_000));
  await client.query("commit");
  expect(await (await stream).text()).toBe(": connected\n\n");
  expect(await exitOf(child)).toBe(0);
});

test("audit keep sets how many months are kept, and back to forever", async () => {
  const kept = async () =>
    (await client.query("select months from audit_retention")).rows.map(({ months }) => months);
  const keep = (...words: string[]) => runHere(config, audit, "keep", ...words);
  expect(await keep("24")).toEqual({
    code: 0,
    stdout: "The audit log is kept for 24 months. Older months are removed every night.\n",
    stderr: "",
  });
  expect(await kept()).toEqual([24]);
  for (const wrong of [[], ["0"], ["1.5"], ["1201"], ["never"]])
    expect(await keep(...wrong)).toMatchObject({
      code: 1,
      stderr: "Usage: purser audit keep <1 to 1200 months>|forever.\n",
    });
  expect(await kept()).toEqual([24]);
  expect(await keep("forever")).toMatchObject({
    code: 0,
    stdout: "The audit log is kept forever.\n",
  });
  expect(await kept()).toEqual([null]);
  const { rows } = await client.query(
    "select actor_name from audit_entries where entity = 'audit_retention' order by id desc limit 2",
  );
  expect(rows).toEqual(Array(2).fill({ actor_name: "purser audit keep" }));
});
