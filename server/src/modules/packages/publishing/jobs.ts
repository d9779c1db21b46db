import { z } from "zod";
import type { Db } from "#platform/db/db.ts";
import { type Enqueue, job } from "#platform/jobs/queues.ts";
import { lockPackage } from "../queries.ts";
import { rollOut } from "../rollouts/rolloutJob.ts";
import { findDueRollouts } from "../rollouts/rolloutQueries.ts";
import { findArchivedParts } from "../versions/archivedPartQueries.ts";
import { findDueVersions, findScheduled, publishVersion } from "./publishQueries.ts";

/**
 * Publishes a scheduled version once, even if several workers run the job. One with archived apps or features
 * remains scheduled, and `catchUp` publishes it when they are restored.
 */
export const publishDue = async (
  db: Db,
  versionId: string,
  { now, enqueue }: { now: Date; enqueue: Enqueue },
) => {
  const seen = await findScheduled(db, versionId, now);
  const stored = seen && (await lockPackage(db, seen.packageId));
  // While waiting for the lock, it may have been published or unscheduled.
  const due = stored && (await findScheduled(db, versionId, now));
  if (!due || (await findArchivedParts(db, versionId)).length > 0) return;
  const { rollout: plan, publishedBy: by } = due;
  const rollout = await publishVersion(db, stored, versionId, { note: null, plan, by, now });
  if (rollout) await enqueue(rollOut, { rolloutId: rollout.id }, rollout.startsAt);
};

export const publishScheduled = job({
  name: "publish-scheduled",
  payload: z.object({ versionId: z.uuid() }),
  run: ({ db, now, enqueue }, { versionId }) => publishDue(db, versionId, { now, enqueue }),
});

/** Enqueues due work every minute in case a job was lost. */
export const catchUp = job({
  name: "catch-up-packages",
  payload: z.object({}),
  every: "* * * * *",
  run: async ({ db, now, enqueue }) => {
    for (const { id } of await findDueVersions(db, now))
      await enqueue(publishScheduled, { versionId: id });
    for (const { id } of await findDueRollouts(db, now)) await enqueue(rollOut, { rolloutId: id });
  },
});
