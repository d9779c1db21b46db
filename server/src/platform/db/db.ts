import { CamelCasePlugin, CompiledQuery, Kysely, PostgresDialect, type Transaction } from "kysely";
import pg from "pg";
import type { Database } from "./schema.ts";
import type { Statement } from "./statement.ts";

/** A pool, or the transaction of a handler. Queries take it as their first argument and never keep it. */
export type Db = Kysely<Database> | Transaction<Database>;

const statementNames = new Map<string, string>();
const statementNamesMax = 500;

// A named statement is parsed and planned once per connection. Beyond the limit statements have no name, so that they
// don't fill the memory of the database.
const nameOf = (text: string) => {
  const known = statementNames.get(text);
  if (known) return known;
  if (statementNames.size >= statementNamesMax) return undefined;
  const name = `p${statementNames.size}`;
  statementNames.set(text, name);
  return name;
};

// Everything except the statements that begin and end a transaction.
const isRepeated = (text: string, values: unknown[]) =>
  values.length > 0 || /^\s*select\b/i.test(text);

class NamingClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: pg declares a dozen overloads for this one method.
  override query(text: any, values?: any, done?: any): any {
    if (typeof text !== "string" || !Array.isArray(values) || !isRepeated(text, values))
      return super.query(text, values, done);
    return super.query({ name: nameOf(text), text, values } as pg.QueryConfig, done);
  }
}

type Connection = { url: string; poolMax: number; name: string };

// The application gives up the privileges of its login on every connection. Even with the login of a superuser it can
// only do what the migrations grant.
const asApplication = [
  "role=purser_app",
  "timezone=UTC",
  // Compiling takes longer than any of our statements runs.
  "jit=off",
  "statement_timeout=5000",
  "lock_timeout=4000",
  "idle_in_transaction_session_timeout=15000",
]
  .map((setting) => `-c ${setting}`)
  .join(" ");

// Replies have many timestamps, and pg's own parser is slow because it handles every format.
const parseMoment = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ);
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) =>
  /^\d{4}-.*\+00$/.test(text)
    ? new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`)
    : parseMoment(text),
);

const pools = new WeakMap<object, pg.Pool>();

class PooledKysely extends Kysely<Database> {
  // Kysely closes only a pool that it has used itself, and `run` bypasses it.
  override async destroy() {
    await super.destroy();
    const pool = pools.get(this);
    if (pool && !pool.ending) await pool.end();
  }
}

const open = (config: pg.PoolConfig) => {
  const pool = new pg.Pool({ ...config, Client: NamingClient });
  // Without a listener, an idle connection that the database closes would crash the process.
  pool.on("error", () => undefined);
  // The same for a connection in use: its statement fails anyway.
  pool.on("connect", (client) => client.on("error", () => undefined));
  const db = new PooledKysely({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
  pools.set(db, pool);
  return { pool, db };
};

export const connect = ({ url, poolMax, name }: Connection) =>
  open({
    connectionString: url,
    max: poolMax,
    application_name: name,
    options: asApplication,
    connectionTimeoutMillis: 5000,
    // For replies that are lost on the network, which no timeout of the database notices.
    query_timeout: 8000,
    keepAlive: true,
  });

/** Keeps the privileges of the login, for migrations, which own the tables. */
export const connectAsOwner = (url: string) =>
  open({ connectionString: url, max: 2, application_name: "purser migrate" });

const query = async (db: Db, text: string, values: readonly unknown[]) => {
  const pool = pools.get(db);
  if (pool) return (await pool.query(text, [...values])).rows;
  const { rows } = await db.withoutPlugins().executeQuery(CompiledQuery.raw(text, [...values]));
  return rows;
};

/**
 * Runs a statement with its values, straight on the pool if there is no transaction. Rows are typed if the
 * statement is declared; a bare text is for statements whose rows aren't read.
 */
export function run<Row>(
  db: Db,
  asked: Statement<Row>,
  values?: readonly unknown[],
): Promise<Row[]>;
export function run(db: Db, asked: string, values?: readonly unknown[]): Promise<unknown[]>;
export function run(
  db: Db,
  asked: string | Statement<unknown>,
  values: readonly unknown[] = [],
): Promise<unknown[]> {
  return query(db, typeof asked === "string" ? asked : asked.text, values);
}

/** The first row of a statement, if there is one. */
export const first = async <Row>(
  db: Db,
  asked: Statement<Row>,
  values: readonly unknown[] = [],
): Promise<Row | undefined> => (await run(db, asked, values))[0];
