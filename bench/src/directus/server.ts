import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import type { BenchDatabase } from "../setup/database.ts";
import { runProgram, startServer } from "../setup/processes.ts";

const folder = new URL("../../../fixtures/directus/", import.meta.url).pathname;
// Without its command line, which looks for a newer release first.
const program = "node_modules/@directus/api/dist/cli/run.js";

export const isInstalled = () => existsSync(`${folder}${program}`);

/** The application name of its connections. */
export const directusName = "directus";

/** The tables that are compared. Directus doesn't see the others. */
const tables = [
  "line_credits",
  "package_versions",
  "packages",
  "transaction_events",
  "transaction_lines",
  "transactions",
  "users",
  "version_prices",
];

/** A schema for the tables of Directus, which is dropped at the end, so that the database is as it was. */
export const openSchema = async ({ query }: BenchDatabase) => {
  const drop = () => query("drop schema if exists directus cascade");
  await drop();
  await query("create schema directus");
  return { [Symbol.asyncDispose]: async () => void (await drop()) };
};

/** Relations that a foreign key with one column doesn't already declare. The last name is the list of the other side. */
const relations = [
  ["transactions", "package_id", "packages", null],
  ["transactions", "version_id", "package_versions", null],
  ["transactions", "parent_id", "transactions", "refunds"],
  ["transaction_lines", "transaction_id", "transactions", "lines"],
  ["transaction_events", "transaction_id", "transactions", "events"],
  ["line_credits", "transaction_id", "transactions", "credits"],
] as const;

/** A role that may read the tables, and a user of it with a token. A limit to some fields needs a license. */
const addReader = async ({ query }: BenchDatabase, token: string) => {
  await query(
    `with role as (
       insert into directus.directus_roles (id, name) values (gen_random_uuid(), 'Reader') returning id
     ), policy as (
       insert into directus.directus_policies (id, name) values (gen_random_uuid(), 'Reader') returning id
     ), access as (
       insert into directus.directus_access (id, role, policy)
       select gen_random_uuid(), role.id, policy.id from role, policy
     ), permissions as (
       insert into directus.directus_permissions (collection, action, fields, policy)
       select unnest($2::text[]), 'read', '*', id from policy
     )
     insert into directus.directus_users (id, email, role, token)
     select gen_random_uuid(), 'bench@example.com', id, $1 from role`,
    [token, tables],
  );
};

const addRelations = async ({ query }: BenchDatabase) => {
  for (const relation of relations) {
    await query(
      `insert into directus.directus_relations (many_collection, many_field, one_collection, one_field)
       values ($1, $2, $3, $4)`,
      [...relation],
    );
    const [, , collection, list] = relation;
    if (list)
      await query(
        "insert into directus.directus_fields (collection, field, special) values ($1, $2, 'o2m')",
        [collection, list],
      );
  }
};

/** Directus with a token for the same tables as the product. */
export const startDirectus = async (database: BenchDatabase, signal: AbortSignal) => {
  const others = await database.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_name <> all ($1)`,
    [tables],
  );
  const env = {
    NODE_ENV: "production",
    // Its own settings only, not those of a file in the folder.
    CONFIG_PATH: "none",
    HOST: "127.0.0.1",
    SECRET: randomBytes(32).toString("base64"),
    DB_CLIENT: "pg",
    DB_CONNECTION_STRING: database.url,
    DB_SEARCH_PATH: "array:directus,public",
    DB_EXCLUDE_TABLES: others.map(({ name }) => name).join(","),
    PGAPPNAME: directusName,
    TELEMETRY: "false",
    // It would refuse requests on a busy machine.
    PRESSURE_LIMITER_ENABLED: "false",
    // Every request as JSON, as the product.
    LOG_LEVEL: "info",
    LOG_STYLE: "raw",
  };
  const args = [program, "bootstrap"];
  await runProgram({ file: process.execPath, args, env, signal, cwd: folder });
  const token = randomBytes(24).toString("hex");
  await addReader(database, token);
  await addRelations(database);
  const start = { args: [program, "start"], env, readyPath: "/server/ping", cwd: folder };
  return {
    server: await startServer(start, signal),
    headers: { authorization: `Bearer ${token}` },
  };
};
