import { createApp } from "@purser/contract/apps/endpoints";
import { getEntitlements } from "@purser/contract/entitlements/explanation";
import { createFeature } from "@purser/contract/features/endpoints";
import { expect, test } from "vitest";
import { catalogIn } from "#modules/packages/testing/testing.ts";
import { testProduct } from "#testing.ts";
import { grantsIn } from "../testing/testing.ts";

const product = await testProduct();
const { call, owner, signIn } = product;
const admin = await signIn("admin");
const viewer = await signIn("viewer");
const { newApp, newLimit, packageGiving } = catalogIn(product, admin);
const { newCustomer, grantTo, insertGrant } = grantsIn(product, admin);

const entitlementsOf = async (id: string, query: { at?: string } = {}) =>
  call(viewer, getEntitlements, { params: { id }, query });

/** The entitlement of a customer to a feature. */
const itemOf = async (id: string, featureId: string, query: { at?: string } = {}) => {
  const { body } = await entitlementsOf(id, query);
  const item = body.items.find(({ feature }) => feature.id === featureId);
  return item && { value: item.value, lines: item.lines };
};

const app = await newApp();
const seats = await newLimit(app.id);
const storage = await newLimit(app.id, "Storage", { combining: "sum", defaultValue: 2 });
const choices = await call(admin, createFeature, {
  body: {
    appId: app.id,
    code: "support",
    name: "Support",
    kind: "choice",
    options: [
      { code: "mail", name: "By mail" },
      { code: "phone", name: "By phone" },
    ],
    defaultValue: "mail",
  },
});
const studio = await packageGiving("Studio", [
  [seats, 5],
  [storage, 10],
  [choices.body, "phone"],
]);
const extra = await packageGiving("Extra", [
  [seats, 3],
  [storage, 100],
]);

test("without grants, every feature of every active app has its default value", async () => {
  const { id, name, email } = await newCustomer();
  const { body } = await entitlementsOf(id);
  expect(body.customer).toEqual({ id, name, email, status: "active" });
  expect(body.items.map(({ feature, value, lines }) => [feature.name, value, lines])).toEqual([
    ["Seats", 1, []],
    ["Storage", 2, []],
    ["Support", "mail", []],
  ]);
  expect(body.items[0]?.app).toEqual({
    id: app.id,
    code: app.code,
    name: "Harbor",
    icon: "apps",
    status: "active",
    suspendedAt: null,
  });
});

test("combines the values of all active grants as the feature says, and lists each", async () => {
  const { id, email } = await newCustomer();
  await grantTo(email, { packageId: studio });
  await insertGrant(id, extra, [-1, 5]);
  await grantTo(email, { featureId: storage.id, value: 7 });
  const lineOf = (name: string, more: object) =>
    expect.objectContaining({ package: expect.objectContaining({ name, number: 1 }), ...more });
  expect(await itemOf(id, seats.id)).toEqual({
    value: 5,
    lines: [
      lineOf("Studio", { isApplied: true, notApplied: null }),
      lineOf("Extra", {
        isApplied: false,
        notApplied: expect.objectContaining({ code: "smaller" }),
      }),
    ],
  });
  expect(await itemOf(id, storage.id)).toEqual({
    value: 117,
    lines: [
      expect.objectContaining({ source: "manual", value: 7, package: null, isApplied: true }),
      expect.objectContaining({ source: "manual", value: 10, endsAt: null, isApplied: true }),
      expect.objectContaining({ source: "import", value: 100, endsAt: expect.any(String) }),
    ],
  });
  expect(await itemOf(id, choices.body.id)).toMatchObject({ value: "phone" });
});

test("a grant applies from its start until before its end, at any requested moment", async () => {
  const { id } = await newCustomer();
  const grantId = await insertGrant(id, studio, [5, 10]);
  const { rows } = await owner.query<{ starts: Date; ends: Date }>(
    "select starts_at as starts, ends_at as ends from grants where id = $1",
    [grantId],
  );
  const [{ starts, ends } = { starts: new Date(0), ends: new Date(0) }] = rows;
  const seatsAt = async (at: Date) => (await itemOf(id, seats.id, { at: at.toISOString() }))?.value;
  const later = (moment: Date, ms: number) => new Date(moment.getTime() + ms);
  expect((await itemOf(id, seats.id))?.value).toBe(1);
  expect(await seatsAt(later(starts, -1))).toBe(1);
  expect(await seatsAt(later(starts, 1))).toBe(5);
  expect(await seatsAt(later(ends, -1))).toBe(5);
  expect(await seatsAt(later(ends, 1))).toBe(1);
});

test("leaves out the features of draft apps", async () => {
  const { id } = await newCustomer();
  const draft = await call(admin, createApp, { body: { code: "not-yet", name: "Not yet" } });
  const draftFeature = await newLimit(draft.body.id);
  expect(await itemOf(id, draftFeature.id)).toBeUndefined();
});

test("returns 404 for an unknown customer", async () => {
  expect((await entitlementsOf(crypto.randomUUID())).status).toBe(404);
});
