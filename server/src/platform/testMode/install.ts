import pg from "pg";
import { connectAsOwner, type Db, first } from "../db/db.ts";
import { MigrationError } from "../db/migrations/migrationError.ts";
import { statement } from "../db/statement.ts";
import { findInstallationId, OutdatedDatabaseError } from "../installation.ts";

const schema = "purser_test";

/** For migrations, whose tables must not be created in the schema of the clock. */
export const withOwnSchema = (url: string) => {
  const own = new URL(url);
  const options = own.searchParams.get("options");
  own.searchParams.set("options", [options, "-c search_path=public"].filter(Boolean).join(" "));
  return own.href;
};

const clockSql = `
  insert into public.test_clock default values on conflict do nothing;
  create schema if not exists ${schema};
  create or replace function ${schema}.now() returns timestamptz language sql stable parallel safe
    as $$ select pg_catalog.now() + (select ahead_ms from public.test_clock) * interval '1 ms' $$;
  create or replace function ${schema}.clock_timestamp() returns timestamptz language sql volatile parallel safe
    as $$ select pg_catalog.clock_timestamp() + (select ahead_ms from public.test_clock) * interval '1 ms' $$;
  grant usage on schema ${schema} to purser_app;
  do $$ begin
    execute format('alter database %I set search_path = ${schema}, pg_catalog, public', current_database());
  end $$`;

// With this path PostgreSQL writes the functions of the real time with their schema.
const redirectSql = `
  set search_path = ${schema}, pg_catalog, public;
  do $$
  declare
    one record;
    real constant text := 'pg_catalog\\.(now|clock_timestamp)\\(\\)';
    moved constant text := '${schema}.\\1()';
    own constant oid[] := array(select oid from pg_namespace where nspname in ('public', 'partitions'));
  begin
    for one in
      select a.attrelid::regclass as place, a.attname as name, pg_get_expr(d.adbin, d.adrelid) as value
      from pg_attrdef d
      join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
      join pg_class c on c.oid = a.attrelid
      where c.relnamespace = any (own) and pg_get_expr(d.adbin, d.adrelid) ~ real
    loop
      execute format('alter table %s alter column %I set default %s', one.place, one.name,
        regexp_replace(one.value, real, moved, 'g'));
    end loop;
    for one in
      select p.oid, p.oid::regprocedure as function, p.prosrc ~ '\\m(now|clock_timestamp)\\(\\)' as reads
      from pg_proc p
      where p.pronamespace = any (own) and p.prokind = 'f'
        and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
        and (p.prosrc ~ '\\m(now|clock_timestamp)\\(\\)' or pg_get_function_arguments(p.oid) ~ real)
    loop
      if pg_get_function_arguments(one.oid) ~ real then
        execute regexp_replace(pg_get_functiondef(one.oid), real, moved, 'g');
      end if;
      if one.reads then
        execute format('alter function %s set search_path = ${schema}, pg_catalog, public, pg_temp', one.function);
      end if;
    end loop;
  end $$`;

// Every record leaves audit entries. Those of migrations are changes of the settings by the database.
const isInUseSql = statement(
  "testMode.isInUse",
  `select not exists (select from test_clock) and (exists (select from users) or exists (
     select from audit_entries where entity <> 'settings' or actor_kind <> 'database')) as "isInUse"`,
).narrow<{ isInUse: boolean }>();

const asOwner = async <T>(url: string, read: (db: Db) => Promise<T>) => {
  const { db } = connectAsOwner(url);
  try {
    return await read(db);
  } finally {
    await db.destroy();
  }
};

const missingDatabase = "3D000";

/** Null for a database that doesn't exist or isn't migrated. */
const findIdAt = (url: string) =>
  asOwner(url, findInstallationId).catch((error: unknown) => {
    const isMissing = error instanceof pg.DatabaseError && error.code === missingDatabase;
    if (isMissing || error instanceof OutdatedDatabaseError) return null;
    throw error;
  });

/** Two URLs can name the same database in many ways, so its content is compared. */
export const assertOtherDatabase = async (liveUrl: string, testUrl: string) => {
  const [live, test] = [await findIdAt(liveUrl), await findIdAt(testUrl)];
  if (live !== null && live === test)
    throw new MigrationError(
      "The database in TEST_MODE_DATABASE_URL or TEST_MODE_MIGRATION_DATABASE_URL is the live one, or a copy of it. Use a new, empty database.",
    );
};

/** A database that is in use without a test clock is a live one, which can't be converted back. */
const assertUnused = async (url: string) => {
  const found = await asOwner(url, (db) => first(db, isInUseSql));
  if (found?.isInUse)
    throw new MigrationError(
      "The database in TEST_MODE_DATABASE_URL has data of live mode. Use a new, empty database.",
    );
};

/**
 * Gives the time functions of a migrated database the clock of test mode: `now()` and `clock_timestamp()` are found in
 * a schema that is searched first, and column defaults and functions use it, too. Repeated after every migration.
 */
export const installTestClock = async (url: string) => {
  await assertUnused(url);
  const client = new pg.Client({ connectionString: withOwnSchema(url) });
  await client.connect();
  try {
    await client.query("begin");
    await client.query(clockSql);
    await client.query(redirectSql);
    await client.query("commit");
  } finally {
    await client.end();
  }
};
