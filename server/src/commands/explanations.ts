const database = "Check DATABASE_URL and MIGRATION_DATABASE_URL";

// The most common setup errors, by the code of PostgreSQL or the operating system.
const byCode: Record<string, string> = {
  ECONNREFUSED: `Nothing answers at the address of the database. ${database}, and that PostgreSQL runs.`,
  ENOTFOUND: `The database's host has no address. ${database}.`,
  ETIMEDOUT: `The database does not answer. ${database}, and what stands between.`,
  "28000": `The database does not let this login in. ${database}: postgres://login:password@host:5432/name.`,
  "28P01": `The password of the database's login is wrong. ${database}.`,
  "3D000": `There is no such database. ${database}, then run: purser migrate.`,
  "42501": `The database's login may not do that. It needs to own the database and to create roles; see docs/operations.md.`,
  "42P01": "The database lacks tables. Run: purser migrate.",
  "22023": "The database lacks the role purser_app. Run: purser migrate.",
  EADDRINUSE: "Another program listens at that port. Set PORT, or end the other one.",
  EADDRNOTAVAIL: "This machine has no such address. Set HOST.",
  EACCES: "This user may not listen at that port. Set PORT to 1024 or above.",
};

const codeOf = (error: unknown): string | undefined => {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
};

/** A message for an error that an operator can fix, or null for a bug of ours. */
export const explanationOf = (error: unknown) => {
  const known = byCode[codeOf(error) ?? ""];
  if (known) return known;
  const text = error instanceof Error ? error.message : "";
  return /SASL|no PostgreSQL user name|password must be/.test(text)
    ? `The database asks for a login and password. ${database}: postgres://login:password@host:5432/name.`
    : null;
};
