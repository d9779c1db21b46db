import type { AttentionKind } from "@purser/contract/reports/attention";
import type { Session } from "#platform/auth/sessions/sessions.ts";
import type { Db } from "#platform/db/db.ts";
import { invalidAt, refuse } from "#platform/http/problem.ts";
import { message } from "#platform/messages.ts";
import { notify } from "#platform/notifications/notifications.ts";
import { assignedNotices } from "./notices.ts";
import { assignMarks, deleteMarksOfKinds, findMember, lockMarks, snoozeMarks } from "./queries.ts";
import {
  deleteOutdatedMarks,
  findRecords,
  findRows,
  mayHandle,
  type Viewer,
} from "./recordQueries.ts";
import { byUrgency, refusalToMark } from "./rules.ts";

/** Everything that needs the attention of a team member, the most urgent first. */
export const findAttention = async (db: Db, viewer: Viewer, isMine: boolean) =>
  (await findRows(db, viewer, { assigneeId: isMine ? viewer.userId : null })).toSorted(byUrgency);

type Seen = { kind: AttentionKind; recordIds: readonly string[] };
type By = { session: Pick<Session, "userId" | "role" | "name">; now: Date };

const viewerOf = ({ session: { userId, role }, now }: By): Viewer => ({ userId, role, now });

/** The records as the caller sees them now, with locked marks. Refuses if none of them needs attention. */
const lockRecords = async (db: Db, { kind, recordIds }: Seen, by: By) => {
  const viewer = viewerOf(by);
  const found = await findRecords(db, kind, viewer, { ids: recordIds });
  refuse(refusalToMark(found));
  await lockMarks(db, kind, found);
  const ids = found.map(({ id }) => id);
  const locked = await findRecords(db, kind, viewer, { ids });
  const reply = async () => ({ items: await findRecords(db, kind, viewer, { ids }) });
  return { ids, records: locked, reply };
};

/** Whether a team member can do something about all of the records. Approvals differ by requester. */
const canHandle = async (db: Db, kind: AttentionKind, viewer: Viewer, ids: readonly string[]) =>
  mayHandle(kind, viewer.role) &&
  (kind !== "approvals" || (await findRecords(db, kind, viewer, { ids })).length === ids.length);

/** Assigns records, and notifies the assignee unless they did it themselves or have all of them already. */
export const assign = async (
  db: Db,
  { assigneeId, ...seen }: Seen & { assigneeId: string | null },
  by: By,
) => {
  const { session, now } = by;
  const { kind } = seen;
  const { ids, records, reply } = await lockRecords(db, seen, by);
  const member = assigneeId === null ? null : await findMember(db, assigneeId);
  if (
    member !== null &&
    !(member && (await canHandle(db, kind, { userId: member.id, role: member.role, now }, ids)))
  )
    throw invalidAt(
      "/assigneeId",
      message("assignee_unable", "This team member can't take care of it. Choose another one."),
    );
  await assignMarks(db, kind, { ids, assigneeId, now });
  const isNew = records.some(({ assignee }) => assignee?.id !== assigneeId);
  if (member && member.id !== session.userId && isNew)
    await notify(db, {
      to: [member.id],
      kind: "mention",
      message: assignedNotices[kind](session.name),
      path: "/?attention=mine",
    });
  return reply();
};

/** Snoozes records for everyone, or shows them again. */
export const snooze = async (db: Db, { until, ...seen }: Seen & { until: Date | null }, by: By) => {
  const { ids, reply } = await lockRecords(db, seen, by);
  await snoozeMarks(db, seen.kind, { ids, until, byId: by.session.userId, now: by.now });
  return reply();
};

/** Sees every record of the workspace. */
const everyone = { userId: "00000000-0000-0000-0000-000000000000", role: "owner" } as const;

/** Removes marks whose cause is gone, so that they don't apply to the next one. */
export const forgetMarks = async (db: Db, now: Date) => {
  await deleteMarksOfKinds(db);
  await deleteOutdatedMarks(db, { ...everyone, now });
};
