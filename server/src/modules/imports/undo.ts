import type { Db } from "#platform/db/db.ts";
import { notify } from "#platform/notifications/notifications.ts";
import { actForStarter } from "./actor.ts";
import { kinds } from "./kinds.ts";
import { findSpan, lockImport } from "./queries.ts";
import { setUndone, storeUndone } from "./undoQueries.ts";

/** Few at once, because the audit entries of each customer are erased one by one. */
const undoneAtOnce = 200;

/** Removes the next records that the import created and that no one has used or changed since. */
export const undoBatch = async (db: Db, id: string, now: Date): Promise<boolean> => {
  const own = await lockImport(db, id);
  if (own?.status !== "undoing") return false;
  if (!(await actForStarter(db, own, `undo ${id}`, now))) return false;
  const { undo } = kinds[own.kind];
  const rows = await findSpan(db, id, own.position, undoneAtOnce);
  const last = rows.at(-1);
  if (last) {
    const span = { id, after: own.position, to: last.row };
    await storeUndone(db, id, last.row, await undo.take(db, span, now));
    return true;
  }
  const undone = own.progress.undone ?? 0;
  await setUndone(db, id, undone, now);
  await notify(db, {
    to: [own.actorId],
    kind: "job",
    message: undo.message(undone, own.name),
    path: `/import/${id}`,
  });
  return false;
};
