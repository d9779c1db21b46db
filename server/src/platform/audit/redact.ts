import { type Db, first } from "../db/db.ts";
import { statement } from "../db/statement.ts";

type Redacted = { entries: number };

const redactRecordSql = statement(
  "audit.redactRecord",
  "select audit_redact($1, $2::uuid, $3::text[], true) as entries",
).narrow<Redacted>();

/**
 * Erases columns and reasons from every audit entry of a record. Only for the erasure of a person. The hashes of
 * the entries stay, so the chain still verifies.
 */
export const redactRecord = async (
  db: Db,
  { entity, id, columns }: { entity: string; id: string; columns: readonly string[] },
) => {
  const row = await first(db, redactRecordSql, [entity, id, columns]);
  return row?.entries ?? 0;
};

const redactActorSql = statement(
  "audit.redactActor",
  "select audit_redact_actor($1::uuid) as entries",
).narrow<Redacted>();

/** Erases the name and address of an actor from all their audit entries. */
export const redactActor = async (db: Db, actorId: string) => {
  const row = await first(db, redactActorSql, [actorId]);
  return row?.entries ?? 0;
};
