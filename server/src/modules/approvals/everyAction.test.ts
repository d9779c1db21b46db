import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { endpoints } from "@purser/contract/endpoints";
import { grantAccess } from "@purser/contract/entitlements/grants";
import { createPromotion, publishPromotion } from "@purser/contract/promotions/endpoints";
import { getSubscription } from "@purser/contract/subscriptions/endpoints";
import { disputeTransaction } from "@purser/contract/transactions/actions";
import { getUser } from "@purser/contract/users/endpoints";
import { listGrants } from "@purser/contract/users/merge";
import {
  approveApproval,
  getApproval,
  requestApproval,
} from "@purser/contract/workspace/approvals";
import { getSettings } from "@purser/contract/workspace/settings";
import { expect, test, vi } from "vitest";
import { testProduct } from "../../testing.ts";
import { importing } from "../imports/testing/importing.ts";
import { shopIn } from "../transactions/testing/testing.ts";
import { tellRequesterJob } from "./jobs.ts";
import { free } from "./testing/freeEndpoints.testing.ts";
import { applyWaitingChanges } from "./waitingJobs.ts";

const product = await testProduct();
const { call, owner, signIn, app, platform } = product;
const shop = await shopIn(product);
const { admin: boss, sellPackage, saleOf, sell } = shop;

const setRules = (isOn: boolean) =>
  owner.query(
    `update settings set approval_rules = $1::text[], refund_limits = '{}', grant_limits = '{}'`,
    [isOn ? "{refund,price,erase,owner,grant}" : "{}"],
  );
await setRules(false);
const cheap = await sellPackage({
  prices: [{ currency: "EUR", amount: 100, interval: "month" }],
  trialDays: 7,
});
const pack = await sellPackage();

type Given = { params?: object; body: object; version?: number };

const inSomeDays = () => new Date(Date.now() + 5 * 86_400_000).toISOString();
const newSale = (interval: "month" | "year" | "once" = "year") =>
  sell(saleOf(pack.id, { interval } as never));
const subscribed = async () => {
  const sale = await newSale();
  const id = sale.subscriptionId ?? "";
  const { version } = (await call(boss, getSubscription, { params: { id } })).body;
  return { params: { id }, version };
};
const memberWith = async (role: "owner" | "viewer", status = "active") => {
  const { id } = await signIn(role, "Some Member");
  await owner.query("update users set status = $2 where id = $1", [id, status]);
  const { rows } = await owner.query("select version from users where id = $1", [id]);
  return { params: { id }, version: rows[0].version as number };
};
const customerWithGrant = async () => {
  const made = await call(boss, grantAccess, {
    body: {
      email: `${randomUUID()}@example.com`,
      packageId: pack.id,
      endsAt: inSomeDays(),
      reason: "x",
    },
  });
  const { id } = made.body.user;
  const { items } = (await call(boss, listGrants, { params: { id } })).body;
  return { id, grantIds: items.map((one) => one.id) };
};
const promotion = { name: "Sale", kind: "percent", basisPoints: 1, requiresCode: false } as const;
const newPromotion = async () => (await call(boss, createPromotion, { body: promotion })).body;
const reason = "Because.";

/** A possible call of every endpoint that may require approval, made by an owner while the rules are off. */
const calls: Record<string, () => Promise<Given>> = {
  refundTransaction: async () => ({
    params: { id: (await newSale()).id },
    body: { amount: 1, access: "keep", reason },
  }),
  disputeTransaction: async () => {
    const { id, version } = await newSale();
    const body = { outcome: "disputed" as const, evidence: "Letter" };
    const disputed = await call(boss, disputeTransaction, { params: { id }, version, body });
    return {
      params: { id },
      version: disputed.body.version,
      body: { outcome: "dispute lost", evidence: "Letter" },
    };
  },
  changeBalance: async () => ({
    params: { id: (await newSale()).user.id },
    body: { currency: "EUR", amount: 1, reason },
  }),
  changeSubscription: async () => ({
    ...(await subscribed()),
    body: {
      packageId: cheap.id,
      interval: "month",
      when: "now",
      rest: "payment method",
      at: new Date(Date.now() - 1).toISOString(),
      reason,
    },
  }),
  discountSubscription: async () => ({
    ...(await subscribed()),
    body: { basisPoints: 10_000, payments: 1, reason },
  }),
  extendSubscription: async () => ({ ...(await subscribed()), body: { days: 1, reason } }),
  startTrial: async () => ({
    body: {
      email: `${randomUUID()}@example.com`,
      packageId: cheap.id,
      currency: "EUR",
      interval: "month",
    },
  }),
  startImport: async () => {
    const { upload, check } = importing(product, boss, "subscriptions");
    const { id, mapping } = await upload(
      "reference,email,package,interval,currency,started at,period start,period end\ns-1,nobody@example.com",
    );
    await check(id, mapping);
    return { params: { id }, body: {} };
  },
  grantAccess: async () => ({
    body: {
      email: `${randomUUID()}@example.com`,
      packageId: pack.id,
      endsAt: inSomeDays(),
      reason,
    },
  }),
  transferGrants: async () => {
    const { id, grantIds } = await customerWithGrant();
    return { params: { id }, body: { email: boss.email, grantIds, reason } };
  },
  mergeUsers: async () => {
    const { id } = await customerWithGrant();
    return { params: { id: boss.id }, body: { otherId: id, reason } };
  },
  publishPackage: async () => {
    const { id, draft } = await shop.newPackage({
      prices: [{ currency: "EUR", amount: 1, interval: "month" }],
    });
    const seats = await shop.newLimit((await shop.newApp()).id);
    await shop.give(id, seats, 1);
    const { body: impact } = await shop.impactOf(id);
    return { params: { id }, body: { draftId: draft?.id, note: "New", impact: impact.hash } };
  },
  publishPromotion: async () => {
    const { id, version } = await newPromotion();
    return { params: { id }, version, body: {} };
  },
  changePromotion: async () => {
    const { id, version } = await newPromotion();
    const body = { params: { id }, version, body: {} };
    const published = await call(boss, publishPromotion, body);
    return {
      params: { id },
      version: published.body.version,
      body: { ...promotion, basisPoints: 10_000 },
    };
  },
  extendPromotion: async () => {
    const body = { ...promotion, endsAt: "2090-01-01T00:00:00.000Z" };
    const { id, version } = (await call(boss, createPromotion, { body })).body;
    const published = await call(boss, publishPromotion, { params: { id }, version, body: {} });
    return {
      params: { id },
      version: published.body.version,
      body: { endsAt: "2091-01-01T00:00:00.000Z" },
    };
  },
  createTransaction: async () => {
    const sale = saleOf(pack.id, { email: boss.email });
    const { total } = (await shop.quote(sale)).quote;
    return { body: { ...sale, state: "succeeded", reference: randomUUID(), total } };
  },
  eraseCustomer: async () => {
    const { id } = await customerWithGrant();
    const { version } = (await call(boss, getUser, { params: { id } })).body;
    return { params: { id }, version, body: { reason } };
  },
  inviteTeamMember: async () => ({
    body: { email: `${randomUUID()}@example.com`, name: "New", role: "owner" },
  }),
  changeTeamMember: async () => ({
    ...(await memberWith("viewer")),
    body: { name: "Some Member", role: "owner" },
  }),
  removeTeamMember: async () => ({ ...(await memberWith("owner")), body: {} }),
  suspendTeamMember: async () => ({ ...(await memberWith("owner")), body: {} }),
  restoreTeamMember: async () => ({ ...(await memberWith("owner", "suspended")), body: {} }),
  resetTeamMemberTwoFactor: async () => {
    const { params } = await memberWith("owner");
    await owner.query(
      `insert into passkeys (user_id, name, credential_id, public_key, counter, transports, created_at)
       values ($1, 'Key', $2, '', 0, '{}', now())`,
      [params.id, randomUUID()],
    );
    return { params, body: {} };
  },
  changeSettings: async () => {
    await setRules(true);
    const { version, updatedAt: _, ...details } = (await call(boss, getSettings)).body;
    return { version, body: { ...details, waitingHours: 24 } };
  },
};

const guarded = Object.entries(endpoints).filter(([, { approval }]) => approval);

test("D4 every endpoint that changes something is classified", () => {
  const writes = Object.entries(endpoints).filter(([, { method }]) => method !== "GET");
  const known = [...Object.values(free).flat(), ...guarded.map(([name]) => name)];
  expect(writes.map(([name]) => name).sort()).toEqual(known.sort());
  expect(Object.keys(calls).sort()).toEqual(guarded.map(([name]) => name).sort());
});

test("the table in docs/approvals.md has every endpoint that requires approval", () => {
  const text = readFileSync(new URL("../../../../docs/approvals.md", import.meta.url), "utf8");
  const rows = guarded.map(([, { method, path }]) => `\`${method} ${path}\``);
  expect(rows.filter((row) => !text.includes(row))).toEqual([]);
});

const applyAt = async (now: Date) => {
  const mail = { send: async () => undefined, close: () => undefined };
  const step = <T>(work: (db: never, enqueue: never) => Promise<T>) =>
    platform.db.transaction().execute((db) => work(db as never, (async () => undefined) as never));
  const tools = { db: platform.db, now, step, enqueue: vi.fn() };
  await applyWaitingChanges(app.writes, tellRequesterJob(mail, "")).run(tools as never, {});
};

test.each(guarded)(
  "D4 %s isn't done by one owner alone within the waiting period",
  async (name, endpoint) => {
    await setRules(false);
    const given = (await calls[name]?.()) ?? { body: {} };
    await setRules(true);
    const { params = {}, body, version } = given;
    const sent = { params, body, ...(version !== undefined && { version }) };
    const refused = await call(boss, endpoint, sent as never);
    expect(refused.body["type"], refused.text).toBe("urn:purser:problem:approval_required");
    const operation = `${endpoint.method} ${endpoint.path}`;
    const made = await call(boss, requestApproval, {
      body: { operation, params, body, version: version ?? null, reason } as never,
    });
    expect(made.status, made.text).toBe(201);
    const { id } = made.body;
    const own = await call(boss, approveApproval, { params: { id }, body: {} });
    expect(own.body["type"]).toBe("urn:purser:problem:own_account");
    await applyAt(new Date(Date.now() + 47 * 3_600_000));
    const { status } = (await call(boss, getApproval, { params: { id } })).body;
    expect(status).toBe("waiting");
    await owner.query(
      "update approvals set status = 'withdrawn', decided_at = now() where id = $1",
      [id],
    );
  },
);
