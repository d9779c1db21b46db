import { changeFeature } from "@purser/contract/features/endpoints";
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
const { newCustomer, insertGrant, backdateCatalog } = grantsIn(product, admin);
const { explanationOf, itemOf } = explanationsIn(product, viewer);

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

const app = await newApp();
const seats = await newLimit(app.id);
const storage = await newLimit(app.id, "Storage", { combining: "sum", defaultValue: 0 });
const studio = await packageGiving("Studio", [
  [seats, 5],
  [storage, 100],
]);
await backdateCatalog();

/** The parts of an item that the tests compare. */
const summaryOf = ({ value, reason, rule, lines }: Awaited<ReturnType<typeof itemOf>>) => ({
  value,
  reason,
  rule: rule.code,
  lines: lines.map(({ value: of, notApplied }) => [of, notApplied?.code ?? "applies"]),
});

test("a past moment ignores grants that were recorded later", async () => {
  const { id } = await newCustomer();
  await insertGrant(id, studio, [-40, 30], { recordedDaysAgo: 5 });
  expect(await itemOf(id, storage, daysAgo(6))).toMatchObject({ value: 0, lines: [] });
  expect(await itemOf(id, storage, daysAgo(4))).toMatchObject({ value: 100 });
});

test("a past moment shows a grant that was shortened later", async () => {
  const { id } = await newCustomer();
  const grantId = await insertGrant(id, studio, [-40, 30], { recordedDaysAgo: 40 });
  const before = daysAgo(1);
  await owner.query("update grants set ends_at = now() - interval '10 days' where id = $1", [
    grantId,
  ]);
  expect(await itemOf(id, storage, before)).toMatchObject({ value: 100 });
  const [line] = (await itemOf(id, storage)).lines;
  expect(line?.notApplied).toMatchObject({ code: "shortened" });
});

test("a suspended or erased customer has no access, but had it before", async () => {
  const { id } = await newCustomer();
  await insertGrant(id, studio, [-40, 30], { recordedDaysAgo: 40 });
  const before = new Date().toISOString();
  await owner.query("update users set status = 'suspended' where id = $1", [id]);
  expect(summaryOf(await itemOf(id, storage))).toEqual({
    value: null,
    reason: "customer suspended",
    rule: "value_rule_suspended",
    lines: [[100, "suspended"]],
  });
  expect((await itemOf(id, storage)).needs, "buying wouldn't help").toEqual([]);
  expect(await itemOf(id, storage, before)).toMatchObject({ value: 100, reason: "granted" });
  await owner.query("update users set status = 'erased' where id = $1", [id]);
  expect(await itemOf(id, storage)).toMatchObject({
    value: null,
    reason: "customer erased",
    needs: [],
  });
});

test("a past moment uses the default value and app status of that time", async () => {
  const other = await newApp("Ledgerly");
  const desks = await newLimit(other.id, "Desks", { defaultValue: 2 });
  await owner.query("update apps set status = 'active', activated_at = now() where id = $1", [
    other.id,
  ]);
  const { id } = await newCustomer();
  const before = (await explanationOf(id)).at;
  const { code, unit, kind } = desks;
  const body = { code, name: "Tables", kind, unit, defaultValue: 9 };
  const changed = await call(admin, changeFeature, { params: { id: desks.id }, version: 1, body });
  expect(changed.status, changed.text).toBe(200);
  expect(await itemOf(id, desks)).toMatchObject({ value: 9, feature: { name: "Tables" } });
  expect(await itemOf(id, desks, before)).toMatchObject({ value: 2, feature: { name: "Desks" } });
  await owner.query("update apps set status = 'archived' where id = $1", [other.id]);
  expect((await explanationOf(id)).items.some(({ app: { id: of } }) => of === other.id)).toBe(
    false,
  );
  expect(await itemOf(id, desks, before)).toMatchObject({ value: 2 });
});
