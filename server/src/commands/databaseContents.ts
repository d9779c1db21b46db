import pg from "pg";

const number = new Intl.NumberFormat("en").format;

const findTables = `select n.nspname as schema, c.relname as name
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
  order by 1, 2`;

export type Contents = { tables: number; rows: number };

/** The tables with rows of their own, so a partitioned table counts as its partitions. */
export const countContents = async (client: pg.Client): Promise<Contents> => {
  const { rows: tables } = await client.query<{ schema: string; name: string }>(findTables);
  let rows = 0;
  for (const { schema, name } of tables) {
    const table = `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`;
    const counted = await client.query<{ count: string }>(`select count(*) from ${table}`);
    rows += Number(counted.rows[0]?.count);
  }
  return { tables: tables.length, rows };
};

export const describeContents = ({ tables, rows }: Contents) =>
  `${number(tables)} tables, ${number(rows)} rows`;

/** A connection as the owner of the tables, without time limits. */
export const withOwner = async <T>(url: string, work: (client: pg.Client) => Promise<T>) => {
  const client = new pg.Client({ connectionString: url, application_name: "purser backup" });
  // A lost connection fails the statement in progress.
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query(
      "set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = 0",
    );
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
};

export const findServerMajor = async (client: pg.Client) => {
  const { rows } = await client.query<{ version: number }>(
    "select current_setting('server_version_num')::int as version",
  );
  return Math.floor((rows[0]?.version ?? 0) / 10_000);
};
