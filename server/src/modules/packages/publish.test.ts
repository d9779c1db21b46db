import { changePackage } from "@purser/contract/packages/endpoints";
import {
  exportImpact,
  listRolloutMoves,
  listRollouts,
  pauseRollout,
  publishPackage,
  resumeRollout,
  unschedulePackage,
} from "@purser/contract/packages/publishing";
import { getVersion } from "@purser/contract/packages/versions";
import { expect, test, vi } from "vitest";
import { patiently } from "../../patience.testing.ts";
import { isNightly } from "../../runs.testing.ts";
import { testProduct } from "../../testing.ts";
import { takeStep } from "./rollouts.ts";
import { catalogueIn } from "./testing/testing.ts";
import { workersOf } from "./testing/workers.testing.ts";

const product = await testProduct();
const { call, signIn, owner, platform } = product;
const admin = await signIn("admin", "Robin Example");
const { newApp, newLimit, newPackage, read, give, impactOf, publish, addHolders } = catalogueIn(
  product,
  admin,
);
const { startWorker, work } = workersOf(product);

const eur = { currency: "EUR", amount: 1200, interval: "month", intervalCount: 1 } as const;
const waiting = { timeout: patiently(40_000), interval: 100 };

/** A package on sale with that many seats, whose holders have it by subscription. */
const sold = async ({ seats: value, holders }: { seats: number; holders: number }) => {
  const app = await newApp();
  const seats = await newLimit(app.id);
  const { id } = await newPackage({ prices: [eur] });
  await give(id, seats, value);
  await publish(id);
  const people = await addHolders(id, holders);
  return { id, seats, people };
};

const rolloutOf = async (id: string) => {
  const { body } = await call(admin, listRollouts, { params: { id } });
  return body.items[0];
};

const step = (id: string, now: Date) =>
  platform.db.transaction().execute((db) => takeStep(db, id, now));

/** How many people hold which version of a package now, by its number. */
const heldOf = async (id: string) => {
  const { rows } = await owner.query<{ number: number; rights: number; people: number }>(
    `select v.number, count(*)::int as rights, count(distinct g.user_id)::int as people
     from grants g join package_versions v on v.id = g.version_id
     where g.package_id = $1 and g.starts_at <= now() and g.ends_at > now() group by 1 order by 1`,
    [id],
  );
  return rows;
};

test("a publish is bound to the impact that was shown: if the world moved, it is shown again", async () => {
  const { id, seats } = await sold({ seats: 5, holders: 3 });
  await give(id, seats, 3);
  const shown = (await impactOf(id)).body;
  expect(shown).toMatchObject({ holders: 3, gain: 0, lose: 3 });
  expect(shown.effects).toMatchObject([{ before: "5 seats", after: "3 seats", lose: 3, above: 0 }]);
  await addHolders(id, 1);
  const draftId = (await read(id)).draft?.id ?? "";
  const body = { draftId, note: "Fewer seats.", impact: shown.hash };
  const refused = await call(admin, publishPackage, { params: { id }, body });
  expect(refused.status).toBe(409);
  expect(refused.body["current"]).toMatchObject({ holders: 4, lose: 4 });
  const { hash } = refused.body["current"] as { hash: string };
  const published = await call(admin, publishPackage, {
    params: { id },
    body: { ...body, impact: hash },
  });
  expect(published.body.onSale).toMatchObject({ number: 2 });
});

test("a note is required, and what hinders a publish is told", async () => {
  const { id } = await newPackage();
  const { body } = await impactOf(id);
  expect(body.obstacles).toEqual(["The draft has no apps. Add at least one."]);
  const draftId = (await read(id)).draft?.id ?? "";
  const attempt = (note: string) =>
    call(admin, publishPackage, { params: { id }, body: { draftId, note, impact: body.hash } });
  expect((await attempt(" ")).body["errors"]).toMatchObject([{ pointer: "/note" }]);
  expect((await attempt("Now.")).status).toBe(409);
});

test("the impact tells renewals by currency, people above a lowered limit, and who they are", async () => {
  const { id, seats, people } = await sold({ seats: 10, holders: 4 });
  await owner.query(
    "insert into feature_use (user_id, feature_id, used) select unnest($1::uuid[]), $2, 7",
    [people.slice(0, 2), seats.id],
  );
  await give(id, seats, 6);
  const stored = await read(id);
  await call(admin, changePackage, {
    params: { id },
    version: stored.version,
    body: { code: stored.code, name: stored.name, prices: [{ ...eur, amount: 1500 }] },
  });
  const { body } = await impactOf(id);
  expect(body.effects).toMatchObject([{ lose: 4, above: 2 }]);
  expect(body.renewals).toEqual([
    { currency: "EUR", renewals: 4, changed: 4, before: 4800, after: 6000, withoutPrice: 0 },
  ]);
  expect(body.losers).toHaveLength(4);
  expect(body.lastRenewal).not.toBeNull();
  const file = await call(admin, exportImpact, { params: { id }, query: { effect: "lose" } });
  const lines = file.text.trim().split("\r\n");
  expect(lines).toHaveLength(5);
  expect(lines[1]).toMatch(/,Seats,Harbor,10 seats,6 seats,lose$/);
});

test("the people of a change that touches nobody are an empty file, in every format", async () => {
  const { id, seats } = await sold({ seats: 5, holders: 3 });
  await give(id, seats, 5);
  for (const [format, text] of [
    ["jsonl", ""],
    ["csv", "\r\n"],
  ] as const) {
    const file = await call(admin, exportImpact, { params: { id }, query: { format } });
    expect(file.status).toBe(200);
    expect(file.text.replace(/^[^\r\n]*/, "")).toBe(text);
  }
});

test("changes that are not saved are part of the preview, and nothing is stored", async () => {
  const { id, seats } = await sold({ seats: 5, holders: 2 });
  await give(id, seats, 6);
  const change = { cells: [{ featureId: seats.id, value: 1, was: 6 }] };
  expect((await impactOf(id, change)).body).toMatchObject({ gain: 0, lose: 2 });
  expect((await impactOf(id)).body).toMatchObject({ gain: 2, lose: 0 });
});

test("somebody who has the same from elsewhere loses nothing", async () => {
  const { id, seats, people } = await sold({ seats: 5, holders: 2 });
  await owner.query(
    `insert into grants (user_id, feature_id, value, source, source_id, reason, starts_at)
     values ($1, $2, '9', 'staff', 'test', 'A gift.', now())`,
    [people[0], seats.id],
  );
  await give(id, seats, 3);
  expect((await impactOf(id)).body).toMatchObject({ holders: 2, lose: 1, gain: 0 });
});

test("20 people publish the same draft at once: one wins, nineteen get a clear answer", async () => {
  const { id, seats } = await sold({ seats: 5, holders: 2 });
  await give(id, seats, 8);
  const people = await Promise.all(Array.from({ length: 20 }, () => signIn("catalogue")));
  const draftId = (await read(id)).draft?.id ?? "";
  const { hash } = (await impactOf(id)).body;
  const body = { draftId, note: "At once.", rollout: "now" as const, impact: hash };
  const answers = await Promise.all(
    people.map((person) => call(person, publishPackage, { params: { id }, body })),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const refused = answers.filter(({ status }) => status === 409);
  expect(refused).toHaveLength(19);
  for (const { body: answer } of refused)
    expect(answer["detail"]).toBe("Somebody else has already published it: version 2 is on sale.");
  const { rows } = await owner.query("select from rollouts where package_id = $1", [id]);
  expect(rows).toHaveLength(1);
});

test("moving everybody now gives each the new version until the same end, and says who moved", async () => {
  const { id, seats } = await sold({ seats: 5, holders: 3 });
  await give(id, seats, 8);
  await publish(id, { rollout: "now" });
  const rollout = await rolloutOf(id);
  expect(rollout).toMatchObject({ mode: "now", status: "waiting", holders: 3, moved: 0 });
  await work();
  await vi.waitFor(
    async () => expect(await rolloutOf(id)).toMatchObject({ status: "done", moved: 3 }),
    waiting,
  );
  expect(await heldOf(id)).toEqual([{ number: 2, rights: 3, people: 3 }]);
  const { rows } = await owner.query(
    `select from grants old join grants new on new.id = old.superseded_by
     where old.package_id = $1 and new.starts_at = old.ends_at and new.ends_at = old.promised_until`,
    [id],
  );
  expect(rows).toHaveLength(3);
  const moves = await call(admin, listRolloutMoves, { params: { id: rollout?.id ?? "" } });
  expect(moves.body.items.map(({ from, outcome }) => [from, outcome])).toEqual(
    Array(3).fill([1, "moved"]),
  );
});

test("moving at renewal changes nobody's rights now; what never renews stays", async () => {
  const { id, seats, people } = await sold({ seats: 5, holders: 2 });
  await owner.query(
    `insert into grants (user_id, package_id, version_id, source, source_id, reason, starts_at)
     select $1, package_id, version_id, 'staff', 'test', 'A gift.', now() from grants
     where package_id = $2 limit 1`,
    [people[0], id],
  );
  await give(id, seats, 3);
  await publish(id, { rollout: "renewal" });
  await work();
  await vi.waitFor(
    async () =>
      expect(await rolloutOf(id)).toMatchObject({ status: "done", moved: 0, planned: 2, kept: 1 }),
    waiting,
  );
  expect(await heldOf(id)).toEqual([{ number: 1, rights: 3, people: 2 }]);
  const { rows } = await owner.query<{ number: number }>(
    `select v.number from subscriptions s join package_versions v on v.id = s.next_version_id
     where s.package_id = $1`,
    [id],
  );
  expect(rows.map(({ number }) => number)).toEqual([2, 2]);
});

test("several workers at one rollout move everybody once", async () => {
  // One step moves 1,000, so four workers meet.
  const { id, seats } = await sold({ seats: 5, holders: 2500 });
  await give(id, seats, 8);
  await publish(id, { rollout: "now" });
  const rollout = await rolloutOf(id);
  const now = new Date();
  const go = async () => {
    while (await step(rollout?.id ?? "", now));
  };
  await Promise.all([go(), go(), go(), go()]);
  expect(await rolloutOf(id)).toMatchObject({ status: "done", moved: 2500 });
  expect(await heldOf(id)).toEqual([{ number: 2, rights: 2500, people: 2500 }]);
});

test("a paused rollout moves nobody until it goes on", async () => {
  const { id, seats } = await sold({ seats: 5, holders: 2 });
  await give(id, seats, 8);
  await publish(id, { rollout: "now" });
  const params = { id: (await rolloutOf(id))?.id ?? "" };
  expect((await call(admin, pauseRollout, { params, body: {} })).body.status).toBe("paused");
  expect(await step(params.id, new Date())).toBe(false);
  expect(await heldOf(id)).toMatchObject([{ number: 1 }]);
  expect((await call(admin, pauseRollout, { params, body: {} })).status).toBe(409);
  await call(admin, resumeRollout, { params, body: {} });
  await work();
  await vi.waitFor(async () => expect(await heldOf(id)).toMatchObject([{ number: 2 }]), waiting);
});

// Only nightly: it needs 12,000 subscribers and two processes to be sure to hit the middle.
test.runIf(isNightly)(
  "a rollout killed with -9 halfway goes on, and nobody is moved twice or missed",
  async () => {
    const { id, seats } = await sold({ seats: 5, holders: 12_000 });
    await give(id, seats, 8);
    await publish(id, { rollout: "now" });
    const first = await startWorker();
    await vi.waitFor(async () => expect((await rolloutOf(id))?.moved).toBeGreaterThan(0), {
      ...waiting,
      interval: 5,
    });
    await first.kill();
    const moved = (await rolloutOf(id))?.moved ?? 0;
    expect(moved).toBeLessThan(12_000);
    await startWorker();
    await vi.waitFor(async () => expect((await rolloutOf(id))?.status).toBe("done"), {
      timeout: patiently(90_000),
      interval: 200,
    });
    expect(await rolloutOf(id)).toMatchObject({ holders: 12_000, moved: 12_000 });
    expect(await heldOf(id)).toEqual([{ number: 2, rights: 12_000, people: 12_000 }]);
    const { rows } = await owner.query<{ twice: number }>(
      `select count(*)::int as twice from (
       select user_id from rollout_moves m join rollouts r on r.id = m.rollout_id
       where r.package_id = $1 group by 1 having count(*) > 1) moved`,
      [id],
    );
    expect(rows[0]?.twice).toBe(0);
  },
  patiently(180_000),
);

test("a scheduled version goes on sale at its time, once, with two workers", async () => {
  const { id, seats } = await sold({ seats: 5, holders: 1 });
  await give(id, seats, 8);
  const publishAt = new Date(Date.now() + 1000).toISOString();
  const { body } = await publish(id, { publishAt, rollout: "now" });
  expect(body).toMatchObject({ draft: null, scheduled: { number: 2 }, onSale: { number: 1 } });
  await Promise.all([work(), work()]);
  await vi.waitFor(
    async () => expect((await read(id)).onSale).toMatchObject({ number: 2 }),
    waiting,
  );
  await vi.waitFor(async () => expect((await rolloutOf(id))?.status).toBe("done"), waiting);
  const { rows } = await owner.query(
    `select from audit_entries e join package_versions v on v.id = e.record_id
     where v.package_id = $1 and e.before ->> 'state' = 'scheduled' and e.after ->> 'state' = 'on sale'`,
    [id],
  );
  expect(rows).toHaveLength(1);
  const version = await call(admin, getVersion, { params: { id, number: "2" } });
  expect(version.body).toMatchObject({ publishedBy: "Robin Example", note: "Because it is time." });
});

test("a scheduled version can be taken off the schedule and is a draft again", async () => {
  const { id, seats } = await sold({ seats: 5, holders: 0 });
  await give(id, seats, 8);
  await publish(id, { publishAt: new Date(Date.now() + 86_400_000).toISOString() });
  const { version } = await read(id);
  const { body } = await call(admin, unschedulePackage, { params: { id }, version, body: {} });
  expect(body).toMatchObject({ scheduled: null, draft: { number: 2 } });
  await give(id, seats, 9);
});

test("a rollout from a date begins then", async () => {
  const { id, seats } = await sold({ seats: 5, holders: 1 });
  await give(id, seats, 8);
  const rolloutAt = new Date(Date.now() + 3_600_000).toISOString();
  await publish(id, { rollout: "date", rolloutAt });
  const rollout = await rolloutOf(id);
  expect(rollout).toMatchObject({ mode: "date", status: "waiting", startsAt: rolloutAt });
  expect(await step(rollout?.id ?? "", new Date())).toBe(false);
  const later = new Date(Date.now() + 3_700_000);
  await step(rollout?.id ?? "", later);
  expect(await rolloutOf(id)).toMatchObject({ status: "done", moved: 1 });
});
