import type pg from "pg";

type Plan = {
  Plans?: Plan[];
  "Relation Name"?: string;
  "Actual Loops"?: number;
};

const relationsOf = (plan: Plan): string[] => [
  ...(plan["Relation Name"] && plan["Actual Loops"] ? [plan["Relation Name"]] : []),
  ...(plan.Plans ?? []).flatMap(relationsOf),
];

/** The partitions of a table that PostgreSQL reads to answer a statement, without the beginning of their names. */
export const partitionsRead = async (
  owner: pg.Pool,
  table: string,
  text: string,
  values: unknown[] = [],
) => {
  const client = await owner.connect();
  try {
    // Small tables are scanned, large ones never.
    await client.query("begin; set local enable_seqscan = off");
    const { rows } = await client.query(
      `explain (analyze, costs off, timing off, format json) ${text}`,
      values,
    );
    return [...new Set(relationsOf(rows[0]["QUERY PLAN"][0].Plan))]
      .filter((name) => name.startsWith(`${table}_`))
      .map((name) => name.slice(table.length + 1))
      .toSorted();
  } finally {
    await client.query("rollback");
    client.release();
  }
};

/** The number of rows in each partition that has some. */
export const rowsByPartition = async (owner: pg.Pool, table: string) => {
  const { rows } = await owner.query<{ name: string; count: number }>(
    `select substring(c.relname from ${table.length + 2}) as name, count(*)::int as count
     from ${table} r join pg_class c on c.oid = r.tableoid group by 1 order by 1`,
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
};

/** The first day of a month, so many months from this one, and its partition's name. */
export const monthFromNow = (months: number, day = 1) => {
  const now = new Date();
  const at = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, day, 12));
  return { at, name: at.toISOString().slice(0, 7).replace("-", "_") };
};

/** As in an installation that is older than so many months: the first partition has ended. */
export const endFirstMonth = async (owner: pg.Pool, table: string, months = 2) => {
  const bound = `uuid_v7_from(date_trunc('month', now()) - interval '${months} months')`;
  const { rows } = await owner.query<{ past: string; upper: string }>(
    `select ${bound}::text as past, upper from partitions_of('${table}') where lower is null`,
  );
  const { past, upper } = rows[0] ?? { past: "", upper: "" };
  await owner.query(`
    alter table ${table} detach partition partitions.${table}_first;
    alter table partitions.${table}_first rename to ${table}_current;
    create table partitions.${table}_first (like partitions.${table}_later including all);
    alter table ${table} attach partition partitions.${table}_first for values from (minvalue) to ('${past}');
    alter table ${table} attach partition partitions.${table}_current for values from ('${past}') to ('${upper}')`);
};
