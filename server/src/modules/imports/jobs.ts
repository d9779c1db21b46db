import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import type { Db } from "#platform/db/db.ts";
import { announceRarely } from "#platform/events/announceRarely.ts";
import { type Job, job } from "#platform/jobs/queues.ts";
import { findRetention } from "#platform/settings.ts";
import { checkBatch } from "./check.ts";
import { grownTables } from "./kinds.ts";
import {
  deleteResults,
  deleteRows,
  findExpired,
  refreshStatistics,
  setEmptied,
} from "./queries.ts";
import { importBatch } from "./runImport.ts";
import { undoBatch } from "./undo.ts";

const payload = z.object({ id: z.uuid() });
type ImportJob = Job<typeof payload>;

/** After this time another job continues, because the queue starts a job again that takes longer than 15 minutes. */
const continuedMs = 60_000;

/** Batches after which tables may have grown so much that queries need new statistics. */
const batchesPerLook = 20;

/** A job that takes batches until there are none left. The import is locked meanwhile, so two jobs take turns. */
const inBatches = (
  name: string,
  takeBatch: (db: Db, id: string, now: Date) => Promise<boolean>,
): ImportJob => {
  const actor = { kind: "system" as const, id: null, name };
  const context = { actor, address: null, requestId: null, reason: null };
  const own: ImportJob = job({
    name,
    payload,
    inSteps: true,
    run: async ({ step, enqueue, now }, { id }) => {
      const until = performance.now() + continuedMs;
      const as = { context, announced: announceRarely(["notifications", "imports"]) };
      let batches = 0;
      while (await step((db) => takeBatch(db, id, now), as)) {
        batches += 1;
        // If statistics take too long, the import continues with the old ones.
        if (batches % batchesPerLook === 0)
          await step((db) => refreshStatistics(db, grownTables), as).catch(() => undefined);
        if (performance.now() > until) return enqueue(own, { id });
        // Lets requests of the same process through.
        await setImmediate();
      }
    },
  });
  return own;
};

export const checkImport = inBatches("check-import", checkBatch);
export const runImport = inBatches("run-import", importBatch);
export const undoImportJob = inBatches("undo-import", undoBatch);

const deletedAtOnce = 5000;

/** Deletes the rows of canceled imports, and of others after some days, because they are personal data. */
export const forgetImports = job({
  name: "forget-imports",
  payload: z.object({}),
  every: "17 * * * *",
  inSteps: true,
  run: async ({ step, now }) => {
    const { importDays } = await step((db) => findRetention(db));
    const before = new Date(+now - importDays * 86_400_000);
    for (;;) {
      const expired = await step((db) => findExpired(db, before));
      if (!expired) return;
      const { id } = expired;
      while (await step((db) => deleteResults(db, id, deletedAtOnce)));
      while (await step((db) => deleteRows(db, id, deletedAtOnce)));
      await step((db) => setEmptied(db, id, now));
    }
  },
});
