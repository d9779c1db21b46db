import { type Db, first } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";

const entriesPerSeal = 1000;

const seal = statement("audit.sealAudit", "select audit_seal($1::int) as entries");

/** Adds all committed entries to the chain and returns their number. */
export const sealAudit = async (db: Db) => {
  let sealed = 0;
  for (;;) {
    const entries = (await first(db, seal, [entriesPerSeal]))?.entries ?? 0;
    sealed += entries;
    if (entries < entriesPerSeal) return sealed;
  }
};
