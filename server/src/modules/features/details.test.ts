import { createApp } from "@purser/contract/apps/endpoints";
import { changeFeature, createFeature, listFeatures } from "@purser/contract/features/endpoints";
import { expect, test } from "vitest";
import { testProduct } from "../../testing.ts";

const { call, signIn, owner } = await testProduct();
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

test.each([
  ["switch", { defaultValue: true }],
  ["limit", { defaultValue: 0 }],
  ["limit", { defaultValue: 999_999_999_999_999, unit: { one: "GB", many: "GB" } }],
  ["limit", { defaultValue: "unlimited", combining: "sum" }],
  ["metered", { defaultValue: 500, reset: "month", combining: "sum", unit: seats.unit }],
  ["metered", { defaultValue: "unlimited", reset: "never", combining: "sum" }],
  ["choice", { defaultValue: "true", options: [...tier.options, { code: "true", name: "Yes" }] }],
])("returns a %s as it was saved: %j", async (kind, given) => {
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
])("refuses %j at %j", async (given, pointers) => {
  const refused = await create({ code: "refused", name: "Refused", ...given } as Omit<
    Body,
    "appId"
  >);
  expect(refused.status).toBe(400);
  const errors = refused.body["errors"] as { pointer: string }[];
  expect(errors.map(({ pointer }) => pointer)).toEqual(pointers);
});

test("allows the same code in another app", async () => {
  const other = await newApp("ledgerly");
  await create({ ...seats, code: "shared" });
  expect((await create({ ...seats, code: "shared", appId: other.id })).status).toBe(201);
  const taken = await create({ ...seats, code: "shared" });
  expect([taken.status, taken.body["errors"]]).toMatchObject([409, [{ pointer: "/code" }]]);
  const { body } = await create({ ...seats, code: "not-shared" });
  const renamed = await change(body.id, 1, { ...seats, code: "shared" });
  expect([renamed.status, renamed.body["errors"]]).toMatchObject([409, [{ pointer: "/code" }]]);
});

test("T3 refuses to write other columns or to move a feature to another app", async () => {
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
