import { z } from "zod";
import { job } from "#platform/jobs/queues.ts";
import type { FindZone } from "#platform/settings.ts";
import { writePersonalData } from "./personalData.ts";
import { deleteExpired, lockWaiting, storeFile } from "./queries.ts";

/** Writes an export of personal data. Does nothing if the customer was erased meanwhile. */
export const writePersonalExport = (findZone: FindZone) =>
  job({
    name: "write-personal-export",
    payload: z.object({ id: z.uuid() }),
    run: async ({ db, now }, { id }) => {
      const waiting = await lockWaiting(db, id);
      if (!waiting) return;
      await storeFile(db, id, await writePersonalData(db, waiting.userId, await findZone(db)), now);
    },
  });
export type PersonalExportJob = ReturnType<typeof writePersonalExport>;

export const forgetPersonalExports = job({
  name: "forget-personal-exports",
  payload: z.object({}),
  every: "41 * * * *",
  run: async ({ db, now }) => {
    await deleteExpired(db, now);
  },
});
