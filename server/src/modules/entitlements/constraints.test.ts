import { expect, test } from "vitest";
import { testProduct } from "../../testing.ts";
import { catalogIn } from "../packages/testing/testing.ts";
import { grantsIn } from "./testing/testing.ts";

const product = await testProduct();
const { owner, platform, signIn } = product;
const admin = await signIn("admin");
const { newApp, newLimit, newPackage, read, give, publish } = catalogIn(product, admin);
const { newCustomer, insertGrant } = grantsIn(product, admin);

// As the database role of the application, with its permissions.
const asApplication = async (text: string, values: unknown[] = []) =>
  (await platform.pool.query(text, values)).rows;

const app = await newApp();
const seats = await newLimit(app.id);
const onSale = async (details: object = {}) => {
  const made = await newPackage(details);
  await give(made.id, seats, 5);
  await publish(made.id);
  const stored = await read(made.id);
  return { id: stored.id, versionId: stored.onSale?.id ?? "" };
};
const studio = await onSale();

const subscribe = async (
  userId: string,
  { id, versionId }: typeof studio,
  { status = "active", group = null }: { status?: string; group?: string | null } = {},
) => {
  const [row] = await asApplication(
    `insert into subscriptions (user_id, package_id, version_id, group_code, status, period_start, period_end, access_until)
     values ($1, $2, $3, $4, $5, now(), now() + interval '30 days', now() + interval '37 days') returning id`,
    [userId, id, versionId, group, status],
  );
  return row?.id ?? "";
};

const pay = (userId: string, subscriptionId: string | null, [from, to]: [number, number]) =>
  asApplication(
    `insert into grants (user_id, package_id, version_id, subscription_id, source, source_id, starts_at, ends_at)
     values ($1, $2, $3, $4, 'transaction', 'T-1', now() + $5 * interval '1 day', now() + $6 * interval '1 day')`,
    [userId, studio.id, studio.versionId, subscriptionId, from, to],
  );

test("refuses to delete or edit a grant, even by raw SQL", async () => {
  const { id: userId } = await newCustomer();
  const other = await newCustomer();
  const id = await insertGrant(userId, studio.id, [-1, 10]);
  for (const text of [
    "delete from grants where id = $1",
    "update grants set starts_at = now() where id = $1",
    `update grants set user_id = '${other.id}' where id = $1`,
    "update grants set value = '9' where id = $1",
    "update grants set version_id = null, package_id = null where id = $1",
    "update grants set source = 'manual', source_id = 'me', reason = 'Because.' where id = $1",
    "update grants set promised_until = now() where id = $1",
    "truncate grants cascade",
  ])
    await expect(asApplication(text, text.includes("$1") ? [id] : []), text).rejects.toThrow(
      /denied/,
    );
  // The owner has every permission, and a trigger still refuses it.
  for (const set of [
    "starts_at = starts_at - interval '1 day'",
    `user_id = '${other.id}'`,
    "source_id = 'somebody else'",
    "reason = 'Another.'",
    "promised_until = now() + interval '20 days'",
  ])
    await expect(owner.query(`update grants set ${set} where id = $1`, [id]), set).rejects.toThrow(
      "Grants can't be edited",
    );
});

test("a grant can only be shortened, and revoked or superseded once", async () => {
  const { id: userId } = await newCustomer();
  const id = await insertGrant(userId, studio.id, [-1, 10]);
  const next = await insertGrant(userId, studio.id, [-1, 10]);
  const set = (what: string) => asApplication(`update grants set ${what} where id = $1`, [id]);
  await set("ends_at = ends_at - interval '1 day'");
  await expect(set("ends_at = ends_at + interval '1 second'")).rejects.toThrow(
    "Grants can't be edited",
  );
  await expect(set("ends_at = 'infinity'")).rejects.toThrow("Grants can't be edited");
  await expect(set("ends_at = starts_at - interval '1 second'")).rejects.toThrow("grants_period");
  await set("revoked_at = now()");
  await expect(set("revoked_at = null")).rejects.toThrow("Grants can't be edited");
  await expect(set("revoked_at = now() + interval '1 day'")).rejects.toThrow(
    "Grants can't be edited",
  );
  await set(`superseded_by = '${next}'`);
  await expect(set("superseded_by = null")).rejects.toThrow("Grants can't be edited");
});

test("a grant has a package version or a valid feature value, and a team member's grant a reason", async () => {
  const { id: userId } = await newCustomer();
  const { versionId: foreign } = await onSale();
  const insert = (columns: string, values: string) =>
    asApplication(
      `insert into grants (user_id, starts_at, source_id, ${columns}) values ($1, now(), 'test', ${values})`,
      [userId],
    );
  const ofStudio = `'${studio.id}', '${studio.versionId}'`;
  await expect(insert("source", "'import'")).rejects.toThrow("grants_of_one");
  await expect(
    insert("source, package_id, version_id", `'import', '${studio.id}', '${foreign}'`),
  ).rejects.toThrow("grants_version");
  await expect(
    insert("source, feature_id, value", `'import', '${seats.id}', 'true'`),
  ).rejects.toThrow("does not fit");
  await expect(insert("source, package_id, version_id", `'manual', ${ofStudio}`)).rejects.toThrow(
    "grants_explained",
  );
  await insert("source, feature_id, value", `'import', '${seats.id}', '7'`);
});

test("refuses to change a feature so that a granted value becomes invalid", async () => {
  const { id: userId } = await newCustomer();
  const alone = await newLimit(app.id, "Alone");
  await asApplication(
    `insert into grants (user_id, feature_id, value, source, source_id, starts_at)
     values ($1, $2, '3', 'import', 'test', now())`,
    [userId, alone.id],
  );
  const change =
    "update features set kind = 'switch', unit_one = null, unit_many = null, default_value = 'true'";
  await expect(asApplication(`${change} where id = $1`, [alone.id])).rejects.toThrow(
    "Customers have been granted this feature",
  );
});

test("paid periods of a customer and package never overlap, unlike manual grants", async () => {
  const { id: userId } = await newCustomer();
  const subscription = await subscribe(userId, studio);
  await pay(userId, subscription, [0, 30]);
  await expect(pay(userId, subscription, [29, 60])).rejects.toThrow("grants_periods_apart");
  await pay(userId, subscription, [30, 60]);
  await pay(userId, null, [10, 40]);
  const otherCustomer = await newCustomer();
  await pay(otherCustomer.id, await subscribe(otherCustomer.id, studio), [0, 30]);
});

test("a customer has at most one running subscription of a package", async () => {
  const { id: userId } = await newCustomer();
  await subscribe(userId, studio, { status: "ended" });
  await subscribe(userId, studio);
  await expect(subscribe(userId, studio, { status: "past due" })).rejects.toThrow(
    "subscriptions_one_of_package",
  );
});

test("a customer has at most one running subscription of a group", async () => {
  const { id: userId } = await newCustomer();
  const [solo, team] = [await onSale({ group: "plans" }), await onSale({ group: "plans" })];
  const first = await subscribe(userId, solo, { group: "plans" });
  await expect(subscribe(userId, team, { group: "plans" })).rejects.toThrow(
    "subscriptions_one_of_group",
  );
  await asApplication("update subscriptions set status = 'ended' where id = $1", [first]);
  await subscribe(userId, team, { group: "plans" });
});

test("refuses to delete a subscription, or to buy a version of another package", async () => {
  const { id: userId } = await newCustomer();
  const other = await onSale();
  const id = await subscribe(userId, studio);
  await expect(asApplication("delete from subscriptions where id = $1", [id])).rejects.toThrow(
    "denied",
  );
  await expect(subscribe(userId, { id: other.id, versionId: studio.versionId })).rejects.toThrow(
    "subscriptions_version",
  );
});
