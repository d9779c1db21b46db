import { PrivilegedLoginError } from "../platform/db/loginPrivileges.ts";

const database = "Check DATABASE_URL and MIGRATION_DATABASE_URL";

// The most common setup errors, by the code of PostgreSQL or the operating system.
const byCode: Record<string, string> = {
  ECONNREFUSED: `The database refused the connection. ${database}, and that PostgreSQL is running.`,
  ENOTFOUND: `The database host can't be resolved. ${database}.`,
  ETIMEDOUT: `The connection to the database timed out. ${database}, and the network.`,
  "28000": `The database rejected this role. ${database}, in the form postgres://role:password@host:5432/database.`,
  "28P01": `The database password is incorrect. ${database}.`,
  "3D000": `The database doesn't exist. ${database}, then run \`purser migrate\`.`,
  "42501":
    "The database role lacks permissions. It must own the database and be able to create roles. See docs/operations.md.",
  "42P01": "Tables are missing in the database. Run `purser migrate`.",
  "22023": "The database role purser_app is missing. Run `purser migrate`.",
  EADDRINUSE: "The port is already in use. Change PORT, or stop the other process.",
  EADDRNOTAVAIL: "This machine doesn't have the address in HOST.",
  EACCES: "Ports below 1024 require elevated privileges. Change PORT.",
};

const codeOf = (error: unknown): string | undefined => {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
};

/** A message for an error that an operator can fix, or null for a bug of ours. */
export const explanationOf = (error: unknown) => {
  if (error instanceof PrivilegedLoginError) return error.message;
  const known = byCode[codeOf(error) ?? ""];
  if (known) return known;
  const text = error instanceof Error ? error.message : "";
  return /SASL|no PostgreSQL user name|password must be/.test(text)
    ? `The database requires a role and a password. ${database}, in the form postgres://role:password@host:5432/database.`
    : null;
};
