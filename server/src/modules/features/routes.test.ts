import { archiveApp, createApp, deleteApp } from "@purser/contract/apps/endpoints";
import {
  activateFeature,
  archiveFeature,
  changeFeature,
  createFeature,
  deleteFeature,
  getFeature,
  getFeatureActivity,
  listFeatureUses,
  restoreFeature,
} from "@purser/contract/features/endpoints";
import { expect, test } from "vitest";
import { testProduct } from "../../testing.ts";
import { packagesIn } from "./testing/testing.ts";

const { call, signIn, owner } = await testProduct();
const { newPackage, newVersion, newSubscriber, grant } = packagesIn(owner);
const admin = await signIn("admin");

const newApp = async (code: string) => {
  const { body } = await call(admin, createApp, { body: { code, name: `App ${code}` } });
  return body;
};
const made = await owner.query<{ id: string }>(
  "insert into apps (code, name) values ('harbor', 'App harbor') returning id",
);
const app = { id: made.rows[0]?.id ?? "" };

const seats = {
  code: "seats",
  name: "Seats",
  kind: "limit",
  unit: { one: "seat", many: "seats" },
  defaultValue: 1,
} as const;
type Body = Parameters<typeof call<typeof createFeature>>[2] extends { body?: infer B } | undefined
  ? NonNullable<B>
  : never;
const create = (body: Omit<Body, "appId"> & { appId?: string }) =>
  call(admin, createFeature, { body: { appId: app.id, ...body } as Body });
const change = (id: string, version: number, body: object) =>
  call(admin, changeFeature, { params: { id }, version, body: body as typeof seats });

const published = async (code: string, details: Omit<Body, "appId">, value: string | number) => {
  const { body } = await create({ ...details, code });
  const packageId = await newPackage(`with-${code}`);
  const given = { appId: app.id, featureId: body.id, value };
  const versionId = await newVersion(packageId, "on sale", [given]);
  return { ...body, packageId, versionId, given };
};

test("creates a feature as a draft with default values", async () => {
  const created = await create({
    code: "offline",
    name: "  Offline charts ",
    kind: "switch",
    defaultValue: false,
  });
  expect(created.status).toBe(201);
  expect(created.body).toEqual({
    id: expect.any(String),
    app: { id: app.id, code: "harbor", name: "App harbor", icon: "apps" },
    code: "offline",
    name: "Offline charts",
    description: "",
    kind: "switch",
    unit: null,
    reset: null,
    anchor: "calendar",
    combining: "largest",
    options: [],
    defaultValue: false,
    enforcement: "hard",
    fallback: "last known",
    status: "draft",
    frozen: false,
    usedOptions: [],
    packages: 0,
    version: 1,
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
  });
  const read = await call(admin, getFeature, { params: { id: created.body.id } });
  expect(read.text).toBe(created.text);
});

test("refuses a feature in an archived or unknown app", async () => {
  const { id } = await newApp("closing");
  await owner.query("update apps set status = 'active', activated_at = now() where id = $1", [id]);
  await call(admin, archiveApp, { params: { id }, version: 2, body: {} });
  const refused = await create({ ...seats, appId: id });
  expect([refused.status, refused.body]).toMatchObject([
    409,
    { type: "urn:purser:problem:wrong_state", errors: [{ pointer: "/appId" }] },
  ]);
  const nowhere = await create({ ...seats, appId: "01a1dd06-0000-7000-8000-000000000000" });
  expect([nowhere.status, nowhere.body["errors"]]).toMatchObject([400, [{ pointer: "/appId" }]]);
});

test("activates, archives and restores a feature, and refuses changes while archived", async () => {
  const { body } = await create({ ...seats, code: "life" });
  const params = { id: body.id };
  const activated = await call(admin, activateFeature, { params, version: 1, body: {} });
  expect(activated.body).toMatchObject({ status: "active", version: 2 });
  const archived = await call(admin, archiveFeature, {
    params,
    version: 2,
    body: { reason: "Nobody wants it" },
  });
  expect(archived.body).toMatchObject({ status: "archived", version: 3 });
  const refused = await change(body.id, 3, { ...seats, code: "life", name: "Renamed" });
  expect([refused.status, refused.body["reason"]]).toEqual([409, "feature_archived"]);
  const restored = await call(admin, restoreFeature, { params, version: 3, body: {} });
  expect(restored.body).toMatchObject({ status: "active", version: 4 });
  const again = await call(admin, restoreFeature, { params, version: 4, body: {} });
  expect(again.status).toBe(409);
  const activity = await call(admin, getFeatureActivity, { params });
  expect(activity.body.items.map(({ action }) => action)).toEqual([
    "update",
    "update",
    "update",
    "insert",
  ]);
  expect(activity.body.items[1]).toMatchObject({ reason: "Nobody wants it", label: "Seats" });
});

test("deletes an unused draft and keeps its activity", async () => {
  const { body } = await create({ ...seats, code: "short-lived" });
  const params = { id: body.id };
  const removed = await call(admin, deleteFeature, { params, version: 1 });
  expect([removed.status, removed.text]).toEqual([204, ""]);
  expect((await call(admin, getFeature, { params })).status).toBe(404);
  const activity = await call(admin, getFeatureActivity, { params });
  expect(activity.body.items).toMatchObject([{ action: "delete" }, { action: "insert" }]);
  const unknown = { id: "01a1dd06-0000-7000-8000-000000000000" };
  expect((await call(admin, getFeatureActivity, { params: unknown })).status).toBe(404);
});

test("refuses to delete a draft that a package or a grant uses", async () => {
  const { body } = await create({ ...seats, code: "drafted" });
  const given = { appId: app.id, featureId: body.id, value: 5 };
  const versionId = await newVersion(await newPackage("drafting"), "draft", [given]);
  const refused = await call(admin, deleteFeature, { params: { id: body.id }, version: 1 });
  expect([refused.status, refused.body]).toMatchObject([
    409,
    {
      type: "urn:purser:problem:in_use",
      reason: "feature_in_drafts",
      detail: "The draft of 1 package includes this feature. Remove it from there first.",
    },
  ]);
  await owner.query("delete from package_versions where id = $1", [versionId]);
  const { rows } = await owner.query(
    `insert into grants (user_id, feature_id, value, source, source_id, starts_at)
     values ($1, $2, '5', 'promotion', 'test', now()) returning id`,
    [admin.id, body.id],
  );
  const granted = await call(admin, deleteFeature, { params: { id: body.id }, version: 1 });
  expect(granted.body["reason"]).toBe("feature_granted_delete");
  await owner.query("delete from grants where id = $1", [rows[0].id]);
  const removed = await call(admin, deleteFeature, { params: { id: body.id }, version: 1 });
  expect(removed.status).toBe(204);
});

test("lists the versions with the feature, newest first, with current subscribers", async () => {
  const { id, packageId, versionId, given } = await published("used", seats, 5);
  await owner.query("update package_versions set state = 'superseded' where id = $1", [versionId]);
  const second = await newVersion(packageId, "on sale", [{ ...given, value: "unlimited" }]);
  await newVersion(packageId, "draft", [{ ...given, value: 7 }]);
  const userId = await newSubscriber(packageId, versionId, [-1, 1]);
  await grant({ userId, packageId, versionId }, [-2, 3]);
  await newSubscriber(packageId, versionId, [-2, 30]);
  await newSubscriber(packageId, versionId, [-2, -1]);
  await newSubscriber(packageId, versionId, [1, 2]);
  await newSubscriber(packageId, second, [0, 30]);
  const uses = await call(await signIn("viewer"), listFeatureUses, { params: { id } });
  const of = { id: packageId, code: "with-used", name: "WITH-USED" };
  expect(uses.body.items).toEqual([
    { package: of, number: 3, state: "draft", value: 7, subscribers: 0 },
    { package: of, number: 2, state: "on sale", value: "unlimited", subscribers: 1 },
    { package: of, number: 1, state: "superseded", value: 5, subscribers: 2 },
  ]);
  const unknown = { id: "01a1dd06-0000-7000-8000-000000000000" };
  expect((await call(admin, listFeatureUses, { params: unknown })).status).toBe(404);
});

test("refuses to delete an app with features and says how many", async () => {
  const { id } = await newApp("with-features");
  for (const code of ["one", "two"]) await create({ ...seats, code, appId: id });
  const refused = await call(admin, deleteApp, { params: { id }, version: 1 });
  expect([refused.status, refused.body]).toMatchObject([
    409,
    {
      type: "urn:purser:problem:in_use",
      detail: "This app has 2 features. Delete them first, or activate and archive the app.",
    },
  ]);
});
