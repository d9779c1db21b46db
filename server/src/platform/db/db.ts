import type { PoolName } from "@purser/contract/http/endpoint";
import { CamelCasePlugin, CompiledQuery, Kysely, PostgresDialect, type Transaction } from "kysely";
import pg from "pg";
import { readMoment } from "../moments.ts";
import { NamingClient, sharedClient } from "./clients.ts";
import { followPrimary, urlsOf } from "./hosts.ts";
import { assertLogin, settingsOfConnection } from "./limits.ts";
import type { Database } from "./schema.ts";
import type { Statement } from "./statement.ts";

/** A pool, or the transaction of a handler. Queries take it as their first argument and never keep it. */
export type Db = Kysely<Database> | Transaction<Database>;

const parseMoment = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ);
pg.types.setTypeParser(
  pg.types.builtins.TIMESTAMPTZ,
  (text) => readMoment(text) ?? parseMoment(text),
);

/** Where a statement outside a transaction runs: a pool, or the part of it that one request may use. */
type Source = Pick<pg.Pool, "connect" | "end" | "options"> & {
  query: (text: string, values: unknown[]) => Promise<pg.QueryResult>;
};

const sources = new WeakMap<object, Source>();

const plugins = [new CamelCasePlugin({ maintainNestedObjectKeys: true })];

class PooledKysely extends Kysely<Database> {
  // Kysely closes only a pool that it has used itself, and `run` bypasses it.
  override async destroy() {
    await super.destroy();
    const pool = sources.get(this);
    if (pool instanceof pg.Pool && !pool.ending) await pool.end();
  }
}

/** A handle whose statements run on these connections. */
export const dbOn = (source: Source): Db => {
  const db = new PooledKysely({ dialect: new PostgresDialect({ pool: source }), plugins });
  sources.set(db, source);
  return db;
};

const open = (config: pg.PoolConfig) => {
  const pool = new pg.Pool(config);
  // Without a listener, an idle connection that the database closes would crash the process.
  pool.on("error", () => undefined);
  // The same for a connection in use: its statement fails anyway.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return { pool, db: dbOn(pool) };
};
export type OpenPool = ReturnType<typeof open>;

type Connection = {
  url: string;
  /** The hosts of the URL in the order in which they are tried. */
  urls?: readonly string[];
  poolMax: number;
  name: string;
  /** Which limits apply. */
  limits?: PoolName;
  /** `transaction` if a pooler may use another connection for each transaction. */
  pooling?: "session" | "transaction";
};

export const connect = ({
  url,
  urls = urlsOf(url),
  poolMax,
  name,
  limits = "writes",
  pooling = "session",
}: Connection): OpenPool => {
  const isShared = pooling === "transaction";
  const { PrimaryClient, assertPrimary } = followPrimary(
    isShared ? sharedClient(limits) : NamingClient,
    urls,
  );
  return open({
    max: poolMax,
    application_name: name,
    Client: PrimaryClient,
    onConnect: async (client) => {
      await client.query(isShared ? assertLogin : settingsOfConnection(limits));
      if (urls.length > 1) await assertPrimary(client);
    },
    connectionTimeoutMillis: 5000,
    // For replies that are lost on the network, which no timeout of the database notices.
    query_timeout: 8000,
    keepAlive: true,
  });
};

/** Keeps the privileges of the login, for migrations, which own the tables. */
export const connectAsOwner = (url: string) =>
  open({
    connectionString: url,
    max: 2,
    application_name: "purser migrate",
    Client: NamingClient,
  });

const query = async (db: Db, text: string, values: readonly unknown[]) => {
  const source = sources.get(db);
  if (source) return (await source.query(text, [...values])).rows;
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
