import { randomUUID } from "node:crypto";
import { getEntitlements } from "@purser/contract/entitlements/explanation";
import { createUser, getUser } from "@purser/contract/users/endpoints";
import { eraseCustomer } from "@purser/contract/users/privacy";
import { approveApproval, requestApproval } from "@purser/contract/workspace/approvals";
import { expect, test } from "vitest";
import { sealAudit } from "#platform/audit/verification/seals.ts";
import { verifyAudit } from "#platform/audit/verification/verify.ts";
import { testProduct } from "../../testing.ts";
import { newIdentity, tracesIn } from "./testing/traces.ts";

const product = await testProduct();
const { call, owner, platform, signIn } = product;
const { admin, findIn, newTraced, sellPackage, saleOf, sell } = await tracesIn(product);

test("refuses team members, a second erasure and callers without permission", async () => {
  const staff = await signIn("viewer");
  const erase = (as: { cookie: string }, id: string, version: number) =>
    call(as, eraseCustomer, { params: { id }, version, body: { reason: "x" } });
  expect((await erase(admin, staff.id, 1)).body).toMatchObject({
    type: "urn:purser:problem:wrong_state",
  });
  const { id, version } = (
    await call(admin, createUser, { body: { email: `${randomUUID()}@example.com`, name: "Once" } })
  ).body;
  const support = await signIn("support");
  expect((await erase(support, id, version)).status).toBe(403);
  const [one, other] = await Promise.all([erase(admin, id, version), erase(admin, id, version)]);
  expect([one.status, other.status].sort()).toEqual([200, 412]);
  const { body } = await call(admin, getUser, { params: { id } });
  expect((await erase(admin, id, body.version)).body["reason"]).toBe("customer_already_erased");
  const entitled = await call(admin, getEntitlements, { params: { id } });
  expect(entitled.status).toBe(200);
});

test("a sale recorded during the erasure belongs to a new customer or was erased too", async () => {
  const pack = await sellPackage();
  for (let round = 0; round < 5; round += 1) {
    const email = `${randomUUID()}@example.com`;
    const { id, version } = (await call(admin, createUser, { body: { email, name: "Racer" } }))
      .body;
    const [erased] = await Promise.all([
      call(admin, eraseCustomer, { params: { id }, version, body: { reason: "race" } }),
      sell(saleOf(pack.id, { email })),
    ]);
    const { rows } = await owner.query(
      `select u.id, u.status, u.email, s.status as subscription from users u
       join transactions t on t.user_id = u.id left join subscriptions s on s.id = t.subscription_id
       where u.id = $1 or u.email = $2`,
      [id, email],
    );
    expect(rows).toHaveLength(1);
    if (rows[0].id === id && erased.status === 200)
      expect(rows[0]).toMatchObject({ status: "erased", subscription: "ended" });
    else expect(rows[0]).toMatchObject({ status: "active", email });
  }
});

test("requires approval if the settings say so, and erases the customer from the request too", async () => {
  const identity = newIdentity();
  const { id } = await newTraced(identity);
  await owner.query("update settings set approval_rules = '{erase}'");
  const second = await signIn("admin");
  const { version } = (await call(admin, getUser, { params: { id } })).body;
  const body = { reason: `${identity.name} wrote to us` };
  const alone = await call(admin, eraseCustomer, { params: { id }, version, body });
  expect(alone.body).toMatchObject({ type: "urn:purser:problem:approval_required" });
  const asked = await call(admin, requestApproval, {
    body: {
      operation: "POST /users/:id/erase",
      params: { id },
      body,
      version,
      reason: body.reason,
    },
  } as never);
  expect(asked.status, asked.text).toBe(201);
  const approved = await call(second, approveApproval, {
    params: { id: asked.body.id },
    body: { reason: "" },
  } as never);
  expect(approved.status, approved.text).toBe(200);
  expect((await call(admin, getUser, { params: { id } })).body.status).toBe("erased");
  expect(await findIn([identity.mark])).toEqual([]);
  await sealAudit(platform.db);
  expect(await verifyAudit(platform.db, platform.now())).toBeNull();
  await owner.query("update settings set approval_rules = '{}'");
});
