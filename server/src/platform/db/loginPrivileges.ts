import { isLoopbackUrl } from "../http/loopback.ts";
import { type Db, first } from "./db.ts";
import { statement } from "./statement.ts";

/**
 * The privileges of the login itself. Connections take the role purser_app, but a statement could give that up again
 * with RESET ROLE.
 */
const findPrivilegesSql = statement(
  "platform.findLoginPrivileges",
  `select session_user::text as login,
     exists (select from pg_roles r where pg_has_role(session_user, r.oid, 'member')
       and (r.rolsuper or r.rolcreaterole or r.rolcreatedb or r.rolbypassrls or r.rolreplication)) as "hasAttributes",
     exists (select from pg_class c where c.relnamespace = 'public'::regnamespace
       and pg_has_role(session_user, c.relowner, 'member')) as "ownsTables"`,
).narrow<{ login: string; hasAttributes: boolean; ownsTables: boolean }>();

/** The process must not start. The message tells the operator what to do. */
export class PrivilegedLoginError extends Error {}

/**
 * Refuses a login that could become more than purser_app. A workspace on localhost is for development, where one login
 * does everything.
 */
export const assertLoginPrivileges = async (db: Db, publicUrl: string) => {
  if (isLoopbackUrl(publicUrl)) return;
  const found = await first(db, findPrivilegesSql, []);
  if (!found || !(found.hasAttributes || found.ownsTables)) return;
  const why = found.hasAttributes
    ? "is or can become a superuser, or can create roles or databases"
    : "owns the tables or can become their owner";
  throw new PrivilegedLoginError(
    `The database login ${found.login} in DATABASE_URL ${why}, so Purser doesn't start with it. Use a login that is only a member of purser_app, and the owner of the tables in MIGRATION_DATABASE_URL. See docs/operations.md#database-roles.`,
  );
};
