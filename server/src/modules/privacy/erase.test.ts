import { randomUUID } from "node:crypto";
import { getSubscription } from "@purser/contract/subscriptions/endpoints";
import { createUser, getUser, listUsers } from "@purser/contract/users/endpoints";
import { mergeUsers } from "@purser/contract/users/merge";
import { eraseCustomer, previewErasure } from "@purser/contract/users/privacy";
import { expect, test } from "vitest";
import { sealAudit } from "#platform/audit/verification/seals.ts";
import { verifyAudit } from "#platform/audit/verification/verify.ts";
import { testProduct } from "../../testing.ts";
import { newIdentity, tracesIn } from "./testing/traces.ts";

const product = await testProduct({ environment: { LOG_LEVEL: "debug" } });
const { call, owner, platform, lines, signIn } = product;
const { admin, findIn, findInRedis, newTraced, newApp } = await tracesIn(product);

const eraseNow = async (id: string) => {
  const { version } = (await call(admin, getUser, { params: { id } })).body;
  return call(admin, eraseCustomer, { params: { id }, version, body: { reason: "By letter." } });
};

test("D12 leaves no trace in tables, search, Redis, logs or the audit log, and keeps payments and grants", async () => {
  const identity = newIdentity();
  const { id, sale } = await newTraced(identity);
  // The mark is part of every name, address and identifier of this customer.
  const words = [identity.mark];
  expect((await findIn(words)).length).toBeGreaterThan(15);
  await sealAudit(platform.db);

  const { body: before } = await call(admin, previewErasure, { params: { id } });
  expect(before).toMatchObject({ refusal: null, subscriptions: 1, transactions: 2, notes: 2 });
  expect(before.grants).toBeGreaterThan(0);
  const { version } = (await call(admin, getUser, { params: { id } })).body;
  const erased = await call(admin, eraseCustomer, {
    params: { id },
    version,
    body: { reason: "Asked for by letter on 3 March." },
  });
  expect(erased, erased.text).toMatchObject({
    status: 200,
    body: {
      status: "erased",
      name: "Erased person",
      externalId: null,
      country: null,
      company: null,
      address: null,
      region: null,
      vatNumber: null,
    },
  });

  expect(await findIn(words)).toEqual([]);
  expect(await findInRedis(words.map((word) => word.toLowerCase()))).toEqual([]);
  expect(lines.filter((line) => words.some((word) => line.includes(word)))).toEqual([]);
  for (const q of [identity.email, identity.externalId]) {
    const { body } = await call(admin, listUsers, { query: { q } });
    expect(body.items).toEqual([]);
  }

  const { rows } = await owner.query(
    "select kind, total, note, user_id from transactions where user_id = $1 order by id",
    [id],
  );
  expect(rows).toMatchObject([
    { kind: "purchase", note: "erased", user_id: id },
    { kind: "refund", total: "100", user_id: id },
  ]);
  const entries = await owner.query(
    `select from audit_entries where entity = 'users' and record_id = $1
       and concat(before, after) ~ 'PL1234567890|Pomerania'`,
    [id],
  );
  expect(entries.rowCount).toBe(0);
  const grants = await owner.query("select from grants where user_id = $1", [id]);
  expect(grants.rowCount).toBeGreaterThan(0);
  const subscription = await call(admin, getSubscription, {
    params: { id: sale.subscriptionId ?? "" },
  });
  expect(subscription.body.status).toBe("ended");

  await sealAudit(platform.db);
  expect(await verifyAudit(platform.db, platform.now())).toBeNull();
  const why = await owner.query(
    "select from audit_entries where reason like 'Asked for by letter%'",
  );
  expect(why.rowCount).toBeGreaterThan(0);
});

test("removes only the saved views that name the customer", async () => {
  const { rows } = await owner.query("select value from preferences where user_id = $1", [
    admin.id,
  ]);
  expect(rows).toEqual([{ value: { theme: "dark", views: { users: [{ name: "All", f: [] }] } } }]);
});

test("erases merged records too, and counts them in the preview", async () => {
  const [stays, goes] = [newIdentity(), newIdentity()];
  const { id } = await newTraced(stays);
  const other = await newTraced(goes);
  const merged = await call(admin, mergeUsers, {
    params: { id },
    body: { otherId: other.id, reason: `${goes.name} is ${stays.name}` },
  });
  expect(merged.status, merged.text).toBe(200);
  const alone = await eraseNow(other.id);
  expect(alone.body["reason"]).toBe("erase_merged");
  const { body: before } = await call(admin, previewErasure, { params: { id } });
  expect(before).toMatchObject({ refusal: null, subscriptions: 2, transactions: 4, notes: 6 });
  const erased = await eraseNow(id);
  expect(erased.status, erased.text).toBe(200);
  expect(await findIn([stays.mark, goes.mark])).toEqual([]);
  await sealAudit(platform.db);
  expect(await verifyAudit(platform.db, platform.now())).toBeNull();
});

test("erases a former team member's identities and approval requests", async () => {
  const mark = randomUUID().slice(0, 8);
  const former = await signIn("viewer", `Ann ${mark}`);
  await owner.query(
    "insert into identities (user_id, issuer, subject, created_at) values ($1, 'https://id.example.com', $2, now())",
    [former.id, `ann-${mark}`],
  );
  await owner.query("delete from identities where user_id = $1", [former.id]);
  const { rows } = await owner.query<{ id: string }>(
    `insert into approvals (rule, operation, permission, params, body, entity, record_id, summary, facts, basis, reason,
       requested_by, expires_at)
     values ('refund', 'POST /x', 'users:write', '{}', '{}', 'apps', $1, 'Refund', '[]', '', 'twice', $2,
       now() + interval '7 days') returning id`,
    [randomUUID(), former.id],
  );
  const app = await newApp();
  await owner.query("begin");
  await owner.query(
    "select set_config('purser.reason', $1, true), set_config('purser.request_id', $2, true)",
    [`Asked by Ann ${mark}: twice`, randomUUID()],
  );
  await owner.query("update approvals set status = 'approved', decided_at = now() where id = $1", [
    rows[0]?.id,
  ]);
  await owner.query("update apps set name = 'Refunded' where id = $1", [app.id]);
  await owner.query("commit");
  await owner.query("update users set role = null where id = $1", [former.id]);
  expect((await findIn([mark])).length).toBeGreaterThan(3);
  const erased = await eraseNow(former.id);
  expect(erased.status, erased.text).toBe(200);
  expect(await findIn([mark])).toEqual([]);
  await sealAudit(platform.db);
  expect(await verifyAudit(platform.db, platform.now())).toBeNull();
});

test("keeps the addresses of customers that an erased team member changed", async () => {
  const former = await signIn("support", "Ann");
  const { body: customer } = await call(former, createUser, {
    body: {
      email: `${randomUUID()}@example.com`,
      name: "Jo",
      address: { lines: ["1 Pier"], postalCode: "1000", city: "Lisbon" },
    },
  });
  await owner.query("update users set role = null where id = $1", [former.id]);
  expect((await eraseNow(former.id)).status).toBe(200);
  const { rows } = await owner.query(
    "select actor_name, address, after from audit_entries where entity = 'users' and record_id = $1",
    [customer.id],
  );
  expect(rows).toMatchObject([
    { actor_name: "erased", address: null, after: { address: { city: "Lisbon" } } },
  ]);
});
