import type { Db } from "#platform/db/db.ts";
import { message } from "#platform/messages.ts";
import { notify } from "#platform/notifications/notifications.ts";
import { actForStarter } from "./actor.ts";
import { errorsOfVerdict, noOutcomes, outcomeOf } from "./check.ts";
import { judgeAgain } from "./judgeQueries.ts";
import { kinds } from "./kinds.ts";
import {
  correctResults,
  findSpan,
  lockImport,
  type StoredImport,
  setEnded,
  storeProgress,
  takeTurn,
} from "./queries.ts";

/** One transaction each. Larger ones are hardly faster, but lock customers for longer. */
const importedAtOnce = 500;

/** Ends the import and notifies the team member who started it. */
export const endImport = async (
  db: Db,
  { id, name, actorId, progress }: StoredImport,
  status: "finished" | "stopped" | "canceled",
  now: Date,
) => {
  const done = { ...noOutcomes, ...progress };
  await setEnded(db, id, { status, done, now });
  if (status !== "finished") return;
  const imported = done.new + done.update;
  await notify(db, {
    to: [actorId],
    kind: "job",
    message: message(
      "import_finished",
      "Import of {name} finished. {imported, plural, one {# row} other {# rows}} imported, {existing} already there, {rejected} rejected.",
      { name, imported, existing: done.unchanged, rejected: done.rejected },
    ),
    path: `/import/${id}`,
  });
};

/**
 * Imports the next rows. Their position is stored in the same transaction, so a row is imported once, however often
 * the process dies. Returns whether there may be more.
 */
export const importBatch = async (db: Db, id: string, now: Date): Promise<boolean> => {
  const own = await lockImport(db, id);
  if (own?.status !== "running") return false;
  if (!(await actForStarter(db, own, id, now))) return false;
  const rows = await findSpan(db, id, own.position, importedAtOnce);
  const last = rows.at(-1);
  if (!last) {
    await endImport(db, own, "finished", now);
    return false;
  }
  const kind = kinds[own.kind];
  const span = { id, after: own.position, to: last.row };
  await takeTurn(db, own.kind);
  await kind.lock?.(db, span);
  const known = new Map(rows.map((row) => [row.row, row]));
  const judged = await judgeAgain(db, kind.judge, span, now);
  const corrected = judged.flatMap(({ row, verdict, recordId }) => {
    const before = known.get(row);
    const outcome = outcomeOf(verdict);
    const isSame =
      before?.outcome === outcome && (outcome === "new" || before.recordId === recordId);
    if (isSame) return [];
    known.set(row, { row, outcome, recordId, isEnded: before?.isEnded ?? false });
    const errors = errorsOfVerdict(kind, verdict);
    return [{ row, outcome, recordId, errors: errors.length > 0 ? errors : null }];
  });
  await correctResults(db, id, corrected);
  await kind.write(db, span, { judged, now });
  const done = { ...noOutcomes, ended: 0, ...own.progress };
  for (const { outcome, isEnded } of known.values()) {
    done[outcome] += 1;
    if (outcome === "new" && isEnded) done.ended += 1;
  }
  await storeProgress(db, id, last.row, done);
  return true;
};
