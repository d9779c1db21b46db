import { randomBytes, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { createApp, exportApps, listApps } from "@purser/contract/apps/endpoints";
import pg from "pg";
import { afterAll, expect, inject, test, vi } from "vitest";
import { explanationOf } from "../../commands/explanations.ts";
import { compose } from "../../compose.ts";
import { samplesIn } from "../../docs.testing.ts";
import { type TestProduct, testConfig, testDatabase, testProduct } from "../../testing.ts";
import { housekeeping } from "../jobs/housekeeping.ts";
import { cancelStatement } from "./cancel.ts";
import { connect, run } from "./db.ts";
import { startBouncer } from "./pgbouncer.testing.ts";

const admin = new pg.Pool({ connectionString: inject("databaseServer"), max: 2 });
const logins: string[] = [];
// After the products of this file, whose logins they are.
afterAll(async () => {
  for (const login of logins) await admin.query(`drop role ${login}`);
  await admin.end();
});

const page = readFileSync(new URL("../../../../docs/operations.md", import.meta.url), "utf8");
const settings =
  samplesIn(page).find(({ heading, language }) => heading === "PgBouncer" && language === "sql")
    ?.code ?? "";

/** Runs the SQL of the documentation for this login. */
const setLimits = async (login: string) => {
  await admin.query(settings.replaceAll("purser_login", login));
};

const setLimit = async (login: string, name: string, value: string) => {
  await admin.query(`alter role ${login} set ${name} = '${value}'`);
};

const makeLogin = async (attributes = "in role purser_app") => {
  const login = `purser_login_${randomBytes(6).toString("hex")}`;
  await admin.query(`create role ${login} login ${attributes}`);
  logins.push(login);
  return login;
};

const behindBouncer = async (mode: "session" | "transaction", works = false) => {
  const login = await makeLogin();
  if (mode === "transaction") await setLimits(login);
  const product = await testProduct({
    works,
    environment: async (databaseUrl) => ({
      DATABASE_URL: await startBouncer({ mode, login, databaseUrl }),
      MIGRATION_DATABASE_URL: databaseUrl,
      DATABASE_POOLING: mode,
    }),
  });
  return { ...product, login };
};

const effectiveSettings = async ({ pool }: { pool: pg.Pool }) => {
  const { rows } = await pool.query(
    `select current_user as role, current_setting('statement_timeout') as statement,
       current_setting('lock_timeout') as lock where $1`,
    [true],
  );
  return rows[0];
};

const useProduct = async ({ call, signIn, platform, product, owner }: TestProduct) => {
  const member = await signIn("admin");
  const key = randomUUID();
  const created = await Promise.all(
    Array.from({ length: 20 }, () =>
      call(member, createApp, { key, body: { code: "harbor", name: "Harbor" } }),
    ),
  );
  expect(created.filter(({ status }) => status === 201).length).toBeGreaterThan(0);
  const lists = await Promise.all(
    Array.from({ length: 20 }, () =>
      call(member, listApps, { query: { f: "code:is:harbor", count: "exact" } }),
    ),
  );
  expect(lists.map(({ body }) => body.total)).toEqual(
    lists.map(() => ({ count: 1, kind: "exact" })),
  );
  const file = await call(member, exportApps, { query: { format: "csv", columns: "code" } });
  expect(file.text).toBe("code\r\nharbor\r\n");
  await product.work();
  const job = housekeeping.find(({ name }) => name === "forget-idempotency-keys");
  if (!job) throw new Error("There is no such job.");
  await platform.queues.enqueueIn(platform.db)(job, {});
  const done = "select from pgboss.job where name = $1 and state = 'completed'";
  await vi.waitFor(
    async () => expect((await owner.query(done, [job.name])).rowCount).toBe(1),
    10_000,
  );
};

test("D15 works behind PgBouncer in session mode", async () => {
  const product = await behindBouncer("session", true);
  const { checks, reads } = product.platform.pools;
  const common = { role: "purser_app", lock: "4s" };
  expect(await effectiveSettings(checks)).toEqual({ ...common, statement: "5s" });
  expect(await effectiveSettings(reads)).toEqual({ ...common, statement: "2s" });
  await useProduct(product);
});

test("D15 works behind PgBouncer in transaction mode, with more connections than PgBouncer has", async () => {
  const product = await behindBouncer("transaction", true);
  const { checks, reads } = product.platform.pools;
  const common = { role: "purser_app", lock: "4s" };
  expect(await effectiveSettings(checks)).toEqual({ ...common, statement: "5s" });
  expect(await effectiveSettings(reads)).toEqual({ ...common, statement: "2s" });
  await useProduct(product);
});

const startWith = async (login: string, mode: "session" | "transaction") => {
  const database = await testDatabase();
  const url = await startBouncer({ mode, login, databaseUrl: database.url });
  const config = testConfig(database.url, {
    DATABASE_URL: url,
    MIGRATION_DATABASE_URL: database.url,
    DATABASE_POOLING: "transaction",
  });
  const started = compose(config, { name: "test", works: false });
  const error = await started.then(
    async ({ close }) => {
      await close();
      return null;
    },
    (reason: Error) => reason,
  );
  await database.drop();
  return error?.message;
};

test("D15 refuses to start with the privileges of the login", async () => {
  expect(await startWith(await makeLogin(), "transaction")).toMatch(
    /does not use this database connection: the role is purser_login_\w+ instead of purser_app, .*statement_timeout is not between 1 and 5000 ms/,
  );
});

test("D15 refuses to start as a superuser and owner of the tables", async () => {
  const login = await makeLogin("superuser");
  await setLimits(login);
  await setLimit(login, "role", "none");
  expect(await startWith(login, "transaction")).toMatch(
    /the role is \w+ instead of purser_app, the role has attributes such as superuser, the role owns tables/,
  );
});

/** Starts the product with a direct connection, as in production or in development. */
const startDirectly = async (attributes: string, publicUrl: string, prepare = "") => {
  const database = await testDatabase();
  const login = await makeLogin(attributes);
  const url = new URL(database.url);
  url.username = login;
  const tables = new pg.Client({ connectionString: database.url });
  await tables.connect();
  if (prepare) await tables.query(prepare.replaceAll("LOGIN", login));
  const config = testConfig(url.href, { PUBLIC_URL: publicUrl });
  const error = await compose(config, { name: "test", works: false }).then(
    async ({ close }) => {
      await close();
      return null;
    },
    (reason: Error) => explanationOf(reason) ?? reason.message,
  );
  await tables.query(`reassign owned by ${login} to current_user`);
  await tables.query(`drop owned by ${login}`);
  await tables.end();
  await database.drop();
  return error;
};

const published = "https://purser.example.com";

test.each([
  ["a superuser", "superuser", ""],
  ["one that can create roles", "createrole in role purser_app", ""],
  ["the owner of a table", "in role purser_app", "alter table apps owner to LOGIN"],
])(
  "D15 refuses to start with the login of %s, although it would give up its privileges",
  async (_name, attributes, prepare) => {
    expect(await startDirectly(attributes, published, prepare)).toMatch(
      /^The database login purser_login_\w+ in DATABASE_URL .* Use a login that is only a member of purser_app/,
    );
  },
);

test("D15 refuses a login that can become a superuser", async () => {
  const strong = await makeLogin("superuser");
  expect(await startDirectly(`in role purser_app, ${strong}`, published)).toMatch(/superuser/);
});

test("D15 starts with a login that is only a member of purser_app, and with any login on localhost", async () => {
  expect(await startDirectly("in role purser_app", published)).toBeNull();
  expect(await startDirectly("superuser", "http://localhost:3000")).toBeNull();
});

test("D15 refuses a login that may not become purser_app", async () => {
  const database = await testDatabase();
  const url = new URL(database.url);
  url.username = await makeLogin("");
  const { db } = connect({ url: url.href, poolMax: 1, name: "test" });
  await expect(run(db, "select 1 as one")).rejects.toThrow("permission denied to set role");
  await db.destroy();
  await database.drop();
});

test("D15 refuses every transaction once the login has other settings", async () => {
  const { login, call, signIn, owner, platform } = await behindBouncer("transaction");
  const member = await signIn("admin");
  const faults = {
    role: ["none", "the role is"],
    statement_timeout: ["1min", "statement_timeout is not"],
    lock_timeout: ["0", "lock_timeout is not"],
    idle_in_transaction_session_timeout: ["0", "idle_in_transaction_session_timeout is not"],
  };
  for (const [name, [value = "", fault = ""]] of Object.entries(faults)) {
    await setLimits(login);
    await setLimit(login, name, value);
    const end = "select pg_terminate_backend(pid) from pg_stat_activity where usename = $1";
    await owner.query(end, [login]);
    // The first statements find out that their connections are gone.
    await vi.waitFor(async () => {
      await expect(run(platform.db, "select $1::int as one", [1])).rejects.toThrow(fault);
      await expect(run(platform.db, "select 1 as one")).rejects.toThrow(fault);
    }, 5000);
    const refused = await call(member, createApp, { body: { code: "never", name: "Never" } });
    expect(refused.status, name).toBe(503);
  }
  expect((await owner.query("select from apps")).rowCount).toBe(0);
});

test("D15 cancels a statement behind PgBouncer when the caller disconnects", async () => {
  const { platform, owner } = await behindBouncer("transaction");
  const client = await platform.pools.reads.pool.connect();
  const holder = await owner.connect();
  await holder.query("begin; lock table apps");
  const reading = client.query("select from apps where $1", [true]);
  const waiting = "select from pg_locks where not granted and relation = 'apps'::regclass";
  await vi.waitFor(async () => expect((await owner.query(waiting)).rowCount).toBe(1), 1500);
  cancelStatement(client);
  await expect(reading).rejects.toMatchObject({ code: "57014" });
  client.release(true);
  await holder.query("commit");
  holder.release();
});
