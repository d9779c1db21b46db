import type pg from "pg";

/**
 * Copies the records of customers many times, in bulk and without triggers. Copy number k of a record has its id with
 * the last eight digits replaced by k, and so has everything that refers to it. So all copies are consistent without
 * looking up a single one.
 */
const copyOfId = (column: string) => `(left(${column}::text, 28) || lpad(to_hex(k), 8, '0'))::uuid`;
const copyOfText = (column: string) => `${column} || '-' || k`;
/** A text that contains an id, if it is one. */
const copyOfIdText = (column: string) =>
  `case when ${column} ~ '^[0-9a-f-]{36}$' then left(${column}, 28) || lpad(to_hex(k), 8, '0') else ${column} end`;

type Copied = {
  table: string;
  /** Only these rows. */
  where?: string;
  /** Ids of other copied records. */
  ids: string[];
  /** Texts that must be different in each copy, and other columns with their own expression. */
  texts?: string[];
  others?: Record<string, string>;
  /** Replaced before copying in the long form, in all copies alike. */
  shortened?: Record<string, string>;
  /** Filled by the database. */
  omitted?: string[];
  /** No list reads them, so the short form has few. */
  isOnlyInLong?: true;
  /** Copied first, so that no connection is left with it at the end. */
  isLarge?: true;
  /** Rows are copied in this order, so that old rows are stored before new ones. */
  order: string;
};

const customers = "user_id in (select id from users where role is null)";
const fewColumns = (column: string) =>
  `(select jsonb_object_agg(key, value) from jsonb_each(${column})
    where key in ('id', 'number', 'user_id', 'name', 'state', 'status', 'total', 'currency', 'version'))`;
const hash = "decode(md5(hash::text || k) || md5(k::text || hash::text), 'hex')";

const tables: Copied[] = [
  {
    table: "users",
    isLarge: true,
    where: "role is null and merged_into is null",
    ids: ["id"],
    texts: ["external_id"],
    others: { email: "k || '-' || email", name: "name || ' ' || k" },
    omitted: ["number"],
    order: "id",
  },
  { table: "subscriptions", ids: ["id", "user_id"], texts: ["billing_reference"], order: "id" },
  { table: "subscription_periods", ids: ["subscription_id"], order: "subscription_id" },
  {
    table: "transactions",
    isLarge: true,
    ids: ["id", "user_id", "subscription_id", "parent_id", "changes_id"],
    texts: ["reference"],
    omitted: ["number"],
    order: "id",
  },
  {
    table: "transaction_lines",
    ids: ["id", "transaction_id", "subscription_id"],
    order: "transaction_id",
  },
  {
    table: "transaction_events",
    where: "type = 'succeeded'",
    ids: ["id", "transaction_id"],
    isOnlyInLong: true,
    order: "transaction_id",
  },
  {
    table: "line_credits",
    ids: ["id", "line_id", "transaction_id"],
    isOnlyInLong: true,
    order: "id",
  },
  {
    table: "journal_entries",
    ids: ["id", "source_id", "user_id", "transaction_id"],
    isOnlyInLong: true,
    order: "id",
  },
  { table: "postings", ids: ["entry_id"], isOnlyInLong: true, order: "entry_id" },
  { table: "balances", ids: ["user_id"], order: "user_id" },
  { table: "balance_entries", ids: ["id", "user_id", "transaction_id"], order: "id" },
  {
    table: "documents",
    ids: ["id", "transaction_id", "corrects_id", "user_id"],
    texts: ["number"],
    order: "id",
  },
  {
    table: "grants",
    isLarge: true,
    // Of a third of the customers, which are three million.
    where: `${customers} and right(user_id::text, 1) < '5'`,
    ids: ["id", "user_id", "subscription_id", "superseded_by", "moved_from", "line_id"],
    others: { source_id: copyOfIdText("source_id") },
    order: "id",
  },
  { table: "feature_use", where: customers, ids: ["user_id"], order: "user_id" },
  {
    table: "redemptions",
    ids: ["id", "user_id", "transaction_id", "subscription_id"],
    order: "id",
  },
  {
    table: "audit_entries",
    isLarge: true,
    where: "entity in ('users', 'subscriptions', 'transactions', 'grants')",
    ids: ["record_id"],
    texts: ["request_id"],
    others: { after: "after - 'snapshot'", before: "before - 'snapshot'", hash },
    // With only a few of their columns, twenty million entries fit on a small disk.
    shortened: { after: fewColumns("after"), before: fewColumns("before") },
    omitted: ["id"],
    order: "at, id",
  },
];

type Column = { name: string };

const columnsOf = async (client: pg.Client, table: string) => {
  const { rows } = await client.query<Column>(
    `select column_name as name from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER' order by ordinal_position`,
    [table],
  );
  return rows.map(({ name }) => name);
};

const expressionOf = ({ ids, texts = [], others = {} }: Copied, column: string) => {
  if (others[column]) return others[column];
  if (ids.includes(column)) return copyOfId(column);
  return texts.includes(column) ? copyOfText(column) : column;
};

/** The long form has more copies of each customer. */
const longCopies = 100;

/** Rows per statement, which bounds the memory for sorting them. */
const rowsPerStatement = 500_000;

const copyTable = async (client: pg.Client, copied: Copied, copies: number) => {
  const { table, where = "true", shortened, omitted = [], order } = copied;
  const columns = (await columnsOf(client, table)).filter((name) => !omitted.includes(name));
  const quoted = columns.map((name) => `"${name}"`);
  const values = columns.map((name) => expressionOf(copied, name));
  // The base is numbered first, because a slice must not depend on the copies that are already there.
  const base = `scale_base_${table}`;
  await client.query(
    `create unlogged table ${base} as
     select row_number() over (order by ${order}) as base_row, r.* from ${table} r where ${where}`,
  );
  const shorter = Object.entries(shortened ?? {}).map(([column, sql]) => `${column} = ${sql}`);
  if (shorter.length > 0 && copies > longCopies)
    await client.query(`update ${base} set ${shorter.join(", ")}`);
  await client.query(`create index on ${base} (base_row)`);
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from ${base}`,
  );
  const count = rows[0]?.count ?? 0;
  const step = Math.max(1, Math.floor(rowsPerStatement / copies));
  for (let from = 1; from <= count; from += step)
    await client.query(
      `insert into ${table} (${quoted.join(", ")})
       select ${values.join(", ")} from ${base} cross join generate_series(1, ${copies}) k
       where base_row between ${from} and ${from + step - 1} order by base_row, k`,
    );
  await client.query(`drop table ${base}`);
  return count * (copies + 1);
};

type Index = { name: string; definition: string };

const indexesOf = async (client: pg.Client, table: string) => {
  const { rows } = await client.query<Index>(
    // An index of a partitioned table is defined without those of its partitions.
    `select indexrelid::regclass::text as name,
       replace(pg_get_indexdef(indexrelid), ' ON ONLY ', ' ON ') as definition
     from pg_index i where indrelid = $1::regclass
       and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
    [table],
  );
  return rows;
};

type Copying = { copies: number; isShort: boolean; tell: (line: string) => void };

const copyWithIndexes = async (client: pg.Client, copied: Copied, { copies, tell }: Copying) => {
  const start = performance.now();
  // Rebuilding indexes is faster than updating them, if most rows are new.
  const indexes = await indexesOf(client, copied.table);
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  const rows = await copyTable(client, copied, copies);
  const copiedAt = performance.now();
  for (const { definition } of indexes) await client.query(definition);
  const seconds = (ms: number) => (ms / 1000).toFixed(1);
  tell(
    `${copied.table}: ${rows.toLocaleString("en")} rows in ${seconds(copiedAt - start)} s, ${indexes.length} indexes in ${seconds(performance.now() - copiedAt)} s`,
  );
};

/**
 * Adds copies of all customers with what they bought, so that there are `copies` + 1 of each. Each connection copies
 * the next table, the largest ones first.
 */
export const copyCustomers = async (clients: readonly pg.Client[], copying: Copying) => {
  const waiting = tables
    .filter(({ isOnlyInLong }) => !(copying.isShort && isOnlyInLong))
    .toSorted((one, other) => Number(other.isLarge ?? false) - Number(one.isLarge ?? false));
  await Promise.all(
    clients.map(async (client) => {
      for (let next = waiting.shift(); next; next = waiting.shift())
        await copyWithIndexes(client, next, copying);
    }),
  );
};
