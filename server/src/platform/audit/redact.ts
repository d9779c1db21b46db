import { type Db, run } from "../db/db.ts";

type Redacted = { entries: number };

/**
 * Erases columns from every audit entry of a record, and the reasons that people gave with them. For the
 * erasing of a person alone: the entries' hashes stay, and the chain verifies as before.
 */
export const redactRecord = async (
  db: Db,
  { entity, id, columns }: { entity: string; id: string; columns: readonly string[] },
) => {
  const [row] = await run<Redacted>(
    db,
    "select audit_redact($1, $2::uuid, $3::text[], true) as entries",
    [entity, id, columns],
  );
  return row?.entries ?? 0;
};

/** Erases name and address of whoever acted from every audit entry of what they did. */
export const redactActor = async (db: Db, actorId: string) => {
  const [row] = await run<Redacted>(db, "select audit_redact_actor($1::uuid) as entries", [
    actorId,
  ]);
  return row?.entries ?? 0;
};
