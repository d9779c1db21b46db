import { getApp, suspendApp } from "@purser/contract/apps/endpoints";
import { grantAccess } from "@purser/contract/entitlements/grants";
import {
  changeSubscription,
  extendSubscription,
  getSubscription,
  previewChange,
  startTrial,
} from "@purser/contract/subscriptions/endpoints";
import { resolveTransaction, submitTransaction } from "@purser/contract/transactions/actions";
import { createTransaction, quoteSale } from "@purser/contract/transactions/sales";
import { expect, onTestFinished, test, vi } from "vitest";
import { patiently } from "#patience.testing.ts";
import { testProduct } from "#testing.ts";
import { archivableParts, archivingIn } from "../packages/testing/archiving.testing.ts";
import { shopIn } from "../transactions/testing/testing.ts";
import { renew } from "./renewals.ts";

const product = await testProduct();
const { call, owner, platform } = product;
const shop = await shopIn(product);
const { admin, newApp, newLimit, newPackage, give, publish, saleOf, sell, record, quote } = shop;
const { archive, restore } = archivingIn(product, admin);

const monthly = { currency: "EUR", interval: "month" as const };

/** A package on sale with one feature of one app. */
const sellNew = async (details: object = {}) => {
  const app = await newApp("Harbor");
  const feature = await newLimit(app.id);
  const prices = [{ ...monthly, amount: 1200 }];
  const { id } = await newPackage({ name: "Studio", prices, ...details });
  await give(id, feature, 5);
  const published = await publish(id);
  expect(published.status, published.text).toBe(200);
  return { id, app, feature };
};

const refusals = {
  app: "Studio includes Harbor, which is archived. Restore the app or publish a version without it.",
  feature:
    "Studio includes Seats, which is archived. Restore the feature or publish a version without it.",
};

const answerOf = ({ status, body }: { status: number; body: Record<string, unknown> }) => [
  status,
  body["detail"],
];

test.each(archivableParts)("M11 a package with an archived %s can't be sold", async (part) => {
  const made = await sellNew();
  const sale = saleOf(made.id);
  const { total } = (await quote(sale)).quote;
  await archive(part, made);
  expect(answerOf(await call(admin, quoteSale, { body: sale }))).toEqual([409, refusals[part]]);
  const body = { ...sale, state: "succeeded" as const, reference: "bank-1", total };
  expect(answerOf(await call(admin, createTransaction, { body }))).toEqual([409, refusals[part]]);
  await restore(part, made);
  expect((await record(sale)).status).toBe(201);
});

test.each(archivableParts)("M11 a package with an archived %s starts no trial", async (part) => {
  const made = await sellNew({ trialDays: 14 });
  await archive(part, made);
  const body = { email: "trial@example.com", packageId: made.id, ...monthly };
  expect(answerOf(await call(admin, startTrial, { body }))).toEqual([409, refusals[part]]);
});

const subscribe = async (packageId: string) => {
  const { subscriptionId, user } = await sell(saleOf(packageId));
  const params = { id: subscriptionId ?? "" };
  const read = async () => (await call(admin, getSubscription, { params })).body;
  return { params, user, read };
};

test.each(archivableParts)("M11 no package change to one with an archived %s", async (part) => {
  const { params, read } = await subscribe((await sellNew({ name: "Solo" })).id);
  const made = await sellNew();
  await archive(part, made);
  const { version } = await read();
  for (const when of ["now", "period end"] as const) {
    const body = { packageId: made.id, interval: "month" as const, when };
    const previewed = await call(admin, previewChange, { params, body });
    expect(answerOf(previewed)).toEqual([409, refusals[part]]);
    const asked = { params, version, body: { ...body, reason: "An upgrade" } };
    expect(answerOf(await call(admin, changeSubscription, asked))).toEqual([409, refusals[part]]);
  }
});

test.each(archivableParts)("M11 a package with an archived %s can't be granted", async (part) => {
  const made = await sellNew();
  await archive(part, made);
  const gift = { email: "gift@example.com", endsAt: null, reason: "A gift" };
  const ofPackage = await call(admin, grantAccess, { body: { ...gift, packageId: made.id } });
  expect(answerOf(ofPackage)).toEqual([409, refusals[part]]);
  const ofFeature = await call(admin, grantAccess, {
    body: { ...gift, featureId: made.feature.id, value: 9 },
  });
  const name = part === "app" ? "Harbor" : "Seats";
  expect(answerOf(ofFeature)).toEqual([
    409,
    `${name} is archived. Restore it before you grant access.`,
  ]);
});

test("M11 a draft sale can't be submitted after an app of its package was archived", async () => {
  const made = await sellNew();
  const draft = await sell(saleOf(made.id), { state: "draft", reference: null });
  await archive("app", made);
  const submitted = await call(admin, submitTransaction, {
    params: { id: draft.id },
    version: draft.version,
    body: { state: "succeeded", reference: "bank-2" },
  });
  expect(answerOf(submitted)).toEqual([409, refusals.app]);
});

const resolve = async (id: string) => {
  const { version } = await shop.read(id);
  const body = { outcome: "succeeded" as const, evidence: "The bank says so" };
  return call(admin, resolveTransaction, { params: { id }, version, body });
};

test("M11 a sale that was pending before gives access when it is paid", async () => {
  const made = await sellNew();
  const { id } = await sell(saleOf(made.id), { state: "pending" });
  await archive("app", made);
  const paid = await resolve(id);
  expect([paid.status, paid.body.state]).toEqual([200, "succeeded"]);
});

const renewAt = (id: string, now: Date) =>
  platform.db.transaction().execute((db) => renew(db, id, { now, zone: "UTC" }));

const renewalsOf = async (subscriptionId: string) =>
  (
    await owner.query<{ id: string; package_id: string }>(
      "select id, package_id from transactions where subscription_id = $1 and kind = 'renewal'",
      [subscriptionId],
    )
  ).rows;

test.each(archivableParts)("M11 subscribers of an archived %s renew and extend", async (part) => {
  const made = await sellNew();
  const { params, user, read } = await subscribe(made.id);
  await archive(part, made);
  const { version } = await read();
  const body = { days: 3, reason: "An apology" };
  expect((await call(admin, extendSubscription, { params, version, body })).status).toBe(200);
  const now = new Date((await read()).periodEnd);
  await renewAt(params.id, now);
  const [renewal] = await renewalsOf(params.id);
  expect((await resolve(renewal?.id ?? "")).status).toBe(200);
  const { rows } = await owner.query(
    "select from grants where user_id = $1 and package_id = $2 and starts_at = $3",
    [user.id, made.id, now],
  );
  expect(rows).toHaveLength(1);
});

test("M11 a change that was planned before happens at the end of the period", async () => {
  const { params, read } = await subscribe((await sellNew({ name: "Solo" })).id);
  const made = await sellNew();
  const { version, periodEnd } = await read();
  const body = {
    packageId: made.id,
    interval: "month" as const,
    when: "period end" as const,
    reason: "A downgrade",
  };
  expect((await call(admin, changeSubscription, { params, version, body })).status).toBe(200);
  await archive("app", made);
  await renewAt(params.id, new Date(periodEnd));
  expect(await renewalsOf(params.id)).toMatchObject([{ package_id: made.id }]);
});

test("M11 a package of a suspended app is sold and renews, because the suspension ends", async () => {
  const made = await sellNew();
  const { version } = (await call(admin, getApp, { params: { id: made.app.id } })).body;
  const suspended = await call(admin, suspendApp, {
    params: { id: made.app.id },
    version,
    body: { reason: "An incident" },
  });
  expect(suspended.status).toBe(200);
  const { params, read } = await subscribe(made.id);
  await renewAt(params.id, new Date((await read()).periodEnd));
  expect(await renewalsOf(params.id)).toMatchObject([{ package_id: made.id }]);
});

const waiting = { timeout: patiently(10_000), interval: 20 };

const beginTransaction = async () => {
  const client = await owner.connect();
  onTestFinished(() => client.release(true));
  await client.query("begin");
  return client;
};

/** Waits until a request waits for a row that this test has locked. */
const untilBlocked = () =>
  vi.waitFor(async () => {
    const { rowCount } = await owner.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    expect(rowCount).toBe(1);
  }, waiting);

test.each(archivableParts)("M11 archiving (%s) waits for sales in progress", async (part) => {
  const made = await sellNew();
  const client = await beginTransaction();
  await client.query("select from packages where id = $1 for share", [made.id]);
  const archiving = archive(part, made);
  await untilBlocked();
  await client.query("commit");
  expect((await archiving).status).toBe("archived");
});

test("M11 a sale during an archiving waits for it and is refused", async () => {
  const made = await sellNew();
  const sale = saleOf(made.id);
  const { total } = (await quote(sale)).quote;
  const client = await beginTransaction();
  await client.query("select from packages where id = $1 for no key update", [made.id]);
  await client.query("update apps set status = 'archived' where id = $1", [made.app.id]);
  const body = { ...sale, state: "succeeded" as const, reference: "bank-3", total };
  const selling = call(admin, createTransaction, { body });
  await untilBlocked();
  await client.query("commit");
  expect(answerOf(await selling)).toEqual([409, refusals.app]);
});
