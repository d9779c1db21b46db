import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { entityNames } from "@purser/contract/entities";
import pg from "pg";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { patiently } from "../patience.testing.ts";
import { childEnvironment, testConfig, testDatabase } from "../testing.ts";
import { audit } from "./audit.ts";
import { createOwner } from "./createOwner.ts";
import { seed } from "./seed.ts";
import { runHere } from "./testing.ts";

const main = fileURLToPath(new URL("../main.ts", import.meta.url));
const database = await testDatabase();
const client = new pg.Client({ connectionString: database.url });
await client.connect();
afterAll(async () => {
  await client.end();
  await database.drop();
});

const config = testConfig(database.url);
const environment = childEnvironment(config, {
  PORT: "0",
  LOG_LEVEL: "info",
  METRICS_PORT: "0",
});

/** A process of its own, for what only a process shows. */
const purser = (...words: string[]) =>
  promisify(execFile)(process.execPath, [main, ...words], { env: environment });

const seedHere = (...words: string[]) => runHere(config, seed, ...words);

/** A `serve` process, and the address it says it listens at. */
const startServe = async (...words: string[]) => {
  const child = spawn(process.execPath, [main, "serve", ...words], { env: environment });
  // A test that fails leaves no server behind.
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: string[] = [];
  child.stdout.on("data", (chunk) => lines.push(...String(chunk).split("\n")));
  child.stderr.on("data", (chunk) => lines.push(String(chunk)));
  const said = (pattern: RegExp) =>
    vi.waitFor(
      () => {
        const found = lines.map((line) => pattern.exec(line)?.[1]).find(Boolean);
        expect(found, lines.join("\n")).toBeDefined();
        return found ?? "";
      },
      { timeout: patiently(20_000) },
    );
  return { child, lines, said, address: await said(/Server listening at (http:[^"]+)/) };
};

const exitOf = async (child: ChildProcess) => {
  if (child.exitCode === null) await once(child, "exit");
  return child.exitCode;
};

test("--help names every command, and a wrong one is told what there is", async () => {
  const { stdout } = await purser("--help");
  for (const command of [
    "serve",
    "worker",
    "migrate",
    "seed",
    "create-owner",
    "audit verify",
    "catalogue diff",
  ])
    expect(stdout).toContain(command);
  await expect(purser("sell")).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no command "sell".'),
  });
  await expect(purser("seed", "--apps", "many")).rejects.toMatchObject({
    stderr: '--apps must be a whole number above 0, not "many".\n',
  });
});

test("a missing setting stops the process with a sentence", async () => {
  const failing = promisify(execFile)(process.execPath, [main, "serve"], {
    env: { PATH: environment.PATH },
  });
  await expect(failing).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^DATABASE_URL is missing\. /),
  });
});

test("create-owner prints a link that sets the first owner's password, once", async () => {
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

test("create-owner for who lost everything: in again as an owner, without the lost passkey and authenticator", async () => {
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

test("seed loads the demo once, and makes as many apps as asked for, all audited", async () => {
  const told = (apps: number, features: number, packages: number, customers: number) =>
    `Made ${apps} demo apps.\nMade ${features} demo features.\nMade ${packages} demo packages.\nMade ${customers} demo customers.\n`;
  const first = (await seedHere()).stdout;
  for (const name of entityNames) {
    const { rowCount } = await client.query(`select from ${name} limit 1`);
    expect(rowCount, `Add demo data of ${name} to seedDemo in compose.ts.`).toBe(1);
  }
  expect(first).toContain(told(12, 37, 6, 300));
  expect(first).toMatch(/\nMade 5 demo promotions and \d{4} demo transactions\.\n$/);
  expect((await seedHere()).stdout).toBe(
    `${told(0, 0, 0, 0)}Made 0 demo promotions and 0 demo transactions.\n`,
  );
  await seedHere("--apps", "1000");
  await seedHere("--apps", "500");
  const { rows } = await client.query(`
    select (select count(*)::int from apps) as apps,
      (select count(*)::int from audit_entries where entity = 'apps' and actor_name = 'seed') as audited,
      (select count(distinct status)::int from apps where code like 'bulk-%') as statuses`);
  expect(rows).toEqual([{ apps: 1512, audited: 1512, statuses: 3 }]);
  const { rows: features } = await client.query(`
    select count(distinct app_id)::int as apps, count(distinct kind)::int as kinds,
      count(distinct status)::int as statuses,
      (select count(*)::int from audit_entries where entity = 'features' and actor_name = 'seed') as audited
    from features`);
  expect(features).toEqual([{ apps: 12, kinds: 4, statuses: 3, audited: 37 }]);
});

test("seed makes as many customers and rights as asked for, one package with holders of four versions", async () => {
  const { stdout } = await seedHere("--users", "2000", "--holders", "400", "--grants", "3000");
  expect(stdout).toContain("2,000 of 2,000 people\n");
  await seedHere("--users", "100");
  const { rows } = await client.query(`
    select count(*)::int as grants, count(distinct g.user_id)::int as people,
      count(distinct g.package_id)::int as packages, count(g.subscription_id)::int as holders,
      count(distinct g.version_id) filter (where g.subscription_id is not null)::int as versions,
      count(distinct s.price_id)::int as prices,
      bool_and(price.version_id = s.version_id) as bought,
      bool_and(g.starts_at <= now() and g.ends_at > now()) filter (where s.id is not null) as held
    from users u join grants g on g.user_id = u.id left join subscriptions s on s.id = g.subscription_id
    left join version_prices price on price.id = s.price_id
    where u.email like 'many-%'`);
  expect(rows).toEqual([
    {
      grants: 3150,
      people: 2100,
      packages: 12,
      holders: 420,
      versions: 4,
      prices: 32,
      bought: true,
      held: true,
    },
  ]);
  const { rows: audited } = await client.query(`
    select entity, count(*)::int from audit_entries e
    where actor_name = 'seed' and record_id in (
      select id from users where email like 'many-%'
      union select s.id from subscriptions s join users u on u.id = s.user_id where u.email like 'many-%'
    ) group by entity order by entity`);
  expect(audited).toEqual([
    { entity: "subscriptions", count: 420 },
    { entity: "users", count: 2100 },
  ]);
});

test("seed says what of its numbers does not fit", async () => {
  const refusal = async (...words: string[]) => (await seedHere(...words)).stderr.trim();
  expect(await refusal("--users", "10", "--holders", "11")).toBe(
    "--holders must not be above --users.",
  );
  expect(await refusal("--users", "10", "--holders", "5", "--grants", "4")).toBe(
    "--grants must not be below --holders.",
  );
  expect(await refusal("--grants", "4")).toContain("need --users");
});

test("audit verify says that all is well, and names what is not", async () => {
  expect((await runHere(config, audit, "verify")).stdout).toMatch(
    /^Every entry of the audit log is in place\.\n(Seal \d+ ends in [0-9a-f]{64}\. .*\n)?$/,
  );
  await client.query("update audit_entries set reason = 'forged' where id = 3");
  await expect(purser("audit", "verify")).rejects.toMatchObject({
    code: 1,
    stderr: "The audit log does not add up: an entry was altered (3).\n",
  });
});

test("probes and metrics: alive, ready, and numbers at a port of their own", async () => {
  const { child, address, said } = await startServe();
  expect(await (await fetch(`${address}/healthz`)).json()).toEqual({ status: "ok" });
  expect(await (await fetch(`${address}/readyz`)).json()).toEqual({
    status: "ready",
    database: "ok",
    migrations: "ok",
    redis: "ok",
  });
  const metricsAddress = await said(/Metrics at (http:[^"]+)/);
  const metrics = await (await fetch(metricsAddress)).text();
  expect(metrics).toMatch(
    /purser_http_request_seconds_count\{method="GET",route="\/readyz",status="200"\} 1/,
  );
  expect((await fetch(`${address}/metrics`)).status).toBe(404);
  child.kill("SIGTERM");
  expect(await exitOf(child)).toBe(0);
});

test("not ready while a migration is missing", async () => {
  await client.query("update kysely_migration set name = '0000_gone' where name = '0003_apps'");
  const { child, address } = await startServe();
  const ready = await fetch(`${address}/readyz`);
  expect(ready.status).toBe(503);
  expect(await ready.json()).toMatchObject({ status: "not ready", migrations: "failed" });
  await client.query("update kysely_migration set name = '0003_apps' where name = '0000_gone'");
  child.kill("SIGTERM");
  await exitOf(child);
});

test("SIGTERM finishes the request in flight, then ends with 0", async () => {
  const { child, address } = await startServe();
  // The request waits for this lock, so it is surely in flight when the signal comes.
  await client.query("begin; lock table users in access exclusive mode");
  const signIn = fetch(`${address}/api/session`, {
    method: "POST",
    headers: { origin: "http://localhost:3000", "content-type": "application/json" },
    body: JSON.stringify({
      email: "first@example.com",
      password: "quiet lantern over seven harbours",
    }),
  });
  await vi.waitFor(async () => {
    // Within a transaction the same activity would be shown again and again.
    await client.query("select pg_stat_clear_snapshot()");
    const { rows } = await client.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    expect(rows).toHaveLength(1);
  }, patiently(10_000));
  child.kill("SIGTERM");
  await vi.waitFor(() => expect(fetch(`${address}/healthz`)).rejects.toThrow(), patiently(10_000));
  await client.query("commit");
  expect((await signIn).status).toBe(200);
  expect(await exitOf(child)).toBe(0);
});
