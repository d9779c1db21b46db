import { archiveApp, createApp, deleteApp } from "@purser/contract/apps/endpoints";
import {
  activateFeature,
  archiveFeature,
  changeFeature,
  createFeature,
  deleteFeature,
  getFeature,
  getFeatureActivity,
  listFeatures,
  listFeatureUses,
  restoreFeature,
} from "@purser/contract/features/endpoints";
import { expect, test } from "vitest";
import { testProduct } from "../../testing.ts";
import { packagesIn } from "./testing/testing.ts";

const { call, signIn, owner, platform } = await testProduct();
const { newPackage, newVersion, newHolder, grant } = packagesIn(owner);
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
const tier = {
  code: "tier",
  name: "Tier",
  kind: "choice",
  options: [
    { code: "bronze", name: "Bronze" },
    { code: "silver", name: "Silver" },
    { code: "gold", name: "Gold" },
  ],
  defaultValue: "bronze",
} satisfies Omit<Body, "appId">;
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

test("a feature is created as a draft with sensible values for what was left out", async () => {
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

test.each([
  ["switch", { defaultValue: true }],
  ["limit", { defaultValue: 0 }],
  ["limit", { defaultValue: 999_999_999_999_999, unit: { one: "GB", many: "GB" } }],
  ["limit", { defaultValue: "unlimited", combining: "sum" }],
  ["metered", { defaultValue: 500, reset: "month", combining: "sum", unit: seats.unit }],
  ["metered", { defaultValue: "unlimited", reset: "never", combining: "sum" }],
  ["choice", { defaultValue: "true", options: [...tier.options, { code: "true", name: "Yes" }] }],
])("a %s is stored and read back as it was written: %j", async (kind, given) => {
  const code = `kept-${crypto.randomUUID()}`;
  const details = { code, name: "Kept", kind, ...given } as Omit<Body, "appId">;
  const created = await create(details);
  expect(created.status).toBe(201);
  expect(created.body).toMatchObject(details);
  const turned = { ...details, name: "Changed", enforcement: "soft", fallback: "deny" };
  const changed = await change(created.body.id, 1, turned);
  expect([changed.status, changed.body]).toMatchObject([200, { ...turned, version: 2 }]);
});

test.each([
  [{ kind: "switch", defaultValue: 1 }, ["/defaultValue"]],
  [{ kind: "switch", defaultValue: false, unit: seats.unit }, ["/unit"]],
  [{ kind: "limit", defaultValue: -1 }, ["/defaultValue"]],
  [{ kind: "limit", defaultValue: 1.5 }, ["/defaultValue"]],
  [{ kind: "limit", defaultValue: "many" }, ["/defaultValue"]],
  [{ kind: "metered", defaultValue: 1 }, ["/reset", "/combining"]],
  [{ kind: "choice", defaultValue: "platinum", options: tier.options }, ["/defaultValue"]],
  [{ kind: "choice", defaultValue: "bronze", options: [tier.options[0]] }, ["/options"]],
])("%j is refused at %j", async (given, pointers) => {
  const refused = await create({ code: "refused", name: "Refused", ...given } as Omit<
    Body,
    "appId"
  >);
  expect(refused.status).toBe(400);
  const errors = refused.body["errors"] as { pointer: string }[];
  expect(errors.map(({ pointer }) => pointer)).toEqual(pointers);
});

test("a code is taken within its app only", async () => {
  const other = await newApp("ledgerly");
  await create({ ...seats, code: "shared" });
  expect((await create({ ...seats, code: "shared", appId: other.id })).status).toBe(201);
  const taken = await create({ ...seats, code: "shared" });
  expect([taken.status, taken.body["errors"]]).toMatchObject([409, [{ pointer: "/code" }]]);
  const { body } = await create({ ...seats, code: "not-shared" });
  const renamed = await change(body.id, 1, { ...seats, code: "shared" });
  expect([renamed.status, renamed.body["errors"]]).toMatchObject([409, [{ pointer: "/code" }]]);
});

test("a feature is made neither in an archived app nor in none", async () => {
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

test("a feature goes from draft to active, to archived and back, and is not changed while archived", async () => {
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
  expect([refused.status, refused.body["detail"]]).toEqual([
    409,
    "An archived feature cannot be changed. Restore it first.",
  ]);
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

test("a draft that nothing refers to is deleted, and what happened to it is still told", async () => {
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

test("a draft stays while the draft of a package has it, or somebody was given it", async () => {
  const { body } = await create({ ...seats, code: "drafted" });
  const given = { appId: app.id, featureId: body.id, value: 5 };
  const versionId = await newVersion(await newPackage("drafting"), "draft", [given]);
  const refused = await call(admin, deleteFeature, { params: { id: body.id }, version: 1 });
  expect([refused.status, refused.body]).toMatchObject([
    409,
    {
      type: "urn:purser:problem:in_use",
      detail: "The draft of a package has this feature. Take it out first.",
    },
  ]);
  await owner.query("delete from package_versions where id = $1", [versionId]);
  const { rows } = await owner.query(
    `insert into grants (user_id, feature_id, value, source, source_id, starts_at)
     values ($1, $2, '5', 'promotion', 'test', now()) returning id`,
    [admin.id, body.id],
  );
  const granted = await call(admin, deleteFeature, { params: { id: body.id }, version: 1 });
  expect(granted.body["detail"]).toMatch(/^Somebody was given this feature\./);
  await owner.query("delete from grants where id = $1", [rows[0].id]);
  const removed = await call(admin, deleteFeature, { params: { id: body.id }, version: 1 });
  expect(removed.status).toBe(204);
});

test("what a published package promises stays, and each field says so", async () => {
  const { id, packageId } = await published("promised", seats, 5);
  const read = await call(admin, getFeature, { params: { id } });
  expect(read.body).toMatchObject({ frozen: true, packages: 1, usedOptions: [], version: 1 });
  const refused = await change(id, 1, {
    ...seats,
    code: "other",
    unit: { one: "place", many: "places" },
    combining: "sum",
  });
  expect([refused.status, refused.body]).toMatchObject([
    409,
    {
      type: "urn:purser:problem:frozen",
      errors: [
        { in: "body", pointer: "/code", code: "frozen" },
        { in: "body", pointer: "/unit", code: "frozen" },
        { in: "body", pointer: "/combining", code: "frozen" },
      ],
    },
  ]);
  const changed = await change(id, 1, {
    ...seats,
    code: "promised",
    name: "Places",
    defaultValue: "unlimited",
    enforcement: "soft",
  });
  expect([changed.status, changed.body]).toMatchObject([200, { name: "Places", version: 2 }]);
  await owner.query("update package_versions set state = 'retired' where package_id = $1", [
    packageId,
  ]);
  const later = await call(admin, getFeature, { params: { id } });
  expect(later.body).toMatchObject({ frozen: true, packages: 0 });
});

test("options that packages give stay in their order; others come, go and are renamed", async () => {
  const { id, packageId, given } = await published("tiers", tier, "silver");
  await newVersion(packageId, "draft", [{ ...given, value: "gold" }]);
  const read = await call(admin, getFeature, { params: { id } });
  expect(read.body).toMatchObject({ usedOptions: ["gold", "silver"], packages: 1 });
  const [bronze, silver, gold] = tier.options;
  const details = { ...tier, code: "tiers" };
  for (const options of [
    [bronze, silver],
    [bronze, gold, silver],
  ]) {
    const refused = await change(id, 1, { ...details, options });
    expect([refused.status, refused.body["errors"]]).toMatchObject([
      409,
      [{ pointer: "/options", code: "frozen" }],
    ]);
  }
  const options = [
    { code: "copper", name: "Copper" },
    { code: "silver", name: "Sterling" },
    { code: "gold", name: "Gold" },
    { code: "platinum", name: "Platinum" },
  ];
  const changed = await change(id, 1, { ...details, defaultValue: "copper", options });
  expect([changed.status, changed.body]).toMatchObject([200, { options, version: 2 }]);
});

test.each([
  ["code", "code = 'by-hand'"],
  ["kind", "kind = 'metered', reset = 'day', combining = 'sum'"],
  ["unit", "unit_many = 'places'"],
  ["combining", "combining = 'sum'"],
])(
  "the database itself keeps the %s of what a package promises, from the application too",
  async (_what, set) => {
    const { id } = await published(`kept-${crypto.randomUUID()}`, seats, 5);
    const update = `update features set ${set} where id = $1`;
    const refusal = { constraint: "problem_frozen", message: expect.stringMatching(/^Packages/) };
    await expect(platform.pool.query(update, [id])).rejects.toMatchObject(refusal);
    await expect(owner.query(update, [id])).rejects.toMatchObject(refusal);
    await platform.pool.query("update features set name = 'By hand' where id = $1", [id]);
  },
);

test("the database itself keeps given options, a feature's app, and a feature that is referred to", async () => {
  const { id, packageId, given } = await published("by-hand", tier, "silver");
  await newVersion(packageId, "draft", [{ ...given, value: "bronze" }]);
  const setOptions = (...codes: string[]) =>
    platform.pool.query("update features set options = $2, default_value = $3 where id = $1", [
      id,
      JSON.stringify(codes.map((code) => ({ code, name: code }))),
      JSON.stringify(codes[0]),
    ]);
  const frozen = { constraint: "problem_frozen" };
  await expect(setOptions("bronze", "gold")).rejects.toMatchObject(frozen);
  // Only a draft gives it, and still its value must go on fitting.
  await expect(setOptions("silver", "gold")).rejects.toMatchObject(frozen);
  await setOptions("bronze", "silver", "gold", "platinum");
  const other = await newApp("elsewhere");
  await expect(
    platform.pool.query("update features set app_id = $2 where id = $1", [id, other.id]),
  ).rejects.toMatchObject(frozen);
  await expect(
    platform.pool.query("delete from features where id = $1", [id]),
  ).rejects.toMatchObject({ code: "23503" });
});

test("the uses of a feature are the versions that have it, newest first, with those who hold each now", async () => {
  const { id, packageId, versionId, given } = await published("used", seats, 5);
  await owner.query("update package_versions set state = 'superseded' where id = $1", [versionId]);
  const second = await newVersion(packageId, "on sale", [{ ...given, value: "unlimited" }]);
  await newVersion(packageId, "draft", [{ ...given, value: 7 }]);
  const userId = await newHolder(packageId, versionId, [-1, 1]);
  await grant({ userId, packageId, versionId }, [-2, 3]);
  await newHolder(packageId, versionId, [-2, 30]);
  await newHolder(packageId, versionId, [-2, -1]);
  await newHolder(packageId, versionId, [1, 2]);
  await newHolder(packageId, second, [0, 30]);
  const uses = await call(await signIn("viewer"), listFeatureUses, { params: { id } });
  const of = { id: packageId, code: "with-used", name: "WITH-USED" };
  expect(uses.body.items).toEqual([
    { package: of, number: 3, state: "draft", value: 7, holders: 0 },
    { package: of, number: 2, state: "on sale", value: "unlimited", holders: 1 },
    { package: of, number: 1, state: "superseded", value: 5, holders: 2 },
  ]);
  const unknown = { id: "01a1dd06-0000-7000-8000-000000000000" };
  expect((await call(admin, listFeatureUses, { params: unknown })).status).toBe(404);
});

test("an app that has features is not deleted, and says how many", async () => {
  const { id } = await newApp("with-features");
  for (const code of ["one", "two"]) await create({ ...seats, code, appId: id });
  const refused = await call(admin, deleteApp, { params: { id }, version: 1 });
  expect([refused.status, refused.body]).toMatchObject([
    409,
    {
      type: "urn:purser:problem:in_use",
      detail: "It has 2 features. Delete them first, or activate and archive the app.",
    },
  ]);
});

test("T3 nothing beyond the details can be written, and a feature never moves to another app", async () => {
  const { rows } = await owner.query<{ column_name: string }>(
    "select column_name from information_schema.columns where table_name = 'features'",
  );
  const writable = ["app_id", "code", "name", "description", "kind", "reset", "combining"];
  writable.push("options", "default_value", "enforcement", "fallback");
  const camel = (name: string) =>
    name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  const others = rows.map(({ column_name }) => column_name).filter((n) => !writable.includes(n));
  expect(others).toContain("status");
  for (const name of others.flatMap((column) => [column, camel(column)])) {
    const body = { ...seats, code: "assigned", [name]: "active" };
    expect((await create(body)).status, name).toBe(400);
  }
  const list = await call(admin, listFeatures, { query: { f: "code:is:assigned" } });
  expect(list.body.items).toEqual([]);
  const { body } = await create({ ...seats, code: "staying" });
  const moved = await change(body.id, 1, { ...seats, code: "staying", appId: app.id });
  expect([moved.status, moved.body["errors"]]).toMatchObject([400, [{ pointer: "/appId" }]]);
});
