import { createApp } from "@purser/contract/apps/endpoints";
import { changeFeature, createFeature, getFeature } from "@purser/contract/features/endpoints";
import { expect, test } from "vitest";
import { testProduct } from "../../testing.ts";
import { packagesIn } from "./testing/testing.ts";

const { call, signIn, owner, platform } = await testProduct();
const { newPackage, newVersion } = packagesIn(owner);
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

test("freezes the fields that a published package relies on", async () => {
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
        { in: "body", pointer: "/code", code: "feature_code_frozen" },
        { in: "body", pointer: "/unit", code: "feature_unit_frozen" },
        { in: "body", pointer: "/combining", code: "feature_combining_frozen" },
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

test("keeps the order of options in use and allows other changes", async () => {
  const { id, packageId, given } = await published("tiers", tier, "silver");
  await newVersion(packageId, "draft", [{ ...given, value: "gold" }]);
  const read = await call(admin, getFeature, { params: { id } });
  expect(read.body).toMatchObject({ usedOptions: ["gold", "silver"], packages: 1 });
  const [bronze, silver, gold] = tier.options;
  const details = { ...tier, code: "tiers" };
  for (const [reason, options] of [
    ["feature_options_used", [bronze, silver]],
    ["feature_options_order", [bronze, gold, silver]],
  ] as const) {
    const refused = await change(id, 1, { ...details, options });
    expect([refused.status, refused.body["errors"]]).toMatchObject([
      409,
      [{ pointer: "/options", code: reason }],
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
])("the database freezes the %s for every role", async (_what, set) => {
  const { id } = await published(`kept-${crypto.randomUUID()}`, seats, 5);
  const update = `update features set ${set} where id = $1`;
  const refusal = { constraint: "problem_frozen__feature_in_use" };
  await expect(platform.pool.query(update, [id])).rejects.toMatchObject(refusal);
  await expect(owner.query(update, [id])).rejects.toMatchObject(refusal);
  await platform.pool.query("update features set name = 'By hand' where id = $1", [id]);
});

test("the database freezes options in use, a feature's app and a feature in use", async () => {
  const { id, packageId, given } = await published("by-hand", tier, "silver");
  await newVersion(packageId, "draft", [{ ...given, value: "bronze" }]);
  const setOptions = (...codes: string[]) =>
    platform.pool.query("update features set options = $2, default_value = $3 where id = $1", [
      id,
      JSON.stringify(codes.map((code) => ({ code, name: code }))),
      JSON.stringify(codes[0]),
    ]);
  const frozen = { constraint: expect.stringMatching(/^problem_frozen__/) };
  await expect(setOptions("bronze", "gold")).rejects.toMatchObject(frozen);
  // The value in a draft must stay valid too.
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
