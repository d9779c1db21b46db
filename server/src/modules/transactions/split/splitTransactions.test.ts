import { changeSubscription } from "@purser/contract/subscriptions/endpoints";
import {
  previewRefund,
  refundTransaction,
  resolveTransaction,
} from "@purser/contract/transactions/actions";
import { getTransaction } from "@purser/contract/transactions/endpoints";
import { beforeEach, expect, test } from "vitest";
import { runBatch } from "#platform/backfills/backfill.ts";
import { testProduct } from "#testing.ts";
import { ledgerRules } from "../../ledger/verifyQueries.ts";
import type { Query } from "../testing/invariants.testing.ts";
import { shopIn } from "../testing/testing.ts";
import { oldRowsIn } from "./oldRows.testing.ts";
import { splitLateTransactions, splitTransactions } from "./splitTransactions.ts";

const product = await testProduct();
const { owner, platform, call } = product;
const query: Query = async (text, values) => (await owner.query(text, values)).rows;
const { admin, sellPackage } = await shopIn(product);
const { newCustomer, offerOf, sellOld, refundOld } = oldRowsIn(query);

const small = await offerOf((await sellPackage({ group: "plan" })).id);
const large = { ...(await offerOf((await sellPackage({ group: "plan" })).id)), amount: 3000 };

const huge = { ...(await offerOf((await sellPackage({ group: "plan" })).id)), amount: 3000 };

const dayMs = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs);

const faults = async () => {
  const found: object[] = [];
  for (const [rule, text] of Object.entries(ledgerRules))
    for (const row of await query(text)) found.push({ rule, ...row });
  return found;
};

const cash = () =>
  query(
    `select user_id, currency, sum(case when kind in ('refund', 'chargeback') then balance_amount - total
       else total - balance_amount end)::int as amount
     from transactions where settled_at is not null group by 1, 2 order by 1, 2`,
  );

const waiting = async () => {
  await owner.query("delete from backfills");
  await owner.query(
    "insert into backfills (name, migration) values ('split-transactions', '0028_money_of_transactions')",
  );
};

const splitAll = async () => {
  await waiting();
  for (;;) {
    const batch = await runBatch(platform.db, { ...splitTransactions, batchSize: 2 });
    if (!batch || batch.done) return;
  }
};

const balanceOf = (id: string) =>
  query(`select kind, amount::int from balance_entries where user_id = $1 order by id`, [id]);
const accountsOf = (id: string) =>
  query(
    `select p.account, sum(p.amount)::int as amount from journal_entries e join postings p on p.entry_id = e.id
     where e.user_id = $1 group by 1 having sum(p.amount) <> 0 order by 1`,
    [id],
  );

beforeEach(async () => {
  await splitAll();
  expect(await faults()).toEqual([]);
});

test("R6 splits all kinds of old transactions without changing what was paid in cash", async () => {
  const plain = await newCustomer();
  await sellOld({ ...small, userId: plain, at: daysAgo(40), tax: 228, discount: 100 });
  await sellOld({ ...small, userId: await newCustomer(), at: daysAgo(5), trialDays: 14 });
  for (const state of ["draft", "pending", "failed", "canceled", "voided", "unknown", "disputed"])
    await sellOld({ ...small, userId: await newCustomer(), at: daysAgo(3), state });
  const partly = await sellOld({ ...small, userId: await newCustomer(), at: daysAgo(9), tax: 228 });
  await refundOld(partly.id, { total: 500, tax: 80, at: daysAgo(2) });
  const lost = await sellOld({
    ...small,
    userId: await newCustomer(),
    at: daysAgo(9),
    state: "charged back",
  });
  await refundOld(lost.id, { total: 1200, at: daysAgo(2), kind: "chargeback" });

  // Credited twice: two changes took the same unused value.
  const twice = await newCustomer();
  const first = await sellOld({ ...small, userId: twice, at: daysAgo(20) });
  const credit = { subscriptionId: first.subscriptionId, amount: 600 };
  await sellOld({ ...large, userId: twice, kind: "change", at: daysAgo(5), credit });
  await sellOld({ ...huge, userId: twice, kind: "change", at: daysAgo(4), credit });
  // Refunded after its value was credited.
  await refundOld(first.id, { total: 1200, at: daysAgo(1) });

  const before = await cash();
  await splitAll();
  expect(await cash()).toEqual(before);
  expect(await faults()).toEqual([]);
  expect(await query("select id from transactions where not is_split")).toEqual([]);
  expect(await balanceOf(twice)).toEqual([
    { kind: "credit", amount: 600 },
    { kind: "payment", amount: -600 },
    { kind: "added", amount: 600 },
    { kind: "payment", amount: -600 },
  ]);
  expect(await accountsOf(twice)).toEqual([
    { account: "cash:manual", amount: 1200 + 2 * 2400 - 1200 },
    { account: "revenue", amount: -6000 },
    { account: "team credits", amount: 600 },
    { account: "write-offs", amount: 600 },
  ]);
  expect(
    await query(
      `select g.id from grants g join transactions t on t.id::text = g.source_id where g.line_id is null`,
    ),
  ).toEqual([]);
});

test("R6 a second run changes nothing, and versions and the audit log of plain sales stay as they are", async () => {
  const { id } = await sellOld({ ...small, userId: await newCustomer(), at: daysAgo(4) });
  await splitAll();
  const count = () =>
    query(
      `select (select count(*)::int from transaction_lines) as lines, (select count(*)::int from postings) as postings,
         (select count(*)::int from audit_entries) as audited`,
    );
  const before = await count();
  await splitAll();
  expect(await count()).toEqual(before);
  expect(
    await query("select version, is_split, settled_by from transactions where id = $1", [id]),
  ).toEqual([{ version: 1, is_split: true, settled_by: "manual" }]);
});

test("R6 the application can't split a transaction or change its amounts by itself", async () => {
  const { id } = await sellOld({
    ...small,
    userId: await newCustomer(),
    at: daysAgo(4),
    discount: 100,
  });
  const asApp = async (text: string, values: unknown[]) => {
    await owner.query("begin");
    try {
      await owner.query("set local role purser_app");
      await owner.query(text, values);
      await owner.query("set constraints all immediate");
    } finally {
      await owner.query("rollback");
    }
  };
  const mark = (credit: number) =>
    asApp("select mark_split($1)", [JSON.stringify([{ id, credit, settled_by: "manual" }])]);
  await expect(
    asApp("update transactions set is_split = true where id = $1", [id]),
  ).rejects.toThrow("Only mark_split()");
  await expect(
    asApp(
      "update transactions set is_split = true, discount = 0, total = total + 100 where id = $1",
      [id],
    ),
  ).rejects.toThrow("Only mark_split()");
  await expect(
    asApp("select set_config('purser.splitting', 'on', true)", []).then(() =>
      asApp("update transactions set discount = 0, total = total + 100 where id = $1", [id]),
    ),
  ).rejects.toThrow("can't be edited");
  await expect(mark(50)).rejects.toThrow("split once");
  await expect(mark(0)).rejects.toThrow("don't add up");
});

test("R6 a refund of an old sale splits the customer's transactions first", async () => {
  const userId = await newCustomer();
  const sale = await sellOld({ ...small, userId, at: daysAgo(3), tax: 200 });
  await sellOld({ ...large, userId: await newCustomer(), at: daysAgo(3) });
  expect((await call(admin, getTransaction, { params: { id: sale.id } })).status).toBe(200);
  const refunded = await call(admin, refundTransaction, {
    params: { id: sale.id },
    body: { amount: 700, access: "keep", reason: "Asked for it" } as never,
  });
  expect(refunded.status, refunded.text).toBe(201);
  expect(refunded.body.tax).toBe(100);
  expect(await query("select count(*)::int from transactions where not is_split")).toEqual([
    { count: 1 },
  ]);
});

test("R6 M1 a change of an old subscription credits what earlier changes left of it", async () => {
  const userId = await newCustomer();
  const sale = await sellOld({ ...small, userId, at: daysAgo(15) });
  const pending = await sellOld({
    ...large,
    userId,
    kind: "change",
    state: "pending",
    at: daysAgo(1),
    provider: "change",
    credit: { subscriptionId: sale.subscriptionId, amount: 640 },
  });
  const [subscription] = await query<{ version: number }>(
    "select version from subscriptions where id = $1",
    [sale.subscriptionId],
  );
  const changed = await call(admin, changeSubscription, {
    params: { id: sale.subscriptionId },
    version: subscription?.version ?? 0,
    body: {
      packageId: large.packageId,
      interval: "month",
      intervalCount: 1,
      when: "now",
      reason: "Wanted more",
    } as never,
  });
  expect(changed.status, changed.text).toBe(409);
  await splitAll();
  const [held] = await query(
    "select state, gross::int from line_credits where transaction_id = $1",
    [pending.id],
  );
  expect(held).toEqual({ state: "held", gross: 640 });
  expect(
    await query(
      "select balance_amount::int, total::int, changes_id from transactions where id = $1",
      [pending.id],
    ),
  ).toEqual([{ balance_amount: 640, total: 3000, changes_id: sale.subscriptionId }]);
});

const creditsOf = (transactionId: string) =>
  query("select state, gross::int from line_credits where transaction_id = $1", [transactionId]);

test("R6 the transactions of a merged customer are posted to the remaining one", async () => {
  const [merged, remaining] = [await newCustomer(), await newCustomer()];
  const first = await sellOld({ ...small, userId: merged, at: daysAgo(15) });
  await query("update subscriptions set user_id = $2 where id = $1", [
    first.subscriptionId,
    remaining,
  ]);
  await query("update users set status = 'suspended', merged_into = $2 where id = $1", [
    merged,
    remaining,
  ]);
  // The remaining customer changed the subscription that the merged one had bought.
  const credit = { subscriptionId: first.subscriptionId, amount: 600 };
  const change = { ...large, kind: "change" as const, at: daysAgo(1), credit };
  const { id } = await sellOld({ ...change, userId: remaining });
  await splitAll();
  expect(await faults()).toEqual([]);
  expect(await creditsOf(id)).toEqual([{ state: "applied", gross: 600 }]);
  expect(await balanceOf(merged)).toEqual([]);
  expect(await balanceOf(remaining)).toEqual([
    { kind: "credit", amount: 600 },
    { kind: "payment", amount: -600 },
  ]);
  expect(await accountsOf(merged)).toEqual([]);
  expect(await accountsOf(remaining)).toEqual([
    { account: "cash:manual", amount: 1200 + 2400 },
    { account: "revenue", amount: -(600 + 3000) },
  ]);
});

/** The unused value of a sale, as a refund shows it. */
const unusedOf = async (id: string) => {
  const body = { of: "unused", to: "balance", access: "keep" } as const;
  const shown = await call(admin, previewRefund, { params: { id }, body });
  expect(shown.status, shown.text).toBe(200);
  return shown.body.total;
};

/** An earlier version kept only the end that a pause had moved. */
const pauseOld = (subscriptionId: string, days: number) =>
  query(
    `update subscriptions set period_end = period_end + make_interval(days => $2),
       access_until = access_until + make_interval(days => $2) where id = $1`,
    [subscriptionId, days],
  );

test("R6 paid time that an old pause moved is still unused", async () => {
  const plain = await sellOld({ ...small, userId: await newCustomer(), at: daysAgo(25) });
  await pauseOld(plain.subscriptionId, 10);
  // Recorded 20 days after the period began.
  const lateSale = { ...small, at: daysAgo(25), settledAt: daysAgo(5) };
  const late = await sellOld({ ...lateSale, userId: await newCustomer() });
  await pauseOld(late.subscriptionId, 10);
  await splitAll();
  // Of 30 days 15 are left: 25 have passed, 10 of them paused.
  for (const { id } of [plain, late]) expect([599, 600]).toContain(await unusedOf(id));
});

test("R6 the clock of a subscription that is paused stands still after the split", async () => {
  const sale = await sellOld({ ...small, userId: await newCustomer(), at: daysAgo(25) });
  await query("update subscriptions set status = 'paused', paused_at = $2 where id = $1", [
    sale.subscriptionId,
    daysAgo(20),
  ]);
  await splitAll();
  // Paused after 5 of 30 days.
  expect([999, 1000]).toContain(await unusedOf(sale.id));
});

test("R6 M1 a pending change of a merged customer keeps its credit, and is made when it is paid", async () => {
  const [merged, remaining] = [await newCustomer(), await newCustomer()];
  const sale = await sellOld({ ...small, userId: merged, at: daysAgo(15) });
  const credit = { subscriptionId: sale.subscriptionId, amount: 640 };
  const open = { kind: "change" as const, state: "pending", provider: "change" };
  const pending = await sellOld({ ...large, ...open, userId: merged, at: daysAgo(1), credit });
  await query("update subscriptions set user_id = $2 where id = $1", [
    sale.subscriptionId,
    remaining,
  ]);
  await query("update users set status = 'suspended', merged_into = $2 where id = $1", [
    merged,
    remaining,
  ]);
  await splitAll();
  expect(await faults()).toEqual([]);
  expect(await creditsOf(pending.id)).toEqual([{ state: "held", gross: 640 }]);
  const params = { id: pending.id };
  const { version } = (await call(admin, getTransaction, { params })).body;
  const body = { outcome: "succeeded" as const, evidence: "Bank statement" };
  const paid = await call(admin, resolveTransaction, { params, version, body });
  expect(paid.status, paid.text).toBe(200);
  expect(await creditsOf(pending.id)).toEqual([{ state: "applied", gross: 640 }]);
  expect(await faults()).toEqual([]);
  expect(
    await query("select status from subscriptions where user_id = $1 order by id", [remaining]),
  ).toEqual([{ status: "ended" }, { status: "active" }]);
});

test("R6 a job splits what the previous version records after the backfill", async () => {
  const { id } = await sellOld({ ...small, userId: await newCustomer(), at: daysAgo(2) });
  await splitLateTransactions.run(
    { step: (work: (db: typeof platform.db) => Promise<unknown>) => work(platform.db) } as never,
    {},
  );
  expect(await query("select is_split from transactions where id = $1", [id])).toEqual([
    { is_split: true },
  ]);
});
