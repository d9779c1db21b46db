import { changePackage } from "@purser/contract/packages/endpoints";
import { startDraft } from "@purser/contract/packages/versions";
import { refundTransaction } from "@purser/contract/transactions/actions";
import { inviteTeamMember } from "@purser/contract/users/team";
import { getAction, listActions, listRecentActions } from "@purser/contract/workspace/history";
import { expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { catalogIn } from "../packages/testing/testing.ts";
import { shopIn } from "./testing/testing.ts";

const product = await testProduct();
const { call, signIn } = product;
const reader = await signIn("admin", "Rita Reader");
const { admin, sellPackage, saleOf, sell } = await shopIn(product);
const { publish } = catalogIn(product, admin);

const find = async (query: Record<string, string | string[]>) => {
  const reply = await call(reader, listActions, { query });
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
};

const monthly = { currency: "EUR", amount: 3400, interval: "month", intervalCount: 1 } as const;

/** A package on sale whose monthly price is changed in a draft, and then published. */
const repricedPackage = async (name: string) => {
  const { id } = await sellPackage({ name, prices: [monthly] });
  const drafted = await call(admin, startDraft, { params: { id }, body: {} });
  expect(drafted.status, drafted.text).toBe(201);
  const { code, kind, version } = drafted.body;
  const saved = await call(admin, changePackage, {
    params: { id },
    version,
    body: { code, kind, name, prices: [{ ...monthly, amount: 3600 }] },
  });
  expect(saved.status, saved.text).toBe(200);
  const published = await publish(id);
  expect(published.status, published.text).toBe(200);
  return {
    id,
    savedBy: String(saved.headers["x-request-id"]),
    by: String(published.headers["x-request-id"]),
  };
};

test("shows the prices that a published version changed, by the name of its package", async () => {
  const { by, savedBy } = await repricedPackage("Studio");
  const { items, names } = await find({ q: "Studio" });
  const published = items.find(({ requestId }) => requestId === by);
  expect(published?.published).toMatchObject([
    { entity: "version_prices", field: "EUR every 1 month", before: 3400, after: 3600 },
  ]);
  expect(published?.entries.map(({ label }) => label)).toEqual(
    expect.arrayContaining(["Studio v1", "Studio v2"]),
  );
  expect(Object.values(names).map(({ name }) => name)).toContain("Studio v2");
  const saved = items.find(({ requestId }) => requestId === savedBy);
  const price = saved?.entries.find(({ entity }) => entity === "version_prices");
  expect(price).toMatchObject({ label: "Studio v2", changes: [{ before: 3400, after: 3600 }] });
});

test("finds a change of a price by the name of the field and by the amount", async () => {
  const { savedBy } = await repricedPackage("Atelier");
  const isThere = ({ items }: Awaited<ReturnType<typeof find>>) =>
    items.some(({ requestId }) => requestId === savedBy);
  expect(isThere(await find({ q: "preis", types: "version_prices" }))).toBe(true);
  expect(isThere(await find({ q: "36.00" }))).toBe(true);
  expect(isThere(await find({ q: "preis" }))).toBe(false);
});

test("a sale is one action with the customer's name, and a refund is listed among refunds", async () => {
  const pack = await sellPackage();
  const sale = await sell(saleOf(pack.id, { email: "ada@example.com" }));
  const { items, names } = await find({ q: "ada@example" });
  const [action] = items;
  expect(new Set(items.map(({ requestId }) => requestId)).size).toBe(items.length);
  expect(action?.entries[0]).toMatchObject({
    entity: "transactions",
    facts: { total: sale.total, currency: "EUR" },
  });
  expect(names[String(action?.entries[0]?.facts["userId"])]).toMatchObject({
    name: "ada",
  });
  expect(action?.total.count).toBeGreaterThan(2);

  const refund = await call(admin, refundTransaction, {
    params: { id: sale.id },
    body: { amount: 100, access: "keep", reason: "Asked twice." },
  });
  expect(refund.status, refund.text).toBeLessThan(300);
  const refunds = await find({ f: ["topic:any:refunds"] });
  expect(refunds.items.map(({ requestId }) => requestId)).toEqual([refund.headers["x-request-id"]]);
  expect(refunds.items[0]).toMatchObject({ reason: "Asked twice." });
});

test("lists prices, and the team and its settings, without customers", async () => {
  const invited = await call(admin, inviteTeamMember, {
    body: { email: "ivy@example.com", name: "Ivy New", role: "viewer" },
  });
  expect(invited.status, invited.text).toBeLessThan(300);
  const team = await find({ f: ["topic:any:team"] });
  expect(team.items[0]?.entries).toMatchObject([{ entity: "users", label: "Ivy New" }]);
  const sold = team.items.filter(({ entries }) =>
    entries.some((one) => one.entity === "transactions"),
  );
  expect(sold).toEqual([]);
  const prices = await find({ f: ["topic:any:prices"] });
  const entities = prices.items.flatMap(({ entries }) => entries.map(({ entity }) => entity));
  expect(entities).toContain("version_prices");
  expect(
    prices.items.every(({ entries }) => entries.every(({ entity }) => entity !== "users")),
  ).toBe(true);
});

test("the recent activity has actions with names, but nothing that the role can't read", async () => {
  const viewer = await signIn("viewer");
  const { body } = await call(viewer, listRecentActions);
  expect(body.items.length).toBeLessThanOrEqual(12);
  const entities = new Set(
    body.items.flatMap(({ entries }) => entries.map(({ entity }) => entity)),
  );
  expect(entities.has("transactions")).toBe(true);
  expect(entities.has("approvals")).toBe(false);
  expect(Object.values(body.names).some(({ name }) => name === "Ivy New")).toBe(false);
});

test("opens the action of any of its entries", async () => {
  const { items } = await find({ q: "ada@example" });
  const [action] = items;
  const last = action?.entries.at(-1)?.id ?? "";
  const { body } = await call(reader, getAction, { params: { id: last } });
  expect(body.action.requestId).toBe(action?.requestId);
  expect(body.action.entries.map(({ id }) => id).toSorted()).toEqual(
    action?.entries.map(({ id }) => id).toSorted(),
  );
  const viewer = await signIn("viewer");
  expect((await call(viewer, getAction, { params: { id: last } })).status).toBe(403);
  expect((await call(viewer, listActions)).status).toBe(403);
});
