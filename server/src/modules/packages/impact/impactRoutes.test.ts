import { changePackage } from "@purser/contract/packages/endpoints";
import { exportImpact } from "@purser/contract/packages/publishing";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { catalogIn } from "../testing/testing.ts";

const product = await testProduct();
const { call, signIn, owner } = product;
const admin = await signIn("admin", "Robin Example");
const { newApp, newLimit, newPackage, read, give, impactOf, publish, addSubscribers } = catalogIn(
  product,
  admin,
);
const eur = { currency: "EUR", amount: 1200, interval: "month", intervalCount: 1 } as const;
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

test("shows renewals by currency and the customers above a lowered limit", async () => {
  const { id, seats, customers } = await sold({ seats: 10, subscribers: 4 });
  await owner.query(
    "insert into feature_use (user_id, feature_id, used) select unnest($1::uuid[]), $2, 7",
    [customers.slice(0, 2), seats.id],
  );
  await give(id, seats, 6);
  const stored = await read(id);
  await call(admin, changePackage, {
    params: { id },
    version: stored.version,
    body: { code: stored.code, name: stored.name, prices: [{ ...eur, amount: 1500 }] },
  });
  const { body } = await impactOf(id);
  expect(body.effects).toMatchObject([{ lose: 4, above: 2, isUseKnown: true }]);
  expect(body.renewals).toEqual([
    {
      currency: "EUR",
      renewals: 4,
      changed: 4,
      before: 4800,
      after: 6000,
      withoutPrice: 0,
      mrr: 1200,
    },
  ]);
  expect(body.losing).toHaveLength(4);
  expect(body.lastRenewal).not.toBeNull();
  const file = await call(admin, exportImpact, { params: { id }, query: { effect: "lose" } });
  const lines = file.text.trim().split("\r\n");
  expect(lines).toHaveLength(5);
  expect(lines[1]).toMatch(/,Seats,Harbor,10 seats,6 seats,lose$/);
});

test("exports an empty file if no customer is affected, in every format", async () => {
  const { id, seats } = await sold({ seats: 5, subscribers: 3 });
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

test("previews unsaved changes without storing them", async () => {
  const { id, seats } = await sold({ seats: 5, subscribers: 2 });
  await give(id, seats, 6);
  const change = { cells: [{ featureId: seats.id, value: 1, was: 6 }] };
  expect((await impactOf(id, change)).body).toMatchObject({ gain: 0, lose: 2 });
  expect((await impactOf(id)).body).toMatchObject({ gain: 2, lose: 0 });
});

test("counts no loss for a customer with the same value from another grant", async () => {
  const { id, seats, customers } = await sold({ seats: 5, subscribers: 2 });
  await owner.query(
    `insert into grants (user_id, feature_id, value, source, source_id, reason, starts_at)
     values ($1, $2, '9', 'manual', 'test', 'A gift.', now())`,
    [customers[0], seats.id],
  );
  await give(id, seats, 3);
  expect((await impactOf(id)).body).toMatchObject({ subscribers: 2, lose: 1, gain: 0 });
});

test("adds up the subscribers of versions if there are very many, instead of reading every grant", async () => {
  const { id, seats, customers } = await sold({ seats: 5, subscribers: 2 });
  await owner.query("insert into feature_use (user_id, feature_id, used) values ($1, $2, 4)", [
    customers[0],
    seats.id,
  ]);
  await owner.query(
    `insert into subscriber_changes (package_id, version_id, at, change)
     select package_id, id, now() - interval '1 hour', 50000 from package_versions where package_id = $1 and state = 'on sale'`,
    [id],
  );
  await give(id, seats, 3);
  expect((await impactOf(id)).body).toMatchObject({
    subscribers: 50_002,
    isAtMost: true,
    gain: 0,
    lose: 50_002,
    effects: [{ lose: 50_002, above: 0, isUseKnown: false }],
    losing: [],
  });
  expect((await publish(id, { rollout: "renewal" })).status).toBe(200);
});

test("says per month what renewals change, for every interval", async () => {
  const { id } = await sold({ seats: 5, subscribers: 0 });
  const stored = await read(id);
  const yearly = { ...eur, interval: "year" } as const;
  const body = { code: stored.code, name: stored.name };
  const save = async (amount: number) => {
    const { version } = await read(id);
    const prices = [{ ...yearly, amount }];
    await call(admin, changePackage, { params: { id }, version, body: { ...body, prices } });
  };
  await save(12_000);
  await publish(id);
  await addSubscribers(id, 3);
  await save(13_200);
  expect((await impactOf(id)).body.renewals).toMatchObject([{ changed: 3, mrr: 300 }]);
});

test("says whether publishing requires approval: only for other prices, if the rule is on", async () => {
  const { id, seats } = await sold({ seats: 5, subscribers: 1 });
  await give(id, seats, 6);
  const required = async () => (await impactOf(id)).body.requiresApproval;
  await owner.query("update settings set approval_rules = '{price}'");
  expect(await required()).toBe(false);
  const stored = await read(id);
  await call(admin, changePackage, {
    params: { id },
    version: stored.version,
    body: { code: stored.code, name: stored.name, prices: [{ ...eur, amount: 1500 }] },
  });
  expect(await required()).toBe(true);
  await owner.query("update settings set approval_rules = '{}'");
  expect(await required()).toBe(false);
});
