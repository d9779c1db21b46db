import { getAppImpact } from "@purser/contract/apps/endpoints";
import { createAppKey } from "@purser/contract/apps/keys";
import { activateFeature, getFeature, getFeatureImpact } from "@purser/contract/features/endpoints";
import { archivePackage } from "@purser/contract/packages/endpoints";
import { createPromotion, publishPromotion } from "@purser/contract/promotions/endpoints";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { catalogIn } from "../testing/testing.ts";

const product = await testProduct();
const { call, owner, signIn } = product;
const admin = await signIn("admin");
const viewer = await signIn("viewer");
const { newApp, newLimit, newPackage, read, give, publish, addSubscribers } = catalogIn(
  product,
  admin,
);

const prices = [{ currency: "EUR", amount: 1200, interval: "month" }];

const sold = async (name: string, app?: { id: string; name: string }) => {
  const owned = app ?? (await newApp());
  const feature = await newLimit(owned.id);
  const { id } = await newPackage({ name, prices });
  await give(id, feature, 5);
  expect((await publish(id)).status).toBe(200);
  return { id, app: owned, feature };
};

const appImpact = async (...ids: string[]) => {
  const asked = await call(viewer, getAppImpact, { query: { ids: ids.join(",") } });
  expect(asked.status, asked.text).toBe(200);
  return asked.body;
};

const featureImpact = async (id: string) =>
  (await call(viewer, getFeatureImpact, { query: { ids: id } })).body;

test("counts each customer with access once, and not those who are suspended or whose access ended", async () => {
  const { id, app, feature } = await sold("Studio");
  const other = await sold("Extra", app);
  const [first = "", second = "", third = ""] = await addSubscribers(id, 3);
  const insert = (userId: string, starts: string, ends: string) =>
    owner.query(
      `insert into grants (user_id, feature_id, value, source, source_id, starts_at, ends_at, promised_until)
       values ($1, $2, '3', 'import', 'test', now() + $3::interval, now() + $4::interval, now() + $4::interval)`,
      [userId, other.feature.id, starts, ends],
    );
  await insert(first, "-1 day", "1 day");
  await insert(first, "1 day", "800 days");
  await insert(second, "-9 days", "-1 day");
  await owner.query("update users set status = 'suspended' where id = $1", [third]);
  expect(await appImpact(app.id)).toMatchObject({ customers: 2, renewing: 2, endless: 0 });
  expect(await featureImpact(feature.id)).toMatchObject({ customers: 2 });
  expect(await featureImpact(other.feature.id)).toMatchObject({
    customers: 1,
    renewing: 0,
    versions: [{ package: { name: "Extra" } }],
  });
  await owner.query(
    `insert into grants (user_id, feature_id, value, source, source_id, starts_at)
     values ($1, $2, '3', 'import', 'test', now())`,
    [second, feature.id],
  );
  const { endless, lastEnd } = await appImpact(app.id);
  expect(endless).toBe(1);
  expect(Date.parse(lastEnd ?? ""), "a later period").toBeGreaterThan(
    Date.now() + 700 * 86_400_000,
  );
});

test("lists the versions that can't be sold or published, and the promotions without effect", async () => {
  const { id, app, feature } = await sold("Studio");
  const other = await newLimit((await newApp()).id, "Books");
  await give(id, other, 3);
  const archived = await sold("Old", app);
  const { version } = await read(archived.id);
  await call(admin, archivePackage, { params: { id: archived.id }, version, body: {} });
  const given = { kind: "feature" as const, featureId: feature.id, value: 3 };
  const terms = { ...given, name: "Launch", requiresCode: false };
  const made = await call(admin, createPromotion, { body: terms });
  await call(admin, createPromotion, { body: { ...terms, name: "Unpublished" } });
  const params = { id: made.body.id };
  await call(admin, publishPromotion, { params, version: made.body.version, body: {} });
  const { versions, promotions } = await appImpact(app.id);
  expect(versions).toEqual([
    { package: { id, name: "Studio" }, number: 1, state: "on sale" },
    { package: { id, name: "Studio" }, number: 2, state: "draft" },
  ]);
  expect(promotions).toMatchObject([{ name: "Launch" }]);
});

test("adds up several apps and their API keys", async () => {
  const [one, two] = [await sold("One"), await sold("Two")];
  await addSubscribers(one.id, 2);
  await addSubscribers(two.id, 3);
  const body = { name: "Server", kind: "server" as const, scopes: ["entitlements:read" as const] };
  await call(admin, createAppKey, { params: { id: one.app.id }, body });
  expect(await appImpact(one.app.id, two.app.id)).toMatchObject({
    customers: 5,
    keys: { valid: 1, lastUsedAt: null },
  });
});

test("refuses ids that aren't ids, and ignores unknown ones", async () => {
  for (const ids of ["", "harbor", `${crypto.randomUUID()},`])
    expect((await call(viewer, getAppImpact, { query: { ids } })).status).toBe(400);
  expect(await appImpact(crypto.randomUUID())).toMatchObject({ customers: 0, versions: [] });
});

test("a feature that nothing includes has no impact", async () => {
  const { id, version } = await newLimit((await newApp()).id);
  await call(admin, activateFeature, { params: { id }, version, body: {} });
  expect((await call(admin, getFeature, { params: { id } })).body.status).toBe("active");
  expect(await featureImpact(id)).toEqual({
    customers: 0,
    isAtMost: false,
    renewing: 0,
    endless: 0,
    lastEnd: null,
    versions: [],
    promotions: [],
  });
});

test("P5 adds up the subscribers of packages if there are very many, instead of reading every grant", async () => {
  const { id, app } = await sold("Popular");
  await addSubscribers(id, 2);
  await owner.query(
    `insert into subscriber_changes (package_id, version_id, at, change)
     select package_id, id, now() - interval '1 hour', 60000 from package_versions where package_id = $1 and state = 'on sale'`,
    [id],
  );
  expect(await appImpact(app.id)).toMatchObject({
    customers: 60_002,
    isAtMost: true,
    renewing: null,
    endless: null,
    lastEnd: null,
  });
});
