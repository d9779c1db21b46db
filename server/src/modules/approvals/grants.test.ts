import { randomUUID } from "node:crypto";
import { grantAccess } from "@purser/contract/entitlements/grants";
import { extendSubscription, getSubscription } from "@purser/contract/subscriptions/endpoints";
import { listGrants, transferGrants } from "@purser/contract/users/merge";
import { approveApproval, requestApproval } from "@purser/contract/workspace/approvals";
import { beforeEach, expect, test } from "vitest";
import { testProduct } from "../../testing.ts";
import { shopIn } from "../transactions/testing/testing.ts";

const product = await testProduct();
const { call, signIn, owner } = product;
const { sellPackage, saleOf, sell } = await shopIn(product);
const support = await signIn("support", "Sue Support");
const admin = await signIn("admin", "Ada Admin");
const colleague = await signIn("support", "Cole Colleague");
const pack = await sellPackage();
const other = await sellPackage();
const required = "urn:purser:problem:approval_required";

const setLimits = (support: object, rules = "{grant}") =>
  owner.query(`update settings set approval_rules = $1::text[], grant_limits = $2`, [
    rules,
    support,
  ]);

beforeEach(() => setLimits({ support: { days: 30, packages: [pack.id] } }));

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

const bodyOf = (more: object = {}) => ({
  email: `${randomUUID()}@example.com`,
  packageId: pack.id,
  endsAt: inDays(30),
  reason: "Goodwill",
  ...more,
});
const grant = (body: object, person = support) =>
  call(person, grantAccess, { body: body as never });

test("D8 a role grants within its limits, and beyond them only with approval", async () => {
  expect((await grant(bodyOf())).status).toBe(201);
  for (const more of [{ endsAt: null }, { endsAt: inDays(32) }, { packageId: other.id }])
    expect((await grant(bodyOf(more))).body["type"]).toBe(required);
  const unlimited = await signIn("admin");
  expect((await grant(bodyOf(), unlimited)).body["type"]).toBe(required);
  await setLimits({ support: { days: null, packages: [] } });
  expect((await grant(bodyOf({ endsAt: null, packageId: other.id }))).status).toBe(201);
  await setLimits({}, "{}");
  expect((await grant(bodyOf({ endsAt: null }))).status).toBe(201);
});

const ask = (body: object, person = support) =>
  call(person, requestApproval, {
    body: { operation: "POST /grants", params: {}, body: body as never, reason: "Asked for." },
  });
const approve = (person: { cookie: string }, id: string) =>
  call(person, approveApproval, { params: { id }, body: {} });

test("D8 access for oneself or a team member needs another person's approval, even with the rule off", async () => {
  await setLimits({ admin: { days: null, packages: [] } }, "{}");
  for (const { id } of [admin, colleague]) {
    const { email: _, ...body } = bodyOf({ userId: id });
    expect((await grant(body, admin)).body["type"]).toBe(required);
  }
  const { email: _, ...body } = bodyOf({ userId: colleague.id });
  const made = await ask(body, admin);
  expect(made.status, made.text).toBe(201);
  const own = await approve(colleague, made.body.id);
  expect(own.body).toMatchObject({
    type: "urn:purser:problem:own_account",
    detail: "You can't approve access for yourself. Another team member has to review it.",
  });
  expect((await approve(await signIn("admin"), made.body.id)).status).toBe(200);
});

test("D8 access isn't moved to a team member alone", async () => {
  const made = await grant(bodyOf());
  const id = made.body.user.id;
  const { items } = (await call(admin, listGrants, { params: { id } })).body;
  const moved = await call(admin, transferGrants, {
    params: { id },
    body: { email: admin.email, grantIds: items.map((one) => one.id), reason: "Mine" } as never,
  });
  expect(moved.body["type"]).toBe(required);
});

test("D8 extensions count toward the same days, also in parts", async () => {
  await setLimits({ support: { days: 30, packages: [] } });
  const sale = await sell(saleOf(pack.id));
  const id = sale.subscriptionId ?? "";
  const extend = async (days: number) => {
    const { version } = (await call(support, getSubscription, { params: { id } })).body;
    return call(support, extendSubscription, {
      params: { id },
      version,
      body: { days, reason: "Outage" },
    });
  };
  expect((await extend(31)).body["type"]).toBe(required);
  const first = await extend(20);
  expect(first.status, first.text).toBe(200);
  expect((await extend(20)).body["type"]).toBe(required);
  expect((await extend(10)).status).toBe(200);
});
