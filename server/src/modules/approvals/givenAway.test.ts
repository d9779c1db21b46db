import { changeBalance } from "@purser/contract/money/balance";
import {
  changePromotion,
  createPromotion,
  publishPromotion,
} from "@purser/contract/promotions/endpoints";
import { discountSubscription, getSubscription } from "@purser/contract/subscriptions/endpoints";
import { refundTransaction } from "@purser/contract/transactions/actions";
import { createTransaction } from "@purser/contract/transactions/sales";
import { approveApproval, requestApproval } from "@purser/contract/workspace/approvals";
import { beforeEach, expect, test } from "vitest";
import { testProduct } from "../../testing.ts";
import { shopIn } from "../transactions/testing/testing.ts";

const product = await testProduct();
const { call, owner, signIn } = product;
const shop = await shopIn(product);
const { admin: boss, saleOf, sell, quote } = shop;
const pack = await shop.sellPackage();
const required = "urn:purser:problem:approval_required";

type Person = { id: string; cookie: string };

/** Rules with one limit per sale, and sums of twice as much. */
beforeEach(async () => {
  await owner.query(
    `update settings set approval_rules = '{refund,price,grant}', refund_limits = '{"EUR": 1000}',
       refund_daily_limits = '{"EUR": 2000}', refund_customer_limits = '{"EUR": 2000}'`,
  );
});

const newSale = () => sell(saleOf(pack.id));

const discount = async (by: Person, id: string, amount: number, payments = 1) => {
  const { version } = (await call(boss, getSubscription, { params: { id } })).body;
  const body = { amount, payments, reason: "Late emails." };
  return {
    version,
    body,
    sent: await call(by, discountSubscription, { params: { id }, version, body }),
  };
};

/** Ways to give a customer money or credit, each with less than the limit of one sale. */
const ways: Record<
  string,
  (by: Person, amount: number) => Promise<{ status: number; body: object }>
> = {
  refunds: async (by, amount) => {
    const { id } = await newSale();
    return call(by, refundTransaction, {
      params: { id },
      body: { amount, access: "keep", reason: "Sorry." },
    });
  },
  balances: async (by, amount) => {
    const { user } = await newSale();
    return call(by, changeBalance, {
      params: { id: user.id },
      body: { currency: "EUR", amount, reason: "Sorry." },
    });
  },
  discounts: async (by, amount) => {
    const { subscriptionId } = await newSale();
    return (await discount(by, subscriptionId ?? "", amount)).sent;
  },
};

test.each(Object.entries(ways))(
  "D3 %s below the limit need approval once they exceed it together",
  async (_name, give) => {
    const person = await signIn("admin");
    expect((await give(person, 999)).status).toBeLessThan(300);
    expect((await give(person, 999)).status).toBeLessThan(300);
    expect((await give(person, 999)).body).toMatchObject({ type: required });
    // Every other way counts toward the same sum.
    for (const other of Object.values(ways))
      expect((await other(person, 999)).body).toMatchObject({ type: required });
  },
);

test("D3 discounts of one customer count together, whoever gives them", async () => {
  const { subscriptionId } = await newSale();
  const give = async () => (await discount(await signIn("admin"), subscriptionId ?? "", 999)).sent;
  expect([(await give()).status, (await give()).status]).toEqual([200, 200]);
  expect((await give()).body).toMatchObject({ type: required });
});

test("D3 approving a discount doesn't raise what the approver may refund", async () => {
  const approver = await signIn("admin");
  const { subscriptionId: id = "" } = await newSale();
  const { version, body, sent } = await discount(boss, id ?? "", 1200, 12);
  expect(sent.body).toMatchObject({ type: required });
  const asked = await call(boss, requestApproval, {
    body: {
      operation: "POST /subscriptions/:id/discount",
      params: { id },
      body,
      version,
      reason: "Late emails.",
    },
  });
  expect(asked.status, asked.text).toBe(201);
  const approved = await call(approver, approveApproval, {
    params: { id: asked.body.id },
    body: {},
  });
  expect(approved.status, approved.text).toBe(200);
  const refund = ways["refunds"];
  expect([
    (await refund?.(approver, 999))?.status,
    (await refund?.(approver, 999))?.status,
  ]).toEqual([201, 201]);
  expect((await refund?.(approver, 999))?.body).toMatchObject({ type: required });
});

const draft = {
  name: "All for free",
  kind: "percent",
  basisPoints: 10_000,
  requiresCode: false,
} as const;

const newPromotion = async (details: object = {}) =>
  (await call(boss, createPromotion, { body: { ...draft, ...details } as never })).body;

const publishing = (id: string, version: number) =>
  call(boss, publishPromotion, { params: { id }, version, body: {} });

test.each([
  ["a percentage", {}],
  [
    "a fixed amount",
    { kind: "fixed", basisPoints: null, amounts: [{ currency: "EUR", off: 1_000_000 }] },
  ],
  ["a longer trial", { kind: "trial", basisPoints: null, trialDays: 365 }],
  ["with limits of its own", { redemptionLimit: 1 }],
])("T26 publishing a promotion (%s) needs approval like new prices", async (_name, details) => {
  const { id, version } = await newPromotion(details);
  expect((await publishing(id, version)).body["type"]).toBe(required);
  const asked = await call(boss, requestApproval, {
    body: {
      operation: "POST /promotions/:id/publish",
      params: { id },
      body: {},
      version,
      reason: "Sale.",
    },
  });
  expect(asked.body.facts, asked.text).toContainEqual({
    label: "Applies to",
    value: "All packages",
  });
  const approver = await signIn("catalog");
  const approved = await call(approver, approveApproval, {
    params: { id: asked.body.id },
    body: {},
  });
  expect(approved.status, approved.text).toBe(200);
});

test("T26 a published promotion can't become larger without approval", async () => {
  await owner.query("update settings set approval_rules = '{}'");
  const small = {
    basisPoints: 100,
    redemptionLimit: 10,
    redemptionLimitPerCustomer: 1,
    endsAt: "2030-01-01T00:00:00Z",
  };
  const { id, version } = await newPromotion(small);
  expect((await publishing(id, version)).status).toBe(200);
  await owner.query("update settings set approval_rules = '{price}'");
  const change = async (details: object) => {
    const { rows } = await owner.query("select version from promotions where id = $1", [id]);
    const body = { ...draft, ...small, ...details };
    return call(boss, changePromotion, { params: { id }, version: rows[0].version, body } as never);
  };
  const larger = [
    { basisPoints: 10_000 },
    { redemptionLimit: null },
    { redemptionLimit: 11 },
    { redemptionLimitPerCustomer: 5 },
    { endsAt: "2031-01-01T00:00:00Z" },
    { endsAt: null },
    { duration: "forever" },
    { startsAt: "2026-01-01T00:00:00Z" },
  ];
  for (const details of larger)
    expect((await change(details)).body["type"], JSON.stringify(details)).toBe(required);
  const smaller = [
    { name: "Renamed" },
    { endsAt: "2029-01-01T00:00:00Z" },
    { redemptionLimit: 5, endsAt: "2029-01-01T00:00:00Z" },
  ];
  for (const details of smaller) {
    const { status, text } = await change(details);
    expect(status, text).toBe(200);
  }
});

test("D8 a manual sale to a team member needs approval in every state", async () => {
  await owner.query("update settings set approval_rules = '{}'");
  const colleague = await signIn("viewer");
  for (const email of [boss.email, colleague.email])
    for (const state of ["succeeded", "pending", "draft"] as const) {
      const sale = saleOf(pack.id, { email });
      const { total } = (await quote(sale)).quote;
      const body = { ...sale, state, reference: crypto.randomUUID(), total };
      expect((await call(boss, createTransaction, { body })).body["type"]).toBe(required);
    }
});
