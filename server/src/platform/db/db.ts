import { CamelCasePlugin, CompiledQuery, Kysely, PostgresDialect, type Transaction } from "kysely";
import pg from "pg";
import type { Database } from "./schema.ts";

/** A pool, or the transaction that a handler works in. Queries take it first and never keep it. */
export type Db = Kysely<Database> | Transaction<Database>;

const statementNames = new Map<string, string>();
const statementNamesMax = 500;

// A named statement is parsed and planned once per connection. Past the limit, statements go unnamed
// rather than filling the server's memory.
const nameOf = (text: string) => {
  const known = statementNames.get(text);
  if (known) return known;
  if (statementNames.size >= statementNamesMax) return undefined;
  const name = `p${statementNames.size}`;
  statementNames.set(text, name);
  return name;
};

class NamingClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: pg declares a dozen overloads for this one method.
  override query(text: any, values?: any, done?: any): any {
    if (typeof text !== "string" || !Array.isArray(values) || values.length === 0)
      return super.query(text, values, done);
    return super.query({ name: nameOf(text), text, values } as pg.QueryConfig, done);
  }
}

type Connection = { url: string; poolMax: number; name: string };

// The application gives up its login's own rights on every connection, so that even with a
// superuser's address it cannot touch what the migrations withhold from it.
const asApplication = [
  "role=purser_app",
  "statement_timeout=5000",
  "lock_timeout=4000",
  "idle_in_transaction_session_timeout=15000",
]
  .map((setting) => `-c ${setting}`)
  .join(" ");

const open = (config: pg.PoolConfig) => {
  const pool = new pg.Pool({ ...config, Client: NamingClient });
  // Without a listener a connection that the server closes while idle would end the process.
  pool.on("error", () => undefined);
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
  return { pool, db };
};

export const connect = ({ url, poolMax, name }: Connection) =>
  open({
    connectionString: url,
    max: poolMax,
    application_name: name,
    options: asApplication,
    connectionTimeoutMillis: 5000,
  });

/** As the login itself: for migrations, which own the tables. */
export const connectAsOwner = (url: string) =>
  open({ connectionString: url, max: 2, application_name: "purser migrate" });

/** SQL text with its values, for the few statements that are built as text; rows come as they are. */
export const run = async <Row>(db: Db, text: string, values: readonly unknown[] = []) => {
  const { rows } = await db
    .withoutPlugins()
    .executeQuery<Row>(CompiledQuery.raw(text, [...values]));
  return rows;
};
