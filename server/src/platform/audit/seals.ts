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
