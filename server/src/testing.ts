import { randomBytes, randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Role } from "@purser/contract/auth/permissions";
import type { Endpoint, Wire } from "@purser/contract/http/endpoint";
import { addressOf, type Parts } from "@purser/contract/http/url";
import type { FastifyInstance, InjectOptions } from "fastify";
import pg from "pg";
import { afterAll, inject, onTestFinished, TestRunner } from "vitest";
import { compose } from "./compose.ts";
import { type Config, readConfig } from "./config.ts";
import { patiently } from "./patience.testing.ts";
import { hashToken, newToken } from "./platform/auth/secrets.ts";
import { createLog } from "./platform/log.ts";
import type { Clock } from "./platform/platform.ts";

const origin = "http://localhost:3000";

/** Runs at the end of the current test or file. Vitest ignores `afterAll` inside a test. */
export const atEnd = (close: () => Promise<void>) => {
  if (TestRunner.getCurrentTest()) onTestFinished(close);
  else afterAll(close);
};

/** A database for one test file, copied from the migrated template. The caller drops it. */
export const testDatabase = async () => {
  const server = inject("databaseServer");
  const name = `purser_test_${randomBytes(6).toString("hex")}`;
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  await admin.query(`create database ${name} template ${inject("databaseTemplate")}`);
  // Durability doesn't matter in tests, and this avoids waiting for the disk.
  await admin.query(`alter database ${name} set synchronous_commit = off`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: async () => {
      // An ended pool may still be closing. Dropping the database then would raise errors in its client.
      const connected = "select from pg_stat_activity where datname = $1";
      while ((await admin.query(connected, [name])).rowCount) await setImmediate();
      await admin.query(`drop database if exists ${name} with (force)`);
      await admin.end();
    },
  };
};

export const testConfig = (databaseUrl: string, more: Record<string, string> = {}) =>
  readConfig({
    DATABASE_URL: databaseUrl,
    REDIS_URL: process.env["TEST_REDIS_URL"] ?? "redis://127.0.0.1:6379/15",
    REDIS_PREFIX: `test:${randomBytes(6).toString("hex")}:`,
    PUBLIC_URL: origin,
    SECRET_KEYS: randomBytes(32).toString("base64"),
    SMTP_URL: "smtp://127.0.0.1:1",
    EMAIL_FROM: "purser@example.com",
    LOG_LEVEL: "error",
    SHUTDOWN_DELAY_SECONDS: "0",
    DATABASE_WAIT_SECONDS: "0",
    // Off, because tests run on busy machines. Tests of this limit turn it on.
    OVERLOAD_DELAY_MS: "0",
    // Off, because tests also change the database directly. Tests of the cache turn it on.
    CHECK_CACHE_MS: "0",
    REQUEST_TIMEOUT_MS: String(Math.min(600_000, patiently(10_000))),
    ...more,
  });

// Node's compile cache, with which further processes start in two thirds of the time.
const compileCache = fileURLToPath(new URL("../../node_modules/.cache/node", import.meta.url));

/** The environment of a process that runs the product with this configuration. */
export const childEnvironment = (config: Config, more: Record<string, string> = {}) => ({
  PATH: process.env["PATH"],
  NODE_COMPILE_CACHE: compileCache,
  ...Object.fromEntries(
    Object.entries(config).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  ),
  ...more,
});

/**
 * Inserts many rows with triggers off, so nothing is audited or announced. 20,000 rows take one second instead
 * of ten.
 */
export const loadRows = async (owner: pg.Pool, text: string, values: unknown[] = []) => {
  const client = await owner.connect();
  try {
    await client.query("set session_replication_role = replica");
    await client.query(text, values);
  } finally {
    await client.query("reset session_replication_role");
    client.release();
  }
};

type Proof = "recent" | "stale";

const minutesBefore = (time: Date, minutes: number) => new Date(time.getTime() - minutes * 60_000);

type Caller = { cookie: string } | { serviceKey: string } | null;
type Sent<E extends Endpoint> = Partial<Pick<Wire<E>, "params" | "query" | "body">> & {
  version?: number;
  key?: string;
  headers?: Record<string, string>;
  address?: string;
};

/** Calls an endpoint with the headers it requires, which `sent` can override. */
export const callOn =
  (app: FastifyInstance, lines: readonly string[], api = "/api") =>
  async <const E extends Endpoint>(caller: Caller, endpoint: E, sent: Sent<E> = {}) => {
    const { params = {}, query = {}, body, version, key = randomUUID(), headers, address } = sent;
    const options: InjectOptions = {
      method: endpoint.method,
      url: `${api}${addressOf(endpoint.path, { params, query } as Parts)}`,
      headers: {
        ...(caller && "serviceKey" in caller
          ? { authorization: `Bearer ${caller.serviceKey}` }
          : { origin, ...(caller && { cookie: caller.cookie }) }),
        ...(endpoint.method === "POST" && { "idempotency-key": key }),
        ...(version !== undefined && { "if-match": `"${version}"` }),
        ...headers,
      },
      ...(body !== undefined && { payload: body as object }),
      ...(address && { remoteAddress: address }),
    };
    const response = await app.inject(options);
    const isJson = /\bjson\b/.test(String(response.headers["content-type"]));
    const json = isJson ? JSON.parse(response.body) : null;
    // The response hides the cause of a 500, but a developer needs it to fix the test.
    if (response.statusCode === 500) process.stderr.write(lines.at(-1) ?? "");
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.body,
      body: json as Wire<E>["reply"] & Record<string, unknown>,
      cookies: response.cookies,
    };
  };

type Environment = Record<string, string>;
type Options = {
  environment?: Environment | ((databaseUrl: string) => Promise<Environment>);
  clock?: Clock;
  works?: boolean;
};

/**
 * The whole product with a real database and Redis, but without a port. `call` sends requests like a browser,
 * and `signIn` creates a team member with a session.
 */
export const testProduct = async ({ environment = {}, clock, works = false }: Options = {}) => {
  const database = await testDatabase();
  const more = typeof environment === "function" ? await environment(database.url) : environment;
  const config = testConfig(database.url, more);
  const lines: string[] = [];
  const log = createLog(config.LOG_LEVEL, { write: (line) => void lines.push(line) });
  const product = await compose(config, { name: "test", works, log, ...(clock && { clock }) });
  const app = await product.serve();
  const owner = new pg.Pool({ connectionString: database.url, max: 4 });

  const close = async () => {
    await app.close();
    await product.close();
    await owner.end();
    await database.drop();
  };
  atEnd(close);

  const now = () => product.platform.now();

  /** Creates a signed-in user directly in the database, so that tests don't need a password. */
  const signIn = async (role: Role, name = `A ${role}`, proof?: Proof) => {
    const email = `${randomUUID()}@example.com`;
    const { rows } = await owner.query<{ id: string }>(
      // Without the time of the role, because new approvers can't approve yet.
      `insert into users (email, name, role, status, role_given_at) values ($1, $2, $3, 'active', null)
       returning id`,
      [email, name, role],
    );
    const id = rows[0]?.id ?? "";
    return { id, email, role, cookie: await startSession(id, proof) };
  };

  /** The user of the session confirmed their identity just now, or with "stale" too long ago. */
  const startSession = async (userId: string, proof: Proof = "recent") => {
    const token = newToken();
    await owner.query(
      `insert into sessions (token_hash, user_id, created_at, last_seen_at, address, device, proven_at)
       values ($1, $2, $4, $3, '127.0.0.1', 'test', $4)`,
      [hashToken(token), userId, now(), proof === "recent" ? now() : minutesBefore(now(), 11)],
    );
    return `__Host-purser=${token}`;
  };

  const call = callOn(app, lines);

  return {
    app,
    product,
    platform: product.platform,
    config,
    database,
    owner,
    lines,
    signIn,
    startSession,
    call,
    close,
  };
};
export type TestProduct = Awaited<ReturnType<typeof testProduct>>;
