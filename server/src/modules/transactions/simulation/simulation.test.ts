import { getPromotionResults } from "@purser/contract/promotions/endpoints";
import {
  cancelSimulation,
  getSimulation,
  startSimulation,
} from "@purser/contract/promotions/simulations";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { findResults } from "../../promotions/queries.ts";
import { shopIn } from "../testing/testing.ts";
import { simulatePromotion } from "./jobs.ts";

const product = await testProduct();
const { call, platform, owner } = product;
const { admin, sellPackage, promote, saleOf, sell } = await shopIn(product);

/** Runs the job like a worker. */
const work = (id: string) => {
  const enqueue = platform.queues.enqueueIn(platform.db);
  return simulatePromotion.run(
    {
      db: platform.db,
      now: new Date(),
      enqueue,
      step: (within) => platform.db.transaction().execute((db) => within(db, enqueue)),
    },
    { id },
  );
};

const start = async (details: object, promotionId?: string) => {
  const written = {
    name: "Draft",
    kind: "percent",
    basisPoints: 2000,
    requiresCode: false,
    ...details,
  };
  const body = { details: written, ...(promotionId && { promotionId }) } as never;
  const started = await call(admin, startSimulation, { body });
  expect(started.status, started.text).toBe(202);
  return started.body;
};

const simulation = async (details: object, promotionId?: string) => {
  const { id } = await start(details, promotionId);
  await work(id);
  const { body } = await call(admin, getSimulation, { params: { id } });
  expect(body.status).toBe("done");
  return { ...body, result: body.result ?? expect.fail("It came to nothing.") };
};

test("simulates a draft on past sales with its cost, customers and displaced promotions", async () => {
  const pack = await sellPackage();
  const other = await promote({ code: "OTHER", packageIds: [pack.id] });
  const plain = await sell(saleOf(pack.id));
  await sell(saleOf(pack.id, { codes: ["OTHER"] }));
  await sell(saleOf(pack.id, { interval: "year" }));
  await sell(saleOf(pack.id), { state: "pending" });
  const packageIds = [pack.id];
  const { result, share } = await simulation({ packageIds, intervals: ["month"] });
  expect(share).toBe(1);
  expect(result).toMatchObject({
    redemptions: 2,
    customers: 2,
    byCurrency: [{ currency: "EUR", redemptions: 2, given: 480, before: 120, after: 480 }],
    displaced: [
      {
        promotionId: other.id,
        name: "Promotion",
        redemptions: 1,
        byCurrency: [{ currency: "EUR", given: 120 }],
      },
    ],
    withheld: [{ reason: "interval", sales: 1 }],
  });
  expect(result.examples).toHaveLength(2);
  expect(result.examples[0]).toMatchObject({
    number: plain.number,
    user: { email: plain.user.email },
    given: 240,
  });
});

test("respects redemption limits, limits per customer and budgets", async () => {
  const pack = await sellPackage();
  const packageIds = [pack.id];
  const email = "twice.replayed@example.com";
  await sell(saleOf(pack.id, { email }));
  await sell(saleOf(pack.id, { email }), { isNoDuplicate: true });
  await sell(saleOf(pack.id));
  await sell(saleOf(pack.id));
  expect((await simulation({ packageIds, redemptionLimit: 3 })).result.redemptions).toBe(3);
  expect((await simulation({ packageIds, redemptionLimitPerCustomer: 1 })).result.redemptions).toBe(
    3,
  );
  const amounts = [{ currency: "EUR", budget: 500 }];
  const { byCurrency } = (await simulation({ packageIds, amounts })).result;
  expect(byCurrency[0]?.given).toBeLessThanOrEqual(500);
  expect((await simulation({ packageIds, audience: "first purchase" })).result.redemptions).toBe(3);
});

test("a simulated promotion gives what it gave in the past", async () => {
  const pack = await sellPackage();
  const details = {
    packageIds: [pack.id],
    requiresCode: false,
    basisPoints: 1250,
    kind: "percent",
  };
  const real = await promote({ ...details, stacking: "stackable" });
  for (const interval of ["month", "year", "once"] as const)
    await sell(saleOf(pack.id, { interval }));
  const { body } = await call(admin, getPromotionResults, { params: { id: real.id } });
  expect(body).toMatchObject({ redemptions: 3, customers: 3, countedSince: null });
  const newest = await findResults(platform.db, real.id, 2);
  expect(newest).toMatchObject({ redemptions: 2, customers: 2, countedSince: expect.any(Date) });
  const { result } = await simulation({ ...details, stacking: "stackable" }, real.id);
  expect(result.byCurrency).toMatchObject([
    {
      redemptions: 3,
      given: body.byCurrency[0]?.given,
      before: 0,
      after: body.byCurrency[0]?.given,
    },
  ]);
});

test("changes nothing else, and stops when canceled", async () => {
  const count = () =>
    owner.query(
      "select (select count(*) from redemptions) as redemptions, (select count(*) from promotions) as promotions",
    );
  const before = (await count()).rows;
  const { id } = await start({});
  const stopped = await call(admin, cancelSimulation, { params: { id }, body: {} });
  expect(stopped.body.status).toBe("canceled");
  await work(id);
  expect((await call(admin, getSimulation, { params: { id } })).body).toMatchObject({
    status: "canceled",
    result: null,
  });
  expect((await count()).rows).toEqual(before);
});
