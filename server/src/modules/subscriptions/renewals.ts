import { z } from "zod";
import type { Db } from "#platform/db/db.ts";
import { type Job, job } from "#platform/jobs/queues.ts";
import { shareWork } from "#platform/jobs/shareWork.ts";
import type { FindZone } from "#platform/settings.ts";
import { lockSubscription } from "../billing/subscriptionQueries.ts";
import { splitForSubscription } from "../transactions/split/splitCustomers.ts";
import { type Batch, lockChosen, lockNextBatch } from "./due/dueQueries.ts";
import type { When } from "./due/planRenewals.ts";
import { renewLocked } from "./due/renewLocked.ts";

/** At the end of a period, requests the next payment or ends the subscription. */
export const renew = async (db: Db, id: string, when: When) => {
  await splitForSubscription(db, id);
  const subscription = await lockSubscription(db, id);
  // Another worker may have renewed it while this one waited for the lock.
  if (subscription) await renewLocked(db, [subscription], when);
};

const payload = z.object({});

type Tools = Parameters<Job<typeof payload>["run"]>[0];

/** Renews batches, each in one transaction. One that fails is divided until the subscription that fails is found. */
const batchesIn = ({ now, step }: Tools, findZone: FindZone) => {
  const failures = new Map<string, unknown>();
  const whenIn = async (db: Db) => ({ now, zone: await findZone(db) });

  const renewSingle = (id: string) =>
    step(async (db) => renew(db, id, await whenIn(db))).catch((error: unknown) => {
      failures.set(id, error);
    });

  const renewBatch = async (lock: (db: Db) => Promise<Batch>) => {
    const locked: Batch = { subscriptions: [], singleIds: [] };
    try {
      await step(async (db) => {
        Object.assign(locked, await lock(db));
        await renewLocked(db, locked.subscriptions, await whenIn(db));
      });
    } catch (error) {
      if (locked.subscriptions.length === 0) throw error;
      await renewDivided(locked.subscriptions.map(({ id }) => id));
    }
    for (const id of locked.singleIds) await renewSingle(id);
    return locked.subscriptions.length + locked.singleIds.length;
  };

  const renewDivided = async (ids: readonly string[]): Promise<void> => {
    const [first, ...others] = ids;
    if (first === undefined) return;
    if (others.length === 0) return renewSingle(first);
    const middle = Math.ceil(ids.length / 2);
    for (const half of [ids.slice(0, middle), ids.slice(middle)])
      await renewBatch((db) => lockChosen(db, now, half));
  };

  const renewNext = () => renewBatch((db) => lockNextBatch(db, now, [...failures.keys()]));

  return {
    failures,
    /** False if nothing is left. Looks twice, because others can have renewed all that the first look found. */
    renewMore: async () => (await renewNext()) > 0 || (await renewNext()) > 0,
  };
};

/** Any number of workers renew at the same time, and a subscription that fails doesn't hold up the others. */
export const renewSubscriptions = (findZone: FindZone) => {
  const own: Job<typeof payload> = job({
    name: "renew-subscriptions",
    payload,
    every: "* * * * *",
    inSteps: true,
    run: async (tools) => {
      const { failures, renewMore } = batchesIn(tools, findZone);
      await shareWork(renewMore, () => tools.enqueue(own, {}));
      if (failures.size > 0)
        throw new AggregateError(
          failures.values(),
          `These subscriptions were not renewed: ${[...failures.keys()].join(", ")}`,
        );
    },
  });
  return own;
};
