import pg from "pg";

/**
 * Creates the role of the application if it is missing, as the first migration does. Roles belong to the cluster, so no
 * backup of a database contains them.
 */
export const ensureAppRole = async (client: pg.Client, role = "purser_app") => {
  const [name, text] = [pg.escapeIdentifier(role), pg.escapeLiteral(role)];
  const { rows } = await client.query<{ exists: boolean }>(
    `select exists (select from pg_roles where rolname = ${text}) as exists`,
  );
  await client.query(`
    do $$ begin
      create role ${name} nologin;
    exception
      when duplicate_object or unique_violation then null;
    end $$;
    do $$ begin
      if not pg_has_role(current_user, ${text}, 'member') then
        grant ${name} to current_user;
      end if;
    end $$`);
  return { isNew: rows[0]?.exists === false };
};

/** The privileges of the database itself, which a backup of its contents doesn't have either. */
export const setDatabasePrivileges = async (client: pg.Client) => {
  // A temporary table could be found before a real one of the same name.
  await client.query(`do $$ begin
    execute format('revoke temporary on database %I from public', current_database());
  end $$`);
};
