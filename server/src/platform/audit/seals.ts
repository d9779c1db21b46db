import { sql } from "kysely";
import type { Db } from "../db/db.ts";

const entriesPerSeal = 1000;

/** Chains all committed entries, and says how many. */
export const sealAudit = async (db: Db) => {
  let sealed = 0;
  for (;;) {
    const { rows } = await sql<{ entries: number }>`
      select audit_seal(${entriesPerSeal}) as entries`.execute(db);
    const entries = rows[0]?.entries ?? 0;
    sealed += entries;
    if (entries < entriesPerSeal) return sealed;
  }
};

/** The first thing that does not add up in the audit log, or null. */
export const verifyAudit = async (db: Db) => {
  const { rows } = await sql<{ what: string; number: string }>`
    select what, number from audit_verify()`.execute(db);
  return rows[0] ?? null;
};
