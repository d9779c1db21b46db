import { z } from "zod";
import type { Db } from "#platform/db/db.ts";
import { first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import { type Enqueue, job } from "#platform/jobs/queues.ts";
import { type Plan, publishVersion } from "./publish.ts";
import { lockPackage } from "./queries.ts";
import { findDueRollouts, takeStep } from "./rollouts.ts";

/** Moves the holders of a package, some at a time, until all are dealt with or somebody pauses it. */
export const rollOut = job({
  name: "roll-out",
  payload: z.object({ rolloutId: z.uuid() }),
  inSteps: true,
  run: async ({ now, step }, { rolloutId }) => {
    while (await step((db) => takeStep(db, rolloutId, now)));
  },
});

const findScheduledSql = statement(
  "packages.findScheduled",
  `select package_id as "packageId", rollout, published_by as "publishedBy"
   from package_versions where id = $1 and state = 'scheduled' and publish_at <= $2`,
)
  .present<"rollout">()
  .narrow<{ rollout: Plan }>();

const findScheduled = (db: Db, versionId: string, now: Date) =>
  first(db, findScheduledSql, [versionId, now]);

/** Publishes a scheduled version once, however many workers have been told to. */
const publishDue = async (
  db: Db,
  versionId: string,
  { now, enqueue }: { now: Date; enqueue: Enqueue },
) => {
  const seen = await findScheduled(db, versionId, now);
  const stored = seen && (await lockPackage(db, seen.packageId));
  // Whoever waited for the lock may find it published or taken off the schedule.
  const due = stored && (await findScheduled(db, versionId, now));
  if (!due) return;
  const { rollout: plan, publishedBy: by } = due;
  const rollout = await publishVersion(db, stored, versionId, { note: null, plan, by, now });
  if (rollout) await enqueue(rollOut, { rolloutId: rollout.id }, rollout.startsAt);
};

export const publishScheduled = job({
  name: "publish-scheduled",
  payload: z.object({ versionId: z.uuid() }),
  run: ({ db, now, enqueue }, { versionId }) => publishDue(db, versionId, { now, enqueue }),
});

const dueVersions = statement(
  "packages.dueVersions",
  "select id from package_versions where state = 'scheduled' and publish_at <= $1",
);

/** What a lost job would leave undone: looked for every minute. */
export const catchUp = job({
  name: "catch-up-packages",
  payload: z.object({}),
  every: "* * * * *",
  run: async ({ db, now, enqueue }) => {
    const due = await run(db, dueVersions, [now]);
    for (const { id } of due) await enqueue(publishScheduled, { versionId: id });
    for (const { id } of await findDueRollouts(db, now)) await enqueue(rollOut, { rolloutId: id });
  },
});
