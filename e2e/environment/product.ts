import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Redis } from "ioredis";
import pg from "pg";
import { openMailbox } from "./mailbox.ts";

const pathOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
/** This release, unless a test starts another one from its folder. */
const mainOf = (release?: string) =>
  release === undefined ? pathOf("server/src/main.ts") : join(release, "server/src/main.ts");

const databaseServer =
  process.env["TEST_DATABASE_URL"] ?? "postgres://root@127.0.0.1:5432/postgres";
const redisUrl = process.env["TEST_REDIS_URL"] ?? "redis://127.0.0.1:6379/15";

type Environment = Record<string, string>;

export const freePort = async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
};

const onPath = {
  PATH: process.env["PATH"] ?? "",
  // Further processes start in two thirds of the time.
  NODE_COMPILE_CACHE: pathOf("node_modules/.cache/node"),
};

/** Runs a CLI command and returns its output. */
const purser = async (main: string, environment: Environment, ...words: string[]) => {
  const env = { ...onPath, ...environment };
  const { stdout } = await promisify(execFile)(process.execPath, [main, ...words], { env });
  return stdout;
};

/** Starts the server with its jobs and returns once it listens. */
const serve = async (main: string, environment: Environment) => {
  const quiet = "--disable-warning=ExperimentalWarning";
  const child = spawn(process.execPath, [quiet, main, "serve", "--work"], {
    env: { ...onPath, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const log: string[] = [];
  const listening = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      log.push(line);
      if (line.includes("Server listening")) resolve();
    });
  });
  const failed = ended.then(([code]) => {
    throw new Error(`The server ended with ${code}.\n${log.join("\n")}`);
  });
  await Promise.race([listening, failed]);
  failed.catch(() => undefined);
  return {
    log,
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
};

const forgetKeys = async (prefix: string) => {
  const redis = new Redis(redisUrl);
  const keys = await redis.keys(`${prefix}*`);
  if (keys.length > 0) await redis.del(keys);
  await redis.quit();
};

const asAdmin = async (...statements: string[]) => {
  const admin = new pg.Client({ connectionString: databaseServer });
  await admin.connect();
  for (const statement of statements) await admin.query(statement);
  await admin.end();
};

export const urlOf = (database: string) =>
  Object.assign(new URL(databaseServer), { pathname: `/${database}` }).href;

export const dropDatabase = (name: string) =>
  asAdmin(`drop database if exists ${name} with (force)`);

/** New installations require two-factor authentication. Most tests sign in without it. */
const turnOffTwoFactor = async (url: string) => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    "update settings set second_factor_roles = '{}', second_factor_grace_days = 7",
  );
  await client.end();
};

/** Test data need not survive a power cut, so no commit waits for the disk. */
const createDatabase = async (name: string, environment: Environment, release?: string) => {
  const template = release === undefined && process.env["E2E_TEMPLATE"];
  await asAdmin(
    `create database ${name} ${template ? `template ${template}` : ""}`,
    `alter database ${name} set synchronous_commit = off`,
  );
  if (!template) await purser(mainOf(release), environment, "migrate");
  await turnOffTwoFactor(urlOf(name));
};

/**
 * The whole product as it runs in production, with a database, a Redis prefix and a port of its own. Another release is
 * started from its folder, without pages.
 */
export const startProduct = async (extra: Environment = {}, release?: string) => {
  const main = mainOf(release);
  if (!existsSync(pathOf("web/dist/index.html")))
    throw new Error("The pages are not built. Run `npm run build` first.");
  await using started = new AsyncDisposableStack();
  const name = `purser_e2e_${randomBytes(6).toString("hex")}`;
  const port = await freePort();
  const mailbox = await openMailbox();
  started.defer(mailbox.close);
  const databaseUrl = urlOf(name);
  const bankSecret = randomBytes(24).toString("base64");
  const environment = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    REDIS_PREFIX: `${name}:`,
    PUBLIC_URL: `http://localhost:${port}`,
    OVERLOAD_DELAY_MS: "0",
    SHUTDOWN_DELAY_SECONDS: "0",
    PORT: String(port),
    SECRET_KEYS: randomBytes(32).toString("base64"),
    SMTP_URL: mailbox.url,
    EMAIL_FROM: "purser@example.com",
    PROVIDER_SECRETS: `bank:whsec_${bankSecret}`,
    ...extra,
  };
  started.defer(() => dropDatabase(name));
  await createDatabase(name, environment, release);
  started.defer(() => forgetKeys(environment.REDIS_PREFIX));
  let server = await serve(main, environment);
  started.defer(() => server.stop());
  const { PUBLIC_URL: origin } = environment;
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  started.defer(() => database.end());

  // From here on the caller stops it. If anything above fails, all that was started is stopped.
  const running = started.move();
  return {
    origin,
    mailbox,
    /** Signs payment notifications of the provider "bank". */
    bankSecret,
    database,
    log: server.log,
    purser: (...words: string[]) => purser(main, environment, ...words),
    port,
    /** Stops this instance and starts another one on the same port. */
    restart: async () => {
      await server.stop();
      server = await serve(main, environment);
    },
    /** Stops this instance until it is started again. */
    stopServer: () => server.stop(),
    startServer: async () => {
      server = await serve(main, environment);
    },
    /** Another instance of the same product. */
    startAnother: async () => {
      const other = { ...environment, PORT: String(await freePort()) };
      return { port: Number(other.PORT), ...(await serve(main, other)) };
    },
    stop: () => running.disposeAsync(),
  };
};
export type Product = Awaited<ReturnType<typeof startProduct>>;
