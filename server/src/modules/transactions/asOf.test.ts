import { setImmediate } from "node:timers/promises";
import { getEntitlements } from "@purser/contract/entitlements/explanation";
import { grantAccess, revokeAccess } from "@purser/contract/entitlements/grants";
import { changeFeature } from "@purser/contract/features/endpoints";
import {
  cancelSubscription,
  pauseSubscription,
  resumeSubscription,
} from "@purser/contract/subscriptions/endpoints";
import { refundTransaction } from "@purser/contract/transactions/actions";
import fc from "fast-check";
import { expect, test } from "vitest";
import { patiently } from "#patience.testing.ts";
import { sized } from "#runs.testing.ts";
import { testProduct } from "#testing.ts";
import { grantsIn } from "../entitlements/testing/testing.ts";
import { findDueRollouts, takeStep } from "../packages/rollouts/rolloutQueries.ts";
import { shopIn } from "./testing/testing.ts";

const product = await testProduct();
const { call, owner, platform } = product;
const shop = await shopIn(product);
const { admin, newApp, newLimit, newPackage, give, publish, saleOf, record } = shop;
const { newCustomer } = grantsIn(product, admin);

/** The number of changes between the first and the last answer. */
const changesMade = sized({ gate: 150, nightly: 1000 });
const dayMs = 86_400_000;

const app = await newApp();
const features = [
  await newLimit(app.id, "Seats", { defaultValue: 1 }),
  await newLimit(app.id, "Storage", { defaultValue: 2, combining: "sum" }),
  await newLimit(app.id, "Exports", { defaultValue: 0 }),
];
const prices = [{ currency: "EUR", amount: 1200, interval: "month" }] as const;
const sold: string[] = [];
for (const [place, group] of ["plans", "plans", null, null].entries()) {
  const kind = group === null ? "add-on" : "base";
  const made = await newPackage({ name: `Package ${place}`, kind, group, prices });
  for (const feature of features.slice(place % 2)) await give(made.id, feature, 5 + place);
  expect((await publish(made.id)).status).toBe(200);
  sold.push(made.id);
}
const people = await Promise.all(Array.from({ length: 12 }, () => newCustomer()));

const changes = fc.record({
  kind: fc.constantFrom(
    ...["give feature", "give package", "revoke", "sale", "sale", "refund", "cancel", "pause"],
    ...["resume", "suspend", "restore", "default", "shorten", "publish"],
  ),
  who: fc.nat({ max: people.length - 1 }),
  what: fc.nat({ max: 11 }),
  n: fc.nat({ max: 40 }),
});
type Named = typeof changes extends fc.Arbitrary<infer C> ? C : never;

const changeOf = ({ kind, who, what, n }: Named) => {
  const [person, feature, pack] = [people[who], features[what % 3], sold[what % 4]];
  if (!person || !feature || !pack) throw new Error("Nothing is there to be changed.");
  return { kind, person, feature, pack, n };
};
type Change = ReturnType<typeof changeOf>;

/** One matching row of the customer, if there is any. */
const pick = async (text: string, { person, n }: Change) => {
  const { rows } = await owner.query<{ id: string; version: number; total: number }>(text, [
    person.id,
  ]);
  return rows[n % Math.max(1, rows.length)];
};

const runningGrants = "select id from grants where user_id = $1 and ends_at > now()";
const subscriptionsThat = (status: string) =>
  `select id, version from subscriptions where user_id = $1 and status = '${status}' order by id`;

const rollOutAll = async () => {
  for (const { id } of await findDueRollouts(platform.db, new Date()))
    while (await platform.db.transaction().execute((db) => takeStep(db, id, new Date())));
};

const actions: Record<string, (change: Change) => Promise<unknown>> = {
  "give feature": ({ person, feature, n }) => {
    const endsAt = n % 3 === 0 ? null : new Date(Date.now() + n * dayMs + 1000).toISOString();
    const body = { userId: person.id, featureId: feature.id, value: n, endsAt, reason: "A gift." };
    return call(admin, grantAccess, { body });
  },
  "give package": ({ person, pack }) => {
    const body = { userId: person.id, packageId: pack, endsAt: null, reason: "A gift." };
    return call(admin, grantAccess, { body });
  },
  revoke: async (change) => {
    const grant = await pick(runningGrants, change);
    if (!grant) return;
    await call(admin, revokeAccess, { params: { id: grant.id }, body: { reason: "No." } });
  },
  sale: ({ person, pack, n }) => {
    const occurredAt = new Date(Date.now() - n * dayMs - 1000).toISOString();
    return record(saleOf(pack, { email: person.email, occurredAt }), { isNoDuplicate: true });
  },
  refund: async (change) => {
    const sale = await pick(
      `select id, (total - refunded)::float8 as total from transactions
       where user_id = $1 and kind = 'purchase' and state = 'succeeded' and refunded < total order by id`,
      change,
    );
    if (!sale) return;
    const access = change.n % 2 === 0 ? ("end now" as const) : ("end with period" as const);
    const body = { amount: sale.total, access, reason: "Asked." };
    await call(admin, refundTransaction, { params: { id: sale.id }, body });
  },
  cancel: async (change) => {
    const subscription = await pick(subscriptionsThat("active"), change);
    if (!subscription) return;
    const body = { when: "now" as const, reason: "Asked." };
    await call(admin, cancelSubscription, {
      params: { id: subscription.id },
      version: subscription.version,
      body,
    });
  },
  pause: async (change) => {
    const subscription = await pick(subscriptionsThat("active"), change);
    if (!subscription) return;
    const { id, version } = subscription;
    await call(admin, pauseSubscription, { params: { id }, version, body: { reason: "A rest." } });
  },
  resume: async (change) => {
    const subscription = await pick(subscriptionsThat("paused"), change);
    if (!subscription) return;
    await call(admin, resumeSubscription, {
      params: { id: subscription.id },
      version: subscription.version,
      body: {},
    });
  },
  suspend: ({ person }) =>
    owner.query("update users set status = 'suspended' where id = $1", [person.id]),
  restore: ({ person }) =>
    owner.query("update users set status = 'active' where id = $1", [person.id]),
  default: async ({ feature, n }) => {
    const { rows } = await owner.query("select version from features where id = $1", [feature.id]);
    const { code, name, kind, unit, combining } = feature;
    const body = { code, name, kind, unit, combining, defaultValue: n };
    const changed = await call(admin, changeFeature, {
      params: { id: feature.id },
      version: rows[0].version,
      body,
    });
    expect(changed.status, changed.text).toBe(200);
  },
  shorten: ({ person, n }) =>
    owner.query(
      `update grants set ends_at = greatest(starts_at, now() - $2 * interval '1 day')
       where id = (select id from grants where user_id = $1 and ends_at > now() order by id limit 1)`,
      [person.id, n],
    ),
  publish: async ({ pack, feature, n }) => {
    await give(pack, feature, n);
    await publish(pack, { rollout: "now" });
    await rollOutAll();
  },
};

/** Times have milliseconds, so changes must be at least one millisecond apart. */
const nextMillisecond = async () => {
  const at = Date.now();
  while (Date.now() <= at) await setImmediate();
};

type Asked = { id: string; at?: string };

/** The answer about a customer without what depends on now: usage, renewals and packages on sale. */
const ask = async ({ id, at }: Asked) => {
  const { body, status } = await call(admin, getEntitlements, {
    params: { id },
    query: at === undefined ? {} : { at },
  });
  expect(status).toBe(200);
  const answer = body.items.map(({ feature, app: of, value, reason, rule, lines }) => ({
    feature,
    app: of,
    value,
    reason,
    rule,
    lines: lines.map(({ renewsAt: _, cause: __, ...line }) => line),
  }));
  return { at: body.at, status: body.customer.status, answer };
};

test(
  `an answer as of an earlier time is the same after ${changesMade} changes`,
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(changes, { minLength: changesMade, maxLength: changesMade }),
        async (made) => {
          const answers: { id: string; answer: Awaited<ReturnType<typeof ask>> }[] = [];
          for (const change of made.map(changeOf)) {
            await actions[change.kind]?.(change);
            await nextMillisecond();
            const { id } = change.person;
            answers.push({ id, answer: await ask({ id }) });
            await nextMillisecond();
          }
          const values = answers.flatMap(({ answer }) => answer.answer.map(({ value }) => value));
          expect(new Set(values).size).toBeGreaterThan(10);
          for (const { id, answer } of answers)
            expect(await ask({ id, at: answer.at })).toEqual(answer);
        },
      ),
      { numRuns: 1, endOnFailure: true },
    );
  },
  patiently(600_000),
);
