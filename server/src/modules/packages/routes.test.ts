import { getFeature } from "@purser/contract/features/endpoints";
import {
  changePackage,
  deletePackage,
  exportPackages,
  getPackageActivity,
  listPackages,
} from "@purser/contract/packages/endpoints";
import { packageColumns } from "@purser/contract/packages/fields";
import { startDraft } from "@purser/contract/packages/versions";
import { expect, test } from "vitest";
import { testProduct } from "../../testing.ts";
import { catalogIn } from "./testing/testing.ts";

const product = await testProduct();
const { call, signIn } = product;
const admin = await signIn("admin");
const { newApp, newLimit, newPackage, read, give, publish } = catalogIn(product, admin);

const eur = { currency: "EUR", amount: 1200, interval: "month", intervalCount: 1 } as const;

const detailsOf = ({ code, name, prices, trialDays }: Awaited<ReturnType<typeof newPackage>>) => ({
  code,
  name,
  prices,
  trialDays,
});

const onSale = async (value = 5) => {
  const app = await newApp();
  const seats = await newLimit(app.id);
  const made = await newPackage({ prices: [eur], trialDays: 14 });
  await give(made.id, seats, value);
  expect((await publish(made.id)).status).toBe(200);
  return { app, seats, stored: await read(made.id) };
};

test("creates a package with a first draft and its prices, and deletes it", async () => {
  const made = await newPackage({ prices: [eur], trialDays: 14 });
  expect(made).toMatchObject({
    status: "draft",
    draft: { number: 1, state: "draft" },
    onSale: null,
    prices: [eur],
    trialDays: 14,
    subscribers: { count: 0, kind: "exact" },
  });
  const { status } = await call(admin, deletePackage, {
    params: { id: made.id },
    version: made.version,
  });
  expect(status).toBe(204);
});

test("refuses an unknown currency or a duplicate price at its position", async () => {
  const made = await newPackage();
  const attempt = (prices: object[]) =>
    call(admin, changePackage, {
      params: { id: made.id },
      version: made.version,
      body: { ...detailsOf(made), prices: prices as (typeof eur)[] },
    });
  const unknown = await attempt([{ ...eur, currency: "ABC" }]);
  expect(unknown.body["errors"]).toMatchObject([{ pointer: "/prices/0/currency" }]);
  const twice = await attempt([eur, { ...eur, amount: 1300 }]);
  expect(twice.body["errors"]).toMatchObject([{ pointer: "/prices/1/currency" }]);
});

test("puts a published version on sale, activates its apps and freezes the code", async () => {
  const { stored, seats } = await onSale();
  expect(stored).toMatchObject({ status: "active", codeFrozen: true, draft: null });
  expect(stored.onSale).toMatchObject({ number: 1, note: "Because it is time." });
  const feature = await call(admin, getFeature, { params: { id: seats.id } });
  expect(feature.body).toMatchObject({ status: "active", frozen: true, packages: 1 });
  const renamed = await call(admin, changePackage, {
    params: { id: stored.id },
    version: stored.version,
    body: { ...detailsOf(stored), code: "another" },
  });
  expect(renamed.status).toBe(409);
  expect(renamed.body["type"]).toContain("code_frozen");
});

test("starts no draft when only the name changes", async () => {
  const { stored } = await onSale();
  const saved = await call(admin, changePackage, {
    params: { id: stored.id },
    version: stored.version,
    body: { ...detailsOf(stored), name: "Studio plus" },
  });
  expect(saved.body).toMatchObject({ name: "Studio plus", draft: null });
});

test("records one audit entry with the changed values per save", async () => {
  const { stored, seats } = await onSale();
  await give(stored.id, seats, 8);
  const { body } = await call(admin, getPackageActivity, { params: { id: stored.id } });
  expect(body.items[0]).toMatchObject({
    entity: "version_values",
    action: "update",
    actor: { name: "A admin" },
    changes: [{ field: seats.id, before: 5, after: 8 }],
  });
});

test("lists packages by group and by search", async () => {
  await newPackage({ name: "Needle", group: "plans", sort: 3 });
  const { body } = await call(admin, listPackages, {
    query: { q: "needl", f: ["group:is:plans"], sort: "-sort" },
  });
  expect(body.items.map(({ name }) => name)).toEqual(["Needle"]);
});

test("exports every column of a package, with its subscribers as a number", async () => {
  const { id } = await newPackage({ prices: [eur] });
  const query = { format: "jsonl", columns: packageColumns.join(), ids: id } as const;
  const { status, text } = await call(admin, exportPackages, { query });
  expect(status).toBe(200);
  const line = JSON.parse(text);
  expect(Object.keys(line).toSorted()).toEqual([...packageColumns].toSorted());
  expect(line.subscribers).toBe(0);
});

test("lets a viewer read packages but not change them", async () => {
  const viewer = await signIn("viewer");
  const { id } = await newPackage();
  const answer = await call(viewer, startDraft, { params: { id }, body: {} });
  expect(answer.status).toBe(403);
});

test("stores the tax category, the groups of base packages and prices per unit", async () => {
  const perUnit = { ...eur, perUnit: true };
  const made = await newPackage({
    kind: "add-on",
    baseGroups: ["plans", "teams"],
    taxCategory: "reduced",
    prices: [perUnit],
  });
  expect(made).toMatchObject({
    baseGroups: ["plans", "teams"],
    taxCategory: "reduced",
    prices: [perUnit],
  });
  const changed = await call(admin, changePackage, {
    params: { id: made.id },
    version: made.version,
    body: { ...detailsOf(made), kind: "add-on", prices: [{ ...eur, perUnit: false }] },
  });
  expect(changed.body).toMatchObject({
    baseGroups: [],
    taxCategory: "standard",
    prices: [{ ...eur, perUnit: false }],
  });
  const { body: activity } = await call(admin, getPackageActivity, { params: { id: made.id } });
  expect(activity.items.flatMap(({ changes }) => changes)).toContainEqual({
    field: "taxCategory",
    before: "reduced",
    after: "standard",
  });
  expect(activity.items.flatMap(({ changes }) => changes)).toContainEqual({
    field: "EUR every 1 month",
    before: { amount: 1200, perUnit: true },
    after: 1200,
  });
  const refused = await call(admin, changePackage, {
    params: { id: made.id },
    version: changed.body.version,
    body: { ...detailsOf(made), kind: "base", baseGroups: ["plans"] },
  });
  expect(refused.body["errors"]).toMatchObject([
    { pointer: "/baseGroups", code: "base_groups_of_base" },
  ]);
});

test("a price that becomes per unit starts a draft, which keeps it", async () => {
  const { stored } = await onSale();
  const changed = await call(admin, changePackage, {
    params: { id: stored.id },
    version: stored.version,
    body: { ...detailsOf(stored), prices: [{ ...eur, perUnit: true }] },
  });
  expect(changed.body).toMatchObject({ draft: { number: 2 }, prices: [{ perUnit: true }] });
  expect((await publish(stored.id)).status).toBe(200);
  const started = await call(admin, startDraft, { params: { id: stored.id }, body: {} });
  expect(started.body).toMatchObject({ draft: { number: 3 }, prices: [{ perUnit: true }] });
});
