import { type Db, run } from "./db.ts";
import { statement } from "./statement.ts";

type Kept = { table: string; name: string; definition: string };

const references = statement(
  "db.references",
  `
  select conrelid::regclass::text as "table", quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
  from pg_constraint where conrelid = any ($1::regclass[]) and contype in ('f', 'x') order by contype desc, conname`,
).narrow<Kept>();

const indices = statement(
  "db.indices",
  `
  select i.indrelid::regclass::text as "table", i.indexrelid::regclass::text as name,
    -- An index of a partitioned table is defined without those of its partitions.
    replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') as definition
  from pg_index i
  where i.indrelid = any ($1::regclass[])
    and not exists (select from pg_constraint c where c.conindid = i.indexrelid) order by 2`,
).narrow<Kept>();

/**
 * Drops the foreign keys and indexes of tables while very many rows are added, and returns a function that restores
 * them, because building them at once is much faster. It runs in the caller's transaction, so others never see the
 * tables without them, and an invalid row fails the whole load.
 */
export const suspendConstraints = async (db: Db, tables: readonly string[]) => {
  const constraints = await run(db, references, [tables]);
  const built = await run(db, indices, [tables]);
  for (const { table, name } of constraints)
    await run(db, `alter table ${table} drop constraint ${name}`);
  for (const { name } of built) await run(db, `drop index ${name}`);
  return async () => {
    for (const { definition } of built) await run(db, definition);
    for (const { table, name, definition } of constraints)
      await run(db, `alter table ${table} add constraint ${name} ${definition}`);
  };
};
