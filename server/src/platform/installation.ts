import pg from "pg";
import { type Db, first } from "./db/db.ts";
import { statement } from "./db/statement.ts";

const installation = statement("platform.installation", "select id from installation");

const undefinedTable = "42P01";

/** The schema is older than this release can start with. */
export class OutdatedDatabaseError extends Error {}

/** The ID of this installation, which a migration created once. */
export const findInstallationId = async (db: Db) => {
  const row = await first(db, installation).catch((error: unknown) => {
    if (error instanceof pg.DatabaseError && error.code === undefinedTable) return undefined;
    throw error;
  });
  if (!row)
    throw new OutdatedDatabaseError(
      "The database isn't up to date. Run `purser migrate` of this release first.",
    );
  return row.id;
};
