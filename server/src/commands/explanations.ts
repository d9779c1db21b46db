import { PrivilegedLoginError } from "../platform/db/loginPrivileges.ts";
import { OutdatedDatabaseError } from "../platform/installation.ts";
import { WrongModeError } from "../platform/testMode/testMode.ts";

const database = "Check DATABASE_URL and MIGRATION_DATABASE_URL";

const form = "postgres://role:password@host:5432/database";

/** What PostgreSQL says about a login that it refuses, and how to make one that it accepts. */
const loginRefused = (text: string) => {
  const name = /(?:role|user) "([^"]+)"/.exec(text)?.[1];
  const role = name ? `the role "${name}"` : "this role";
  const example = name ?? "purser";
  if (/does not exist/.test(text))
    return `The database doesn't have ${role}. Create it, for example with: sudo -u postgres createuser --createdb --createrole --pwprompt ${example}. Or set DATABASE_URL to another role, in the form ${form}.`;
  if (/password authentication failed/.test(text))
    return `The database refused the password of ${role}. ${database}, in the form ${form}. To set a new password: sudo -u postgres psql -c '\\password ${example}'.`;
  return `The database refused ${role}. ${database}, in the form ${form}, and the rules in pg_hba.conf. PostgreSQL says: ${text}.`;
};

/** Our own check of a new connection, whose message says what is wrong. */
const isOwnRefusal = (text: string) => text.startsWith("Purser does not use this");

const loginCodes = new Set(["28000", "28P01"]);

// The most common setup errors, by the code of PostgreSQL or the operating system.
const byCode: Record<string, string> = {
  ECONNREFUSED: `The database refused the connection. ${database}, and that PostgreSQL is running.`,
  ENOTFOUND: `The database host can't be resolved. ${database}.`,
  ETIMEDOUT: `The connection to the database timed out. ${database}, and the network.`,
  "3D000": `The database doesn't exist. ${database}, then run \`purser migrate\`.`,
  "42501":
    "The database role lacks permissions. It must own the database and be able to create roles. For a role named purser: sudo -u postgres psql -c 'alter role purser createdb createrole'. See docs/operations.md.",
  "42P01": "Tables are missing in the database. Run `purser migrate`.",
  "22023": "The database role purser_app is missing. Run `purser migrate`.",
  EADDRINUSE: "The port is already in use. Change PORT, or stop the other process.",
  EADDRNOTAVAIL: "This machine doesn't have the address in HOST.",
  EACCES: "Ports below 1024 require elevated privileges. Change PORT.",
};

export const codeOf = (error: unknown): string | undefined => {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
};

/** A message for an error that an operator can fix, or null for a bug of ours. */
export const explanationOf = (error: unknown) => {
  if (
    error instanceof PrivilegedLoginError ||
    error instanceof OutdatedDatabaseError ||
    error instanceof WrongModeError
  )
    return error.message;
  const code = codeOf(error) ?? "";
  const text = error instanceof Error ? error.message : "";
  if (loginCodes.has(code))
    return isOwnRefusal(text)
      ? `${text}. See docs/operations.md#database-roles.`
      : loginRefused(text);
  const known = byCode[code];
  if (known) return known;
  return /SASL|no PostgreSQL user name|password must be/.test(text)
    ? `The database requires a role and a password. Set DATABASE_URL in .env, in the form ${form}. To create a role: sudo -u postgres createuser --createdb --createrole --pwprompt purser.`
    : null;
};
