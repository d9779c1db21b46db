import { setTimeout } from "node:timers/promises";
import {
  getWebhookDelivery,
  listWebhookDeliveries,
  listWebhookEndpoints,
  replayGivenUp,
  replayWebhookDelivery,
  rollWebhookSecret,
  testWebhookEndpoint,
} from "@purser/contract/workspace/webhooks";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { expect, test, vi } from "vitest";
import { startPollers } from "#platform/jobs/pollers.ts";
import { stepsOf } from "#platform/jobs/work.ts";
import { reachOf } from "#platform/outbound/targets.ts";
import { patiently } from "../../patience.testing.ts";
import { isNightly } from "../../runs.testing.ts";
import { atEnd } from "../../testing.ts";
import { workersOf } from "../packages/testing/workers.testing.ts";
import { shopIn } from "../transactions/testing/testing.ts";
import { deliverWebhooks } from "./deliver.ts";
import { hooksIn, productFor, startReceiver } from "./testing/testing.ts";

const waiting = { timeout: patiently(20_000), interval: 20 };

/** The product with a receiver of its own; `deliver` starts workers that lose no time between tries. */
const office = async () => {
  const receiver = await startReceiver();
  const product = await productFor(receiver);
  const { config, platform } = product;
  const { db, log, now, queues, announcements } = platform;
  const deliver = (retryDelaysMs?: number[]) => {
    const loop = deliverWebhooks({
      reach: reachOf(config),
      secretKey: config.SECRET_KEY,
      ...(retryDelaysMs && { retryDelaysMs }),
    });
    const stepOf = stepsOf(queues, { db, announce: announcements.announce });
    const stop = startPollers([{ ...loop, everyMs: 50 }], { db, log, now, stepOf });
    atEnd(stop);
    return stop;
  };
  return { receiver, product, deliver, ...(await hooksIn(product)) };
};

const idsOf = (arrived: { headers: Record<string, string> }[]) =>
  arrived.map(({ headers }) => headers["webhook-id"]);

test("I7 a sale is told: signed, of what it changed, without anything personal", async () => {
  const { receiver, product, deliver, newEndpoint } = await office();
  const { secret } = await newEndpoint(receiver.url);
  deliver();
  const shop = await shopIn(product);
  const { id: packageId } = await shop.sellPackage();
  const sale = shop.saleOf(packageId);
  const sold = await shop.record(sale);
  expect(sold.status).toBe(201);
  await vi.waitFor(() => expect(receiver.arrived.length).toBeGreaterThanOrEqual(3), waiting);
  const events = receiver.arrived.map(
    ({ body, headers }) => new Webhook(secret).verify(body, headers) as Record<string, unknown>,
  );
  expect(new Set(events.map(({ type }) => type))).toEqual(
    new Set(["entitlements.changed", "subscription.changed", "transaction.changed"]),
  );
  expect(events).toContainEqual(
    expect.objectContaining({
      type: "transaction.changed",
      data: expect.objectContaining({
        user: { id: sold.body.user.id, externalId: null },
        transaction: expect.objectContaining({ number: sold.body.number, state: "succeeded" }),
      }),
    }),
  );
  expect(receiver.arrived.map(({ body }) => body).join()).not.toContain(sale.email);
  const wrong = new Webhook(`whsec_${Buffer.alloc(32).toString("base64")}`);
  const [first] = receiver.arrived;
  expect(() => wrong.verify(first?.body ?? "", first?.headers ?? {})).toThrow();
});

test("I7 a change that is rolled back is never told, and without an endpoint nothing is written", async () => {
  const { receiver, product, deliver, newEndpoint, newPerson, grantTo } = await office();
  const person = await newPerson();
  await grantTo(person);
  const eventsNow = async () =>
    (await product.owner.query("select type, user_id, seq from webhook_events order by number"))
      .rows;
  expect(await eventsNow()).toEqual([]);
  await newEndpoint(receiver.url, ["entitlements.changed"]);
  const client = await product.owner.connect();
  await client.query("begin");
  await grantTo(person, client);
  await client.query("rollback");
  client.release();
  expect(await eventsNow()).toEqual([]);
  await grantTo(person);
  expect(await eventsNow()).toHaveLength(1);
  deliver();
  await vi.waitFor(() => expect(receiver.arrived).toHaveLength(1), waiting);
  expect(await eventsNow()).toMatchObject([{ user_id: person, seq: "1" }]);
});

test("while a secret is changed both sign, and afterwards the new one alone", async () => {
  const { receiver, product, deliver, admin, newEndpoint } = await office();
  const { id, secret: old, version } = await newEndpoint(receiver.url);
  const { call } = product;
  const body = { keepHours: 24 };
  const rolled = await call(admin, rollWebhookSecret, { params: { id }, version, body });
  expect(rolled.body.previousUntil).not.toBeNull();
  await call(admin, testWebhookEndpoint, { params: { id }, body: {} });
  deliver();
  await vi.waitFor(() => expect(receiver.arrived).toHaveLength(1), waiting);
  const [{ body: sent, headers } = { body: "", headers: {} }] = receiver.arrived;
  for (const secret of [old, rolled.body.secret])
    expect(new Webhook(secret).verify(sent, headers)).toMatchObject({ type: "test" });

  const now = { params: { id }, version: rolled.body.version, body: { keepHours: 0 } };
  const last = await call(admin, rollWebhookSecret, now);
  await call(admin, testWebhookEndpoint, { params: { id }, body: {} });
  await vi.waitFor(() => expect(receiver.arrived).toHaveLength(2), waiting);
  const [, second = { body: "", headers: {} }] = receiver.arrived;
  expect(new Webhook(last.body.secret).verify(second.body, second.headers)).toBeTruthy();
  expect(() => new Webhook(rolled.body.secret).verify(second.body, second.headers)).toThrow();
});

test("what fails is tried again in its place and then given up, and can be sent again with the same id", async () => {
  const { receiver, product, deliver, admin, newEndpoint, newPerson, grantTo } = await office();
  const { call } = product;
  const { id } = await newEndpoint(receiver.url);
  const person = await newPerson();
  const grants = [await grantTo(person), await grantTo(person)];
  const isFirst = (body: string) => body.includes(grants[0] ?? "");
  receiver.onArrival(({ body }) => (isFirst(body) ? 302 : 200));
  deliver([20, 20]);
  await vi.waitFor(() => expect(receiver.arrived).toHaveLength(4), waiting);
  const ids = idsOf(receiver.arrived);
  expect(new Set(ids.slice(0, 3)).size).toBe(1);
  expect(ids[3]).not.toBe(ids[0]);

  const stateNow = async (state: string) =>
    (await call(admin, listWebhookDeliveries, { query: { f: [`state:any:${state}`] } })).body.items;
  await vi.waitFor(async () => expect(await stateNow("delivered")).toHaveLength(1), waiting);
  const [lost] = await stateNow("given up");
  expect(lost).toMatchObject({
    attempts: 3,
    lastStatus: 302,
    lastError: "It answered 302; redirects are not followed.",
  });
  const params = { id: lost?.id ?? "" };
  const details = (await call(admin, getWebhookDelivery, { params })).body;
  expect(details.tries).toHaveLength(3);
  expect(details.answer).toBe("An answer.");
  expect(JSON.parse(details.payload)).toMatchObject({ data: { sequence: 1 } });
  const [shown] = (await call(admin, listWebhookEndpoints)).body.items;
  expect(shown).toMatchObject({ lately: { attempted: 2, delivered: 1 }, givenUp: { count: 1 } });

  receiver.onArrival(() => 200);
  const again = await call(admin, replayWebhookDelivery, { params, body: {} });
  expect(again.body.state).toBe("waiting");
  await vi.waitFor(() => expect(receiver.arrived).toHaveLength(5), waiting);
  expect(idsOf(receiver.arrived)[4]).toBe(ids[0]);
  await vi.waitFor(async () => expect(await stateNow("delivered")).toHaveLength(2), waiting);

  await product.owner.query(
    "update webhook_deliveries set state = 'given up', delivered_at = null where id = $1",
    [params.id],
  );
  const since = new Date(Date.now() - 60_000).toISOString();
  const all = await call(admin, replayGivenUp, { params: { id }, body: { since } });
  expect(all.body).toEqual({ sent: 1 });
  await vi.waitFor(() => expect(idsOf(receiver.arrived)[5]).toBe(ids[0]), waiting);
});

test("an endpoint that is gone, or dead for days, is disabled and says why", async () => {
  const { receiver, product, deliver, admin, newEndpoint, newPerson, grantTo } = await office();
  const { id } = await newEndpoint(receiver.url);
  receiver.onArrival(() => 500);
  await grantTo(await newPerson());
  await product.owner.query(
    "update webhook_endpoints set failing_since = now() - interval '70 hours' where id = $1",
    [id],
  );
  deliver([]);
  await vi.waitFor(async () => {
    const [shown] = (await product.call(admin, listWebhookEndpoints)).body.items;
    expect(shown).toMatchObject({
      status: "disabled",
      disabledBecause: "Nothing has arrived for 70 hours.",
      lastFailure: { error: "It answered 500." },
    });
  }, waiting);
  const { rows } = await product.owner.query(
    "select actor_name, after ? 'secret' as leaks from audit_entries where record_id = $1 order by id desc",
    [id],
  );
  expect(rows[0]).toEqual({ actor_name: "deliver-webhooks", leaks: false });
});

test(
  "in order for each person, with two workers and an endpoint that fails at random",
  async () => {
    const { receiver, deliver, newEndpoint, newPerson, grantTo } = await office();
    await newEndpoint(receiver.url);
    const random = fc.sample(fc.integer({ min: 0, max: 99 }), { numRuns: 5000, seed: 7 });
    let tries = 0;
    const open = new Set<string>();
    let overlaps = 0;
    receiver.onArrival(async ({ body }) => {
      const person = JSON.parse(body).data.user.id;
      if (open.has(person)) overlaps += 1;
      open.add(person);
      // Long enough that another worker could be there too.
      await setTimeout(3);
      open.delete(person);
      return (random[tries++ % random.length] ?? 0) < 30 ? 503 : 200;
    });
    const many = new Array(60).fill(5);
    deliver(many);
    deliver(many);
    const people = await Promise.all(Array.from({ length: 8 }, newPerson));
    const each = 15;
    for (let round = 0; round < each; round += 1)
      await Promise.all(people.map((one) => grantTo(one)));

    const firstSeen = () => {
      const seen = new Set<string>();
      const sequences = new Map<string, number[]>();
      for (const { headers, body } of receiver.arrived) {
        const id = headers["webhook-id"] ?? "";
        if (seen.has(id)) continue;
        seen.add(id);
        const { user, sequence } = JSON.parse(body).data;
        sequences.set(user.id, [...(sequences.get(user.id) ?? []), sequence]);
      }
      return sequences;
    };
    await vi.waitFor(
      () => expect([...firstSeen().values()].flat()).toHaveLength(people.length * each),
      waiting,
    );
    const expected = Array.from({ length: each }, (_, place) => place + 1);
    for (const person of people) expect(firstSeen().get(person)).toEqual(expected);
    expect(receiver.arrived.length).toBeGreaterThan(people.length * each);
    expect(overlaps).toBe(0);
  },
  patiently(60_000),
);

// Only nightly: two worker processes, and the second waits until the lease of the first is over.
test.runIf(isNightly)(
  "what a worker sent before it was killed with -9 is sent again with the same id",
  async () => {
    const { receiver, product, newEndpoint, newPerson, grantTo } = await office();
    await newEndpoint(receiver.url);
    const { startWorker } = workersOf(product);
    const first = await startWorker();
    // It has the event, and the worker dies before it hears so.
    receiver.onArrival(async () => {
      await first.kill();
      return 200;
    });
    await grantTo(await newPerson());
    await vi.waitFor(() => expect(receiver.arrived).toHaveLength(1), waiting);
    await first.kill();
    receiver.onArrival(() => 200);
    await startWorker();
    await vi.waitFor(() => expect(receiver.arrived).toHaveLength(2), {
      ...waiting,
      timeout: patiently(40_000),
    });
    const [one, two] = idsOf(receiver.arrived);
    expect(two).toBe(one);
    await vi.waitFor(async () => {
      const { rows } = await product.owner.query("select state from webhook_deliveries");
      expect(rows).toEqual([{ state: "delivered" }]);
    }, waiting);
  },
  patiently(90_000),
);

test("an event arrives within two seconds of its commit", async () => {
  const { receiver, product, newEndpoint, newPerson, grantTo } = await office();
  await newEndpoint(receiver.url);
  await product.product.work();
  const person = await newPerson();
  const took: number[] = [];
  for (let nth = 1; nth <= 8; nth += 1) {
    await grantTo(person);
    const committed = Date.now();
    await vi.waitFor(() => expect(receiver.arrived).toHaveLength(nth), waiting);
    took.push((receiver.arrived.at(-1)?.at ?? 0) - committed);
  }
  expect(Math.max(...took)).toBeLessThan(2000);
});
