import { archiveApp } from "@purser/contract/apps/endpoints";
import { archiveFeature, getFeature } from "@purser/contract/features/endpoints";
import { getVersion, startDraft } from "@purser/contract/packages/versions";
import { expect, test } from "vitest";
import { testProduct } from "../../../testing.ts";
import { catalogIn } from "../testing/testing.ts";

const product = await testProduct();
const { call, signIn, owner } = product;
const admin = await signIn("admin");
const { newApp, newLimit, newPackage, read, edit, matrixOf, give, publish } = catalogIn(
  product,
  admin,
);

const eur = { currency: "EUR", amount: 1200, interval: "month", intervalCount: 1 } as const;

const onSale = async (value = 5) => {
  const app = await newApp();
  const seats = await newLimit(app.id);
  const made = await newPackage({ prices: [eur], trialDays: 14 });
  await give(made.id, seats, value);
  expect((await publish(made.id)).status).toBe(200);
  return { app, seats, stored: await read(made.id) };
};

test("MX6 MX7 keeps different cells saved by two team members and refuses the second change of the same cell", async () => {
  const app = await newApp();
  const [seats, exports] = [await newLimit(app.id), await newLimit(app.id, "Exports")];
  const { id } = await newPackage();
  await edit(id, { addApps: [app.id] });
  const set = (featureId: string, value: number, was: number | null) =>
    edit(id, { cells: [{ featureId, value, was }] });
  expect((await set(seats.id, 5, null)).status).toBe(200);
  expect((await set(exports.id, 7, null)).status).toBe(200);
  const refused = await set(seats.id, 9, null);
  expect(refused.status).toBe(409);
  expect(refused.body["errors"]).toMatchObject([
    { pointer: "/cells/0", code: "cell_changed", parameters: { feature: "Seats" } },
  ]);
  const values = (await matrixOf(id)).apps[0]?.features.map(({ value }) => value);
  expect(values).toEqual([5, 7]);
});

test("MX5 uses the default value for an emptied cell", async () => {
  const app = await newApp();
  const seats = await newLimit(app.id);
  const { id } = await newPackage();
  await give(id, seats, 5);
  await give(id, seats, null);
  expect((await matrixOf(id)).apps[0]?.features[0]?.value).toBeNull();
});

test("refuses an invalid value at its cell", async () => {
  const app = await newApp();
  const seats = await newLimit(app.id);
  const other = await newLimit((await newApp()).id);
  const { id } = await newPackage();
  await edit(id, { addApps: [app.id] });
  const refused = await edit(id, {
    cells: [
      { featureId: seats.id, value: true, was: null },
      { featureId: other.id, value: 3, was: null },
    ],
  });
  expect(refused.status).toBe(400);
  expect(refused.body["errors"]).toMatchObject([
    { pointer: "/cells/0/value" },
    { pointer: "/cells/1/value" },
  ]);
});

test("refuses to add archived features to a draft and keeps those that a version already has", async () => {
  const { stored, seats, app } = await onSale();
  const feature = await call(admin, getFeature, { params: { id: seats.id } });
  await call(admin, archiveFeature, {
    params: { id: seats.id },
    version: feature.body.version,
    body: {},
  });
  await call(admin, startDraft, { params: { id: stored.id }, body: {} });
  const lowered = await edit(stored.id, {
    cells: [{ featureId: seats.id, value: 3, was: 5 }],
  });
  expect(lowered.status).toBe(400);
  const { rows } = await owner.query<{ version: number }>(
    "select version from apps where id = $1",
    [app.id],
  );
  await call(admin, archiveApp, {
    params: { id: app.id },
    version: rows[0]?.version ?? 0,
    body: {},
  });
  const fresh = await newPackage();
  const added = await edit(fresh.id, { addApps: [app.id] });
  expect(added.body["errors"]).toMatchObject([{ pointer: "/addApps/0" }]);
});

test("an amount can be multiplied by the quantity, and new drafts keep that", async () => {
  const { seats, stored } = await onSale();
  const { id } = stored;
  await call(admin, startDraft, { params: { id }, body: {} });
  const perUnit = [{ featureId: seats.id, perUnit: true }];
  const changed = await edit(id, { perUnit });
  expect(changed.body.apps[0]?.features[0]).toMatchObject({
    value: 5,
    perUnit: true,
    onSale: 5,
    onSalePerUnit: false,
  });
  // Alone, it is a difference that can be published.
  expect((await publish(id)).status).toBe(200);
  await call(admin, startDraft, { params: { id }, body: {} });
  expect((await matrixOf(id)).apps[0]?.features[0]).toMatchObject({
    perUnit: true,
    onSalePerUnit: true,
  });
  const { body: version } = await call(admin, getVersion, { params: { id, number: "2" } });
  expect(version.contents[0]?.features[0]).toMatchObject({ value: 5, perUnit: true });
  const off = await edit(id, { perUnit: [{ featureId: seats.id, perUnit: false }] });
  expect(off.body.apps[0]?.features[0]).toMatchObject({ value: 5, perUnit: false });
});

test("refuses to multiply what is not an amount of the draft", async () => {
  const { seats, stored } = await onSale();
  const { id } = stored;
  await call(admin, startDraft, { params: { id }, body: {} });
  const perUnit = [{ featureId: seats.id, perUnit: true }];
  const unlimited = { featureId: seats.id, value: "unlimited", was: 5 };
  const elsewhere = await newLimit((await newApp()).id);
  for (const change of [
    { cells: [unlimited], perUnit },
    { perUnit: [{ featureId: elsewhere.id, perUnit: true }] },
  ]) {
    const refused = await edit(id, change);
    expect(refused.status).toBe(400);
    expect(refused.body["errors"]).toMatchObject([
      { pointer: "/perUnit/0/perUnit", code: "per_unit_without_amount" },
    ]);
  }
});
