import { setTimeout } from "node:timers/promises";
import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { patiently } from "../../patience.testing.ts";
import { isNightly } from "../../runs.testing.ts";
import { workersOf } from "../packages/testing/workers.testing.ts";
import { idsOf, productWithReceiver, waiting } from "./testing/deliveries.testing.ts";

test(
  "keeps the order per customer with two workers and random failures",
  async () => {
    const { receiver, deliver, newEndpoint, newCustomer, grantTo } = await productWithReceiver();
    await newEndpoint(receiver.url);
    const random = fc.sample(fc.integer({ min: 0, max: 99 }), { numRuns: 5000, seed: 7 });
    let attempts = 0;
    const open = new Set<string>();
    let overlaps = 0;
    receiver.onArrival(async ({ body }) => {
      const customer = JSON.parse(body).data.user.id;
      if (open.has(customer)) overlaps += 1;
      open.add(customer);
      // Long enough for another worker to send concurrently.
      await setTimeout(3);
      open.delete(customer);
      return (random[attempts++ % random.length] ?? 0) < 30 ? 503 : 200;
    });
    const many = new Array(60).fill(5);
    deliver(many);
    deliver(many);
    const customers = await Promise.all(Array.from({ length: 8 }, newCustomer));
    const each = 15;
    for (let round = 0; round < each; round += 1)
      await Promise.all(customers.map((one) => grantTo(one)));

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
      () => expect([...firstSeen().values()].flat()).toHaveLength(customers.length * each),
      waiting,
    );
    const expected = Array.from({ length: each }, (_, place) => place + 1);
    for (const customer of customers) expect(firstSeen().get(customer)).toEqual(expected);
    expect(receiver.arrived.length).toBeGreaterThan(customers.length * each);
    expect(overlaps).toBe(0);
  },
  patiently(60_000),
);

// Only nightly: starts two worker processes, and the second waits for the first one's claim to expire.
test.runIf(isNightly)(
  "sends an event again with the same ID after a worker was killed with -9",
  async () => {
    const { receiver, product, newEndpoint, newCustomer, grantTo } = await productWithReceiver();
    await newEndpoint(receiver.url);
    const { startWorker } = workersOf(product);
    const first = await startWorker();
    // The receiver has the event, and the worker dies before it gets the answer.
    receiver.onArrival(async () => {
      await first.kill();
      return 200;
    });
    await grantTo(await newCustomer());
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
