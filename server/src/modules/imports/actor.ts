import { allows } from "@purser/contract/auth/permissions";
import { importPermissions } from "@purser/contract/workspace/imports";
import { actFor } from "#platform/audit/context.ts";
import type { Db } from "#platform/db/db.ts";
import { message } from "#platform/messages.ts";
import { notify } from "#platform/notifications/notifications.ts";
import { type StoredImport, setEnded } from "./queries.ts";

/** Whether who started, continued or undid the import could still do so. */
const mayContinue = ({ kind, actorRole, actorStatus }: StoredImport) =>
  actorStatus === "active" &&
  actorRole !== null &&
  allows(actorRole, "imports:write") &&
  allows(actorRole, importPermissions[kind]);

/**
 * Makes the changes of a batch those of the team member who started, continued or undid the import. Stops it if they
 * have lost the permission: what is done stays, and another team member can undo it. Returns whether it can continue.
 */
export const actForStarter = async (db: Db, own: StoredImport, action: string, now: Date) => {
  const { id, name, actorId, actorName } = own;
  if (mayContinue(own)) {
    await actFor(db, { id: actorId, name: actorName }, action);
    return true;
  }
  await setEnded(db, id, { status: "stopped", done: own.progress, now });
  await notify(db, {
    to: [actorId],
    kind: "job",
    message: message(
      "import_forbidden",
      "Import of {name} stopped because you no longer have permission.",
      { name },
    ),
    path: `/import/${id}`,
  });
  return false;
};
