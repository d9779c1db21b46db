import type { Activity } from "@purser/contract/audit";
import { allows } from "@purser/contract/permissions";
import type { Session } from "../auth/sessions.ts";
import type { Db } from "../db/db.ts";
import { camelCase } from "../db/names.ts";

const pageSize = 25;

// They change with every save and say nothing that the entry itself does not.
const bookkeeping = new Set(["id", "version", "created_at", "updated_at"]);

// Named one by one: a column that a migration adds must not change what a prepared statement gives.
const columns = [
  "id",
  "at",
  "action",
  "actorKind",
  "actorId",
  "actorName",
  "address",
  "requestId",
  "reason",
  "before",
  "after",
] as const;

type Row = Record<string, unknown>;

const changesBetween = (before: unknown, after: unknown): Activity["changes"] => {
  const old = (before ?? {}) as Row;
  const next = (after ?? {}) as Row;
  return Object.keys({ ...old, ...next })
    .filter((column) => !bookkeeping.has(column))
    .filter((column) => JSON.stringify(old[column]) !== JSON.stringify(next[column]))
    .map((column) => ({
      field: camelCase(column),
      before: old[column] ?? null,
      after: next[column] ?? null,
    }));
};

/** What happened to a record, newest first. Where a change came from is for those who read the audit log. */
export const findActivity = async (
  db: Db,
  { entity, id, after }: { entity: string; id: string; after: string | undefined },
  session: Session,
) => {
  let matching = db
    .selectFrom("auditEntries")
    .select(columns)
    .where("entity", "=", entity)
    .where("recordId", "=", id);
  if (after) matching = matching.where("id", "<", after);
  const rows = await matching
    .orderBy("id", "desc")
    .limit(pageSize + 1)
    .execute();
  const showsAddress = allows(session.role, "audit:read");
  const items = rows.slice(0, pageSize).map((row) => ({
    id: row.id,
    at: row.at,
    action: row.action,
    actor: { kind: row.actorKind, id: row.actorId, name: row.actorName },
    address: showsAddress ? row.address : null,
    requestId: row.requestId,
    reason: row.reason,
    changes: changesBetween(row.before, row.after),
  }));
  return { items, next: rows.length > pageSize ? (items.at(-1)?.id ?? null) : null };
};
