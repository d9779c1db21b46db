import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, test } from "vitest";
import { zoneOf } from "#platform/settings.ts";
import { shopIn } from "../transactions/testing/testing.ts";
import { reconcilePayments, settleProviderEvent } from "./jobs.ts";
import { paymentIntent, productWithProviders } from "./testing/testing.ts";

// Stands in for Stripe's API and counts the requests for a payment.
const payments = new Map<string, object>();
const requested: string[] = [];
const stripeApi = createServer((request, reply) => {
  const id = request.url?.split("/").at(-1) ?? "";
  requested.push(id);
  const found = payments.get(id);
  reply.writeHead(found ? 200 : 404, { "content-type": "application/json" });
  reply.end(
    JSON.stringify(
      found ?? { error: { type: "invalid_request_error", message: "No such payment" } },
    ),
  );
});
await new Promise<void>((resolve) => stripeApi.listen(0, "127.0.0.1", resolve));
afterAll(() => void stripeApi.close());

const { port } = stripeApi.address() as AddressInfo;
const product = await productWithProviders({
  STRIPE_SECRET_KEY: "sk_test_1",
  STRIPE_API_URL: `http://127.0.0.1:${port}`,
});
const { platform, providers } = product;
const { sellPackage, saleOf, sell, read } = await shopIn(product);

const findZone = zoneOf(platform.config);
const job = reconcilePayments(providers, settleProviderEvent(providers, findZone), findZone);

/** Runs the job as a worker would at that time. */
const reconcileAt = (now: Date) => {
  const enqueue = platform.queues.enqueueIn(platform.db);
  return job.run(
    {
      db: platform.db,
      now,
      enqueue,
      step: (work) => platform.db.transaction().execute((db) => work(db, enqueue)),
    },
    {},
  );
};

const pendingSale = async () => {
  const payment = `pi_${randomUUID()}`;
  const more = { state: "pending", provider: "stripe", reference: payment };
  return { payment, sale: await sell(saleOf((await sellPackage()).id), more) };
};

const minutes = (count: number) => new Date(Date.now() + count * 60_000);

test("looks up a stuck payment with growing delays until Stripe has a result", async () => {
  const { payment, sale } = await pendingSale();
  payments.set(payment, paymentIntent(payment, 1200, { status: "processing" }));
  const askedAt: number[] = [];
  for (let minute = 0; minute <= 90; minute += 1) {
    const before = requested.length;
    await reconcileAt(minutes(minute));
    if (requested.length > before) askedAt.push(minute);
  }
  expect(askedAt).toEqual([5, 20, 80]);
  expect((await read(sale.id)).reconciliation).toMatchObject({
    attempts: 3,
    lastAnswer: "No result yet.",
  });
  payments.set(payment, paymentIntent(payment, 1200, { status: "succeeded" }));
  await reconcileAt(minutes(80 + 240));
  expect(await read(sale.id)).toMatchObject({ state: "succeeded" });
});

test("marks a payment as unknown after a day and keeps looking it up", async () => {
  const { payment, sale } = await pendingSale();
  await reconcileAt(minutes(25 * 60));
  const details = await read(sale.id);
  expect(details.state).toBe("unknown");
  expect(details.reconciliation?.lastAnswer).toContain("The lookup failed");
  payments.set(payment, paymentIntent(payment, 1200, { status: "succeeded" }));
  await reconcileAt(minutes(26 * 60));
  expect(await read(sale.id)).toMatchObject({ state: "succeeded" });
});
