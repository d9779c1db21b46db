import { getEntitlements } from "@purser/contract/entitlements/explanation";
import { grantAccess, revokeAccess } from "@purser/contract/entitlements/grants";
import { expect, test } from "vitest";
import { catalogIn } from "#modules/packages/testing/testing.ts";
import { testProduct } from "#testing.ts";
import { explanationsIn } from "../testing/explanations.testing.ts";
import { grantsIn } from "../testing/testing.ts";

const product = await testProduct();
const { call, owner, signIn } = product;
const admin = await signIn("admin", "Ines Okonjo");
const viewer = await signIn("viewer");
const { newApp, newLimit, packageGiving } = catalogIn(product, admin);
const { newCustomer, grantTo, insertGrant, backdateCatalog } = grantsIn(product, admin);
const { itemOf } = explanationsIn(product, viewer);

const app = await newApp();
const seats = await newLimit(app.id);
const storage = await newLimit(app.id, "Storage", { combining: "sum", defaultValue: 0 });
const studio = await packageGiving("Studio", [
  [seats, 5],
  [storage, 100],
]);
const extra = await packageGiving("Extra", [
  [seats, 3],
  [storage, 50],
]);
await backdateCatalog();

/** The parts of an item that the tests compare. */
const summaryOf = ({ value, reason, rule, lines }: Awaited<ReturnType<typeof itemOf>>) => ({
  value,
  reason,
  rule: rule.code,
  lines: lines.map(({ value: of, notApplied }) => [of, notApplied?.code ?? "applies"]),
});

test("VW6 lists every grant, whether it applies and why not, and the rule", async () => {
  const { id, email } = await newCustomer();
  await insertGrant(id, studio, [-40, -10], { recordedDaysAgo: 40 });
  await insertGrant(id, studio, [-9, 30], { recordedDaysAgo: 9 });
  await insertGrant(id, extra, [-2, 20], { recordedDaysAgo: 2 });
  await insertGrant(id, extra, [50, 80]);
  const given = await grantTo(email, { featureId: storage.id, value: 7 });
  const params = { id: given.body.id };
  await call(admin, revokeAccess, { params, body: { reason: "By mistake." } });
  expect(summaryOf(await itemOf(id, seats))).toEqual({
    value: 5,
    reason: "granted",
    rule: "value_rule_largest",
    lines: [
      [5, "applies"],
      [3, "not started"],
      [3, "smaller"],
      [5, "ended"],
    ],
  });
  const stored = await itemOf(id, storage);
  expect(summaryOf(stored)).toEqual({
    value: 150,
    reason: "granted",
    rule: "value_rule_sum",
    lines: [
      [50, "applies"],
      [100, "applies"],
      [50, "not started"],
      [7, "revoked"],
      [100, "ended"],
    ],
  });
  expect(stored.lines.find(({ notApplied }) => notApplied?.code === "revoked")).toMatchObject({
    cause: { kind: "team", name: "Ines Okonjo", id: admin.id },
    reason: "A gift for their patience.",
    notApplied: {
      by: "Ines Okonjo",
      message: { text: "Revoked (By mistake.)" },
      at: expect.any(String),
    },
  });
});

test("lists the packages that would include a feature", async () => {
  const { id } = await newCustomer();
  const { reason, allowed, needs } = await itemOf(id, storage);
  expect({ reason, allowed }).toEqual({ reason: "not included", allowed: false });
  expect(needs.map(({ package: { name }, value }) => [name, value])).toEqual([
    ["Studio", 100],
    ["Extra", 50],
  ]);
});

test("shows used and remaining amounts. A hard limit blocks, a soft one doesn't", async () => {
  const { id } = await newCustomer();
  await insertGrant(id, studio, [-1, 30]);
  const use = (used: number) =>
    owner.query(
      `insert into feature_use (user_id, feature_id, used) values ($1, $2, $3)
       on conflict (feature_id, user_id, window_start) do update set used = $3`,
      [id, seats.id, used],
    );
  await use(4);
  expect(await itemOf(id, seats)).toMatchObject({ allowed: true, used: 4, remaining: 1, limit: 5 });
  await use(6);
  expect(await itemOf(id, seats)).toMatchObject({
    allowed: false,
    reason: "limit reached",
    remaining: 0,
  });
  await owner.query("update features set enforcement = 'soft' where id = $1", [seats.id]);
  expect(await itemOf(id, seats)).toMatchObject({ allowed: true, reason: "over soft limit" });
});

test("has no reset after the year 9999", async () => {
  const calls = await newLimit(app.id, "Last calls", {
    kind: "metered",
    reset: "month",
    combining: "sum",
  });
  const { id } = await newCustomer();
  const resets = (at: string) => itemOf(id, calls, at).then(({ resetsAt }) => resetsAt);
  expect(await resets("9999-11-30T23:59:59.999Z")).toBe("9999-12-01T00:00:00.000Z");
  expect(await resets("9999-12-31T23:59:59.999Z")).toBeNull();
});

test("grants access by customer ID as well as by email address", async () => {
  const { id } = await newCustomer();
  const body = { userId: id, packageId: studio, endsAt: null, reason: "A pilot." };
  expect((await call(admin, grantAccess, { body })).status).toBe(201);
  expect(await itemOf(id, storage)).toMatchObject({ value: 100, until: null });
  const both = { ...body, email: "ada@example.com" };
  expect((await call(admin, grantAccess, { body: both })).status).toBe(400);
});

test("entitlements of team members are visible only with the permission", async () => {
  const params = { id: viewer.id };
  expect((await call(viewer, getEntitlements, { params })).status).toBe(404);
  expect((await call(admin, getEntitlements, { params })).status).toBe(200);
});
