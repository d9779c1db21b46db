import type pg from "pg";

const extension = "pg_stat_statements";

const isLoaded = async (client: pg.Client) => {
  const { rows } = await client.query<{ loaded: string }>(
    "select setting as loaded from pg_settings where name = 'shared_preload_libraries'",
  );
  return rows[0]?.loaded.includes(extension) ?? false;
};

/** Forgets the calls of before, if PostgreSQL counts them. */
export const resetCalls = async (client: pg.Client) => {
  if (!(await isLoaded(client))) return;
  await client.query(`create extension if not exists ${extension}`);
  await client.query(
    `select ${extension}_reset(0, oid, 0) from pg_database where datname = current_database()`,
  );
};

/** How often each named statement was executed in this database. Null if PostgreSQL doesn't count it. */
export const findCalls = async (client: pg.Client) => {
  if (!(await isLoaded(client))) return null;
  const { rows } = await client.query<{ name: string; calls: number }>(
    `select substring(query from '^\\s*/\\* (\\S+) \\*/') as name, sum(calls)::int as calls
     from ${extension}
     where dbid = (select oid from pg_database where datname = current_database())
       and query ~ '^\\s*/\\* \\S+ \\*/'
     group by 1`,
  );
  return new Map(rows.map(({ name, calls }) => [name, calls]));
};
