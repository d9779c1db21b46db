import {
  listRolloutMigrations,
  listRollouts,
  pauseRollout,
  resumeRollout,
} from "@purser/contract/packages/publishing";
import { expect, test, vi } from "vitest";
import { patiently } from "#patience.testing.ts";
import { isNightly } from "#runs.testing.ts";
import { testProduct } from "#testing.ts";
import { catalogIn } from "../testing/testing.ts";
import { workersOf } from "../testing/workers.testing.ts";
import { takeStep } from "./rolloutQueries.ts";

const product = await testProduct();
const { call, signIn, owner, platform } = product;
const admin = await signIn("admin", "Robin Example");
const { newApp, newLimit, newPackage, give, publish, addSubscribers } = catalogIn(product, admin);
const { startWorker, work } = workersOf(product);

const eur = { currency: "EUR", amount: 1200, interval: "month", intervalCount: 1 } as const;
const waiting = { timeout: patiently(40_000), interval: 100 };

/** A package on sale with this many seats, and customers who subscribe to it. */
const sold = async ({ seats: value, subscribers }: { seats: number; subscribers: number }) => {
  const app = await newApp();
  const seats = await newLimit(app.id);
  const { id } = await newPackage({ prices: [eur] });
  await give(id, seats, value);
  await publish(id);
  const customers = await addSubscribers(id, subscribers);
  return { id, seats, customers };
};

const rolloutOf = async (id: string) => {
  const { body } = await call(admin, listRollouts, { params: { id } });
  return body.items[0];
};

const step = (id: string, now: Date) =>
  platform.db.transaction().execute((db) => takeStep(db, id, now));

/** The grants and customers of each version of a package now. */
const versionsInUse = async (id: string) => {
  const { rows } = await owner.query<{ number: number; grants: number; customers: number }>(
    `select v.number, count(*)::int as grants, count(distinct g.user_id)::int as customers
     from grants g join package_versions v on v.id = g.version_id
     where g.package_id = $1 and g.starts_at <= now() and g.ends_at > now() group by 1 order by 1`,
    [id],
  );
  return rows;
};

test("migrates all subscribers now, until the same end, and lists them", async () => {
  const { id, seats } = await sold({ seats: 5, subscribers: 3 });
  await give(id, seats, 8);
  await publish(id, { rollout: "now" });
  const rollout = await rolloutOf(id);
  expect(rollout).toMatchObject({ mode: "now", status: "waiting", subscribers: 3, migrated: 0 });
  await work();
  await vi.waitFor(
    async () => expect(await rolloutOf(id)).toMatchObject({ status: "done", migrated: 3 }),
    waiting,
  );
  expect(await versionsInUse(id)).toEqual([{ number: 2, grants: 3, customers: 3 }]);
  const { rows } = await owner.query(
    `select from grants old join grants new on new.id = old.superseded_by
     where old.package_id = $1 and new.starts_at = old.ends_at and new.ends_at = old.promised_until`,
    [id],
  );
  expect(rows).toHaveLength(3);
  const migrations = await call(admin, listRolloutMigrations, {
    params: { id: rollout?.id ?? "" },
  });
  expect(migrations.body.items.map(({ from, outcome }) => [from, outcome])).toEqual(
    Array(3).fill([1, "migrated"]),
  );
});

test("plans a migration at renewal and leaves grants without renewal unchanged", async () => {
  const { id, seats, customers } = await sold({ seats: 5, subscribers: 2 });
  await owner.query(
    `insert into grants (user_id, package_id, version_id, source, source_id, reason, starts_at)
     select $1, package_id, version_id, 'manual', 'test', 'A gift.', now() from grants
     where package_id = $2 limit 1`,
    [customers[0], id],
  );
  await give(id, seats, 3);
  await publish(id, { rollout: "renewal" });
  await work();
  await vi.waitFor(
    async () =>
      expect(await rolloutOf(id)).toMatchObject({
        status: "done",
        migrated: 0,
        planned: 2,
        kept: 1,
      }),
    waiting,
  );
  expect(await versionsInUse(id)).toEqual([{ number: 1, grants: 3, customers: 2 }]);
  const { rows } = await owner.query<{ number: number }>(
    `select v.number from subscriptions s join package_versions v on v.id = s.next_version_id
     where s.package_id = $1`,
    [id],
  );
  expect(rows.map(({ number }) => number)).toEqual([2, 2]);
});

test("migrates every subscriber once with several workers", async () => {
  // One step migrates 1,000 subscribers, so four workers overlap.
  const { id, seats } = await sold({ seats: 5, subscribers: 2500 });
  await give(id, seats, 8);
  await publish(id, { rollout: "now" });
  const rollout = await rolloutOf(id);
  const now = new Date();
  const go = async () => {
    while (await step(rollout?.id ?? "", now));
  };
  await Promise.all([go(), go(), go(), go()]);
  expect(await rolloutOf(id)).toMatchObject({ status: "done", migrated: 2500 });
  expect(await versionsInUse(id)).toEqual([{ number: 2, grants: 2500, customers: 2500 }]);
});

test("migrates no one while a rollout is paused", async () => {
  const { id, seats } = await sold({ seats: 5, subscribers: 2 });
  await give(id, seats, 8);
  await publish(id, { rollout: "now" });
  const params = { id: (await rolloutOf(id))?.id ?? "" };
  expect((await call(admin, pauseRollout, { params, body: {} })).body.status).toBe("paused");
  expect(await step(params.id, new Date())).toBe(false);
  expect(await versionsInUse(id)).toMatchObject([{ number: 1 }]);
  expect((await call(admin, pauseRollout, { params, body: {} })).status).toBe(409);
  await call(admin, resumeRollout, { params, body: {} });
  await work();
  await vi.waitFor(
    async () => expect(await versionsInUse(id)).toMatchObject([{ number: 2 }]),
    waiting,
  );
});

// Only nightly, because killing it halfway reliably needs 12,000 subscribers and two processes.
test.runIf(isNightly)(
  "continues a rollout after kill -9 without migrating anyone twice or missing anyone",
  async () => {
    const { id, seats } = await sold({ seats: 5, subscribers: 12_000 });
    await give(id, seats, 8);
    await publish(id, { rollout: "now" });
    const first = await startWorker();
    await vi.waitFor(async () => expect((await rolloutOf(id))?.migrated).toBeGreaterThan(0), {
      ...waiting,
      interval: 5,
    });
    await first.kill();
    const migrated = (await rolloutOf(id))?.migrated ?? 0;
    expect(migrated).toBeLessThan(12_000);
    await startWorker();
    await vi.waitFor(async () => expect((await rolloutOf(id))?.status).toBe("done"), {
      timeout: patiently(90_000),
      interval: 200,
    });
    expect(await rolloutOf(id)).toMatchObject({ subscribers: 12_000, migrated: 12_000 });
    expect(await versionsInUse(id)).toEqual([{ number: 2, grants: 12_000, customers: 12_000 }]);
    const { rows } = await owner.query<{ twice: number }>(
      `select count(*)::int as twice from (
       select user_id from rollout_moves m join rollouts r on r.id = m.rollout_id
       where r.package_id = $1 group by 1 having count(*) > 1) migrated`,
      [id],
    );
    expect(rows[0]?.twice).toBe(0);
  },
  patiently(180_000),
);

test("starts a rollout on its date", async () => {
  const { id, seats } = await sold({ seats: 5, subscribers: 1 });
  await give(id, seats, 8);
  const rolloutAt = new Date(Date.now() + 3_600_000).toISOString();
  await publish(id, { rollout: "date", rolloutAt });
  const rollout = await rolloutOf(id);
  expect(rollout).toMatchObject({ mode: "date", status: "waiting", startsAt: rolloutAt });
  expect(await step(rollout?.id ?? "", new Date())).toBe(false);
  const later = new Date(Date.now() + 3_700_000);
  await step(rollout?.id ?? "", later);
  expect(await rolloutOf(id)).toMatchObject({ status: "done", migrated: 1 });
});
