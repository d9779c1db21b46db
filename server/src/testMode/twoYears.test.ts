import { randomUUID } from "node:crypto";
import {
  cancelSubscription,
  changeSubscription,
  getSubscription,
  startTrial,
} from "@purser/contract/subscriptions/endpoints";
import { getTestClock, moveTestClock } from "@purser/contract/testMode/endpoints";
import { resolveTransaction } from "@purser/contract/transactions/actions";
import { expect, test, vi } from "vitest";
import { findBroken, type Query } from "../modules/transactions/testing/invariants.testing.ts";
import { shopIn } from "../modules/transactions/testing/testing.ts";
import { patiently } from "../patience.testing.ts";
import { bothModes } from "./bothModes.testing.ts";

const { test: testMode, live } = await bothModes({ works: true });
const { call, owner } = testMode;
const { admin, sellPackage, read } = await shopIn(testMode);
const query: Query = async (text, values) => (await owner.query(text, values)).rows;
const dayMs = 86_400_000;

const nowThere = async () => new Date((await call(admin, getTestClock)).body.now as string);

const moveTo = async (to: Date) => {
  const started = await call(admin, moveTestClock, { body: { to: to.toISOString() } });
  expect(started.status, started.text).toBe(202);
  await vi.waitFor(
    async () => {
      const { body } = await call(admin, getTestClock);
      expect(body.failure).toBeNull();
      expect(body.move).toBeNull();
    },
    { timeout: patiently(30_000), interval: 50 },
  );
};

const subscriptionOf = async (id: string) =>
  (await call(admin, getSubscription, { params: { id } })).body;

const idOf = async (text: string, values: unknown[]) =>
  (await query<{ id: string }>(text, values))[0]?.id ?? "";

const openPayment = (id: string) =>
  idOf("select id from transactions where subscription_id = $1 and state = 'pending'", [id]);

const resolve = async (id: string, outcome: "succeeded" | "failed") => {
  const { version } = await read(id);
  const body = { outcome, evidence: "The bank says so" };
  const done = await call(admin, resolveTransaction, { params: { id }, version, body });
  expect(done.status, done.text).toBe(200);
};

/** Moves past the end of the period and pays the next one. */
const renewPaid = async (id: string) => {
  const { periodEnd } = await subscriptionOf(id);
  await moveTo(new Date(Date.parse(periodEnd as string) + 1000));
  await resolve(await openPayment(id), "succeeded");
  expect((await subscriptionOf(id)).status).toBe("active");
};

test(
  "two years of a subscription pass in a minute",
  async () => {
    const began = performance.now();
    const from = await nowThere();
    const pack = await sellPackage({ trialDays: 14 });
    const other = await sellPackage();
    const started = await call(admin, startTrial, {
      body: {
        email: `${randomUUID()}@example.com`,
        packageId: pack.id,
        currency: "EUR",
        interval: "month",
      },
    });
    expect(started.status, started.text).toBe(201);
    const { id } = started.body;
    for (let month = 0; month < 6; month += 1) await renewPaid(id);

    // A payment fails. Access goes on for the grace period, in which another payment succeeds.
    const { periodEnd } = await subscriptionOf(id);
    await moveTo(new Date(Date.parse(periodEnd as string) + 1000));
    await resolve(await openPayment(id), "failed");
    await moveTo(new Date((await nowThere()).getTime() + 2 * dayMs));
    const late = await subscriptionOf(id);
    expect(late.status).toBe("past due");
    expect(Date.parse(late.accessUntil as string)).toBeGreaterThan((await nowThere()).getTime());
    const failed = "select id from transactions where subscription_id = $1 and state = 'failed'";
    await resolve(await idOf(failed, [id]), "succeeded");
    expect((await subscriptionOf(id)).status).toBe("active");

    // At the end of the period it changes to a yearly price of another package.
    const before = await subscriptionOf(id);
    const changed = await call(admin, changeSubscription, {
      params: { id },
      version: before.version,
      body: { packageId: other.id, interval: "year", when: "period end", reason: "Asked" },
    });
    expect(changed.status, changed.text).toBe(200);
    await moveTo(new Date(Date.parse(before.periodEnd as string) + 1000));
    await resolve(await openPayment(id), "succeeded");
    // The new package is another subscription.
    const nextId = await idOf(
      "select id from subscriptions where user_id = $1 and status = 'active'",
      [before.user.id],
    );
    const { version, periodEnd: last, package: now } = await subscriptionOf(nextId);
    expect(now.id).toBe(other.id);
    const canceled = await call(admin, cancelSubscription, {
      params: { id: nextId },
      version,
      body: { when: "period end", reason: "Asked" },
    });
    expect(canceled.status, canceled.text).toBe(200);
    await moveTo(new Date(Math.max(Date.parse(last as string), +from + 730 * dayMs) + dayMs));
    const ended = await subscriptionOf(nextId);
    expect(ended.status).toBe("ended");
    // Triggers have the time of the clock, too.
    expect(Date.parse(ended.endedAt as string) - Date.parse(last as string)).toBeLessThan(dayMs);

    expect((await nowThere()).getTime() - +from).toBeGreaterThan(730 * dayMs);
    expect(await findBroken(query)).toEqual([]);
    expect(performance.now() - began).toBeLessThan(patiently(60_000));
    const { rows } = await live.owner.query("select count(*)::int as sales from transactions");
    expect(rows).toEqual([{ sales: 0 }]);
  },
  patiently(120_000),
);

test("the clock only moves forward, at most two years at once, and not twice at a time", async () => {
  const now = await nowThere();
  const at = (ms: number) => ({ body: { to: new Date(+now + ms).toISOString() } });
  expect((await call(admin, moveTestClock, at(-dayMs))).status).toBe(400);
  expect((await call(admin, moveTestClock, at(800 * dayMs))).status).toBe(400);
  const both = await Promise.all([1, 2].map(() => call(admin, moveTestClock, at(40 * dayMs))));
  expect(both.map(({ status }) => status).sort()).toEqual([202, 409]);
  await vi.waitFor(async () => expect((await call(admin, getTestClock)).body.move).toBeNull(), {
    timeout: patiently(30_000),
    interval: 50,
  });
  expect((await nowThere()).getTime()).toBeGreaterThanOrEqual(+now + 40 * dayMs);
  await expect(owner.query("update test_clock set ahead_ms = 0")).rejects.toThrow("moves forward");
});

test("the clock can be moved by owners and admins only", async () => {
  const to = new Date((await nowThere()).getTime() + dayMs).toISOString();
  const support = await live.signIn("support");
  expect((await call(support, moveTestClock, { body: { to } })).status).toBe(403);
  expect((await live.call(admin, moveTestClock, { body: { to } })).status).toBe(404);
});
