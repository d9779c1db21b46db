import { getEntitlements } from "@purser/contract/entitlements/explanation";
import { grantAccess } from "@purser/contract/entitlements/grants";
import { getSubscription, listSubscriptions } from "@purser/contract/subscriptions/endpoints";
import { refundTransaction, resolveTransaction } from "@purser/contract/transactions/actions";
import { restoreUser } from "@purser/contract/users/endpoints";
import {
  listGrants,
  mergeUsers,
  previewMerge,
  previewTransfer,
  transferGrants,
} from "@purser/contract/users/merge";
import { addUserNote, listUserNotes } from "@purser/contract/users/notes";
import { expect, test } from "vitest";
import { testProduct } from "../../testing.ts";
import { grantsIn } from "../entitlements/testing/testing.ts";
import { renew } from "../subscriptions/renewals.ts";
import { shopIn } from "../transactions/testing/testing.ts";

const product = await testProduct();
const { call, owner, platform, signIn } = product;
const shop = await shopIn(product);
const { admin, sellPackage, saleOf, sell, record } = shop;
const support = await signIn("support", "Sam");
const { newCustomer, grantTo } = grantsIn(product, admin);

const grantsOf = async (id: string) =>
  (await call(support, listGrants, { params: { id } })).body.items;

/** The values of a customer's grants, and why some of them don't apply. */
const explained = async (id: string) => {
  const { body } = await call(admin, getEntitlements, { params: { id } });
  const lines = body.items.flatMap((item) => item.lines);
  return lines.map(({ value, notApplied }) => [value, notApplied?.message.text ?? "applies"]);
};

const move = (id: string, email: string, grantIds: string[]) =>
  call(support, transferGrants, {
    params: { id },
    body: { email, grantIds, reason: "Left the firm." },
  });

const merge = (id: string, otherId: string) =>
  call(support, mergeUsers, { params: { id }, body: { otherId, reason: "Two addresses." } });

const previewOf = async (id: string, other: string) =>
  (await call(support, previewMerge, { params: { id }, body: { other } })).body;

const group = () => `g-${crypto.randomUUID().slice(0, 8)}`;

test("a moved grant ends here and continues there, from the same payment", async () => {
  const pack = await sellPackage({ name: "Studio" });
  const sale = await sell(saleOf(pack.id, { interval: "once" }));
  const to = await newCustomer({ name: "Bea" });
  const [grant] = await grantsOf(sale.user.id);
  const body = { email: to.email, grantIds: [grant?.id ?? ""] };
  const preview = await call(support, previewTransfer, { params: { id: sale.user.id }, body });
  expect(preview.body).toMatchObject({ to: { id: to.id }, refusal: null });
  expect(preview.body.consequences[0]).toMatchObject({ code: "transfer_payments" });
  expect(await grantsOf(to.id)).toEqual([]);
  const moved = await move(sale.user.id, to.email, [grant?.id ?? ""]);
  expect(moved.status, moved.text).toBe(200);
  expect(await explained(sale.user.id)).toEqual([[5, "Transferred to Bea"]]);
  expect(await explained(to.id)).toEqual([[5, "applies"]]);
  const entitled = await call(admin, getEntitlements, { params: { id: to.id } });
  const line = entitled.body.items.flatMap(({ lines }) => lines)[0];
  expect(line?.cause).toMatchObject({ kind: "transaction", number: sale.number });
  const again = await move(sale.user.id, to.email, [grant?.id ?? ""]);
  expect(again.status).toBe(409);
  const { rows } = await owner.query(
    `select actor_name, reason, action from audit_entries where entity = 'grants' order by id`,
  );
  expect(rows).toEqual([
    { actor_name: "Sam", reason: "Left the firm.", action: "update" },
    { actor_name: "Sam", reason: "Left the firm.", action: "insert" },
  ]);
});

test("an address never matches an external ID", async () => {
  const sale = await sell(saleOf((await sellPackage()).id));
  const to = await newCustomer({ name: "Bea" });
  const other = await newCustomer();
  await owner.query("update users set external_id = $2 where id = $1", [other.id, to.email]);
  const [grant] = await grantsOf(sale.user.id);
  const body = { email: to.email, grantIds: [grant?.id ?? ""] };
  const preview = await call(support, previewTransfer, { params: { id: sale.user.id }, body });
  expect(preview.body.to?.id).toBe(to.id);
  const moved = await move(sale.user.id, to.email, body.grantIds);
  expect(moved.body.to.id).toBe(to.id);
});

test("a refund ends a grant wherever it was moved", async () => {
  const pack = await sellPackage();
  const sale = await sell(saleOf(pack.id));
  const to = await newCustomer();
  const [grant] = await grantsOf(sale.user.id);
  await move(sale.user.id, to.email, [grant?.id ?? ""]);
  const body = { amount: sale.total, access: "end now" as const, reason: "Asked." };
  expect((await call(admin, refundTransaction, { params: { id: sale.id }, body })).status).toBe(
    201,
  );
  expect(await grantsOf(to.id)).toEqual([]);
});

test("refuses to move a conflicting grant or one of another customer", async () => {
  const plan = group();
  const [one, other] = [
    await sellPackage({ name: "Solo", group: plan }),
    await sellPackage({ name: "Team", group: plan }),
  ];
  const [from, to] = [await newCustomer(), await newCustomer({ name: "Bea" })];
  await grantTo(from.email, { packageId: one.id });
  await grantTo(to.email, { packageId: other.id });
  const [grant] = await grantsOf(from.id);
  const refused = await move(from.id, to.email, [grant?.id ?? ""]);
  expect(refused.status).toBe(409);
  expect(refused.body["detail"]).toBe(
    "Bea already has Team in the same group. End Team or Solo first.",
  );
  const stranger = await newCustomer();
  expect((await move(stranger.id, to.email, [grant?.id ?? ""])).status).toBe(409);
  expect((await move(from.id, from.email, [grant?.id ?? ""])).status).toBe(409);
});

test("a merge moves grants, subscriptions and notes, and payments keep their record", async () => {
  const pack = await sellPackage({ name: "Studio" });
  const sale = await sell(saleOf(pack.id));
  const goes = sale.user;
  const stays = await newCustomer({ name: "Ada" });
  const body = { text: "Prefers mail.", mentions: [admin.id] };
  expect((await call(support, addUserNote, { params: { id: goes.id }, body })).status).toBe(201);
  const preview = await previewOf(stays.id, goes.email);
  expect(preview).toMatchObject({
    stays: { id: stays.id },
    goes: { id: goes.id },
    notes: 1,
    transactions: 1,
    refusal: null,
    grants: [{ package: { name: "Studio", number: 1 } }],
    subscriptions: [{ name: "Studio" }],
  });
  const merged = await merge(stays.id, goes.id);
  expect(merged.body).toMatchObject({ grants: 1, subscriptions: 1 });
  expect(await explained(stays.id)).toEqual([[5, "applies"]]);
  const notes = await call(admin, listUserNotes, { params: { id: stays.id } });
  expect(notes.body.items).toMatchObject([{ mentions: [{ id: admin.id }] }]);
  const subscriptions = await call(admin, listSubscriptions, { params: { id: stays.id } });
  expect(subscriptions.body.items.map(({ id }) => id)).toEqual([sale.subscriptionId]);
  expect((await shop.read(sale.id)).user.id).toBe(goes.id);
  const closed = (await call(admin, getEntitlements, { params: { id: goes.id } })).body;
  expect(closed).toMatchObject({ customer: { status: "suspended" }, mergedInto: { id: stays.id } });
  const open = (await call(admin, getEntitlements, { params: { id: stays.id } })).body;
  expect(open.mergedFrom.map(({ id }) => id)).toEqual([goes.id]);
});

test("a merged record passes new access to the remaining one and can't be restored", async () => {
  const pack = await sellPackage();
  const [stays, goes] = [await newCustomer(), await newCustomer()];
  const waiting = await sell(saleOf(pack.id, { email: goes.email }), { state: "pending" });
  await merge(stays.id, goes.id);
  const resolved = await call(admin, resolveTransaction, {
    params: { id: waiting.id },
    version: waiting.version,
    body: { outcome: "succeeded", evidence: "The bank says so." },
  });
  expect(resolved.status, resolved.text).toBe(200);
  expect(await grantsOf(goes.id)).toEqual([]);
  expect(await grantsOf(stays.id)).toHaveLength(1);
  const other = await sellPackage();
  const body = { email: goes.email, packageId: other.id, endsAt: null, reason: "A gift." };
  expect((await call(admin, grantAccess, { body })).body.user.id).toBe(stays.id);
  const { rows } = await owner.query("select version from users where id = $1", [goes.id]);
  const { version } = rows[0];
  const restored = await call(support, restoreUser, { params: { id: goes.id }, version, body: {} });
  expect(restored.status).toBe(409);
});

test("a moved subscription renews for the remaining customer", async () => {
  const pack = await sellPackage();
  const sale = await sell(saleOf(pack.id));
  const stays = await newCustomer();
  await merge(stays.id, sale.user.id);
  const id = sale.subscriptionId ?? "";
  const { periodEnd } = (await call(admin, getSubscription, { params: { id } })).body;
  await platform.db
    .transaction()
    .execute((db) => renew(db, id, { now: new Date(periodEnd), zone: "UTC" }));
  const { rows } = await owner.query(
    "select user_id from transactions where subscription_id = $1 and kind = 'renewal'",
    [id],
  );
  expect(rows).toEqual([{ user_id: stays.id }]);
});

test("explains why records can't be merged", async () => {
  const plan = group();
  const [solo, team] = [
    await sellPackage({ name: "Solo", group: plan }),
    await sellPackage({ name: "Team", group: plan }),
  ];
  const one = await sell(saleOf(solo.id));
  const other = await sell(saleOf(team.id));
  expect((await previewOf(one.user.id, other.user.email)).refusal?.text).toBe(
    "Solo and Team are base packages of the same group. Cancel one subscription first.",
  );
  expect((await merge(one.user.id, other.user.id)).status).toBe(409);
  const same = await sell(saleOf(solo.id));
  expect((await merge(one.user.id, same.user.id)).body["reason"]).toBe("merge_same_subscription");
  expect((await merge(one.user.id, one.user.id)).status).toBe(409);
  const staff = await signIn("viewer");
  const asOwner = (id: string, otherId: string) =>
    call(admin, mergeUsers, { params: { id }, body: { otherId, reason: "Two addresses." } });
  expect((await asOwner(support.id, staff.id)).body["reason"]).toBe("merge_team_members");
  const customer = await newCustomer();
  expect((await asOwner(customer.id, staff.id)).body["reason"]).toBe("merge_team_member");
  expect((await merge(customer.id, staff.id)).status).toBe(404);
});

test("of two concurrent merges into each other only one succeeds", async () => {
  for (let round = 0; round < 10; round += 1) {
    const [one, other] = [await newCustomer(), await newCustomer()];
    await grantTo(one.email, { packageId: (await sellPackage()).id });
    const answers = await Promise.all([merge(one.id, other.id), merge(other.id, one.id)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const held = [await grantsOf(one.id), await grantsOf(other.id)].map(({ length }) => length);
    expect(held.toSorted()).toEqual([0, 1]);
  }
});

test("a sale recorded during a merge grants access to the remaining customer", async () => {
  const pack = await sellPackage();
  for (let round = 0; round < 10; round += 1) {
    const [stays, goes] = [await newCustomer(), await newCustomer()];
    const [sold, merged] = await Promise.all([
      record(saleOf(pack.id, { email: goes.email })),
      merge(stays.id, goes.id),
    ]);
    expect([sold.status, merged.status]).toEqual([201, 200]);
    expect(await grantsOf(goes.id)).toEqual([]);
    expect(await grantsOf(stays.id)).toHaveLength(1);
  }
});
