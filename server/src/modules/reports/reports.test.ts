import { listAttention } from "@purser/contract/reports/attention";
import { getAppShare, getRevenue, getSummary } from "@purser/contract/reports/endpoints";
import { getSetup } from "@purser/contract/reports/home";
import { getMrr, getRetention, listMovements } from "@purser/contract/reports/recurring";
import { pauseSubscription, resumeSubscription } from "@purser/contract/subscriptions/endpoints";
import { resolveTransaction } from "@purser/contract/transactions/actions";
import { listTransactions } from "@purser/contract/transactions/endpoints";
import { beforeAll, expect, test } from "vitest";
import { reports } from "#commands/reports.ts";
import { runHere } from "#commands/testing.ts";
import { moneyIn, monthly, yearly } from "../../moneyFaults/testing.ts";
import { testProduct } from "../../testing.ts";
import { updateFigures, workerPortion } from "./update.ts";

const product = await testProduct({ environment: { COMPANY_TIME_ZONE: "Europe/Tallinn" } });
const { call, signIn, platform, config, owner } = product;
const money = await moneyIn(product);
const finance = await signIn("finance");

const update = async () => {
  const step = () =>
    platform.db
      .transaction()
      .execute((transaction) => updateFigures(transaction, "Europe/Tallinn", workerPortion));
  while (await step());
};

const summary = async (currency: string) => {
  await update();
  const { status, text, body } = await call(finance, getSummary, { query: { currency } });
  expect(status, text).toBe(200);
  return body;
};

const mrrOf = async (currency: string) => {
  await update();
  const { body } = await call(finance, getMrr, { query: { currency } });
  const sums: Record<string, number[]> = {};
  for (const kind of ["new", "expansion", "reactivation", "contraction", "churn"] as const) {
    const amount = body.periods.reduce((sum, period) => sum + period[kind].amount, 0);
    const customers = body.periods.reduce((sum, period) => sum + period[kind].customers, 0);
    if (customers > 0) sums[kind] = [amount, customers];
  }
  return { sums, closing: body.periods.at(-1)?.closing };
};

/** Moves what a customer paid so far some days into the past, which no rule of the database allows. */
const backdate = async (userId: string, days: number) => {
  const client = await owner.connect();
  try {
    await client.query("set session_replication_role = replica");
    const by = `${days} days`;
    for (const text of [
      `update transaction_lines l set period_start = l.period_start - $2::interval, period_end = l.period_end - $2::interval
       from transactions t where t.id = l.transaction_id and t.user_id = $1`,
      "update transactions set settled_at = settled_at - $2::interval where user_id = $1",
      "update subscriptions set ended_at = ended_at - $2::interval where user_id = $1",
      "update journal_entries set at = at - $2::interval where user_id = $1",
      `update subscription_pauses p set paused_at = p.paused_at - $2::interval, resumed_at = p.resumed_at - $2::interval
       from subscriptions s where s.id = p.subscription_id and s.user_id = $1`,
    ])
      await client.query(text, [userId, by]);
    await client.query("set session_replication_role = origin");
  } finally {
    client.release();
  }
  await runHere(config, reports, "rebuild");
};

beforeAll(async () => {
  await runHere(config, reports, "rebuild");
});

test("a sale, a refund and a change are in the figures of their day", async () => {
  const group = money.newGroup();
  const small = await money.putOnSale([monthly(1000, "SEK")], { group, name: "Small" });
  const large = await money.putOnSale([monthly(3000, "SEK")], { group, name: "Large" });
  const ada = await money.newCustomer({ country: "SE" });
  const eve = await money.newCustomer({ country: "NO" });
  await money.buy(ada, small);
  const sale = await money.buy(eve, large);
  await money.refund(sale.id, "end now");
  await update();
  const query = { currency: "SEK", group: "package" as const };
  const { body } = await call(finance, getRevenue, { query });
  expect(body.total).toMatchObject({ payments: 2, charged: 4000, refunds: 3000, net: 1000 });
  expect(body.groups.map(({ name, measures: { net } }) => [name, net])).toEqual([
    ["Small", 1000],
    ["Large", 0],
  ]);
  const byCountry = await call(finance, getRevenue, { query: { ...query, group: "country" } });
  expect(byCountry.body.groups.map(({ key, measures }) => [key, measures.net])).toEqual([
    ["SE", 1000],
    ["NO", 0],
  ]);
  expect(body.series).toHaveLength(30);
  expect(body.series.reduce((sum, { net }) => sum + net, 0)).toBe(1000);
  const { totals } = await summary("SEK");
  expect(totals).toMatchObject({
    net: 1000,
    refunds: 3000,
    disputes: 0,
    mrr: 1000,
    subscribers: 1,
  });
});

test("recurring revenue follows purchases, changes and ends", async () => {
  const group = money.newGroup();
  const small = await money.putOnSale([monthly(1000, "NOK")], { group });
  const large = await money.putOnSale([yearly(24_000, "NOK")], { group });
  const ada = await money.newCustomer();
  await money.buy(ada, small);
  expect(await mrrOf("NOK")).toEqual({ sums: { new: [1000, 1] }, closing: 1000 });
  await backdate(ada.id, 20);
  const changed = await money.change((await money.currentOf(ada)).id, large);
  expect(changed.status, changed.text).toBe(200);
  await money.payPending(ada);
  expect(await mrrOf("NOK")).toEqual({
    sums: { new: [1000, 1], expansion: [1000, 1] },
    closing: 2000,
  });
  await backdate(ada.id, 10);
  await money.cancel((await money.currentOf(ada)).id, "now");
  expect(await mrrOf("NOK")).toEqual({
    sums: { new: [1000, 1], expansion: [1000, 1], churn: [-2000, 1] },
    closing: 0,
  });
  await money.buy(ada, small);
  // It ended and started again on the same day, so nothing was lost at its end.
  expect(await mrrOf("NOK")).toEqual({
    sums: { new: [1000, 1], expansion: [1000, 1], contraction: [-1000, 1] },
    closing: 1000,
  });
});

test("a change of the quantity counts as a whole period", async () => {
  const perSeat = { ...monthly(333, "RON"), perUnit: true };
  const pack = await money.putOnSale([perSeat]);
  const ada = await money.newCustomer();
  await money.buy(ada, pack, { quantity: 2 });
  await backdate(ada.id, 9);
  const changed = await money.change((await money.currentOf(ada)).id, pack, { quantity: 5 });
  expect(changed.status, changed.text).toBe(200);
  await money.payPending(ada);
  expect(await mrrOf("RON")).toEqual({
    sums: { new: [666, 1], expansion: [999, 1] },
    closing: 1665,
  });
});

test("a paused subscription has no value, and gets it back", async () => {
  const pack = await money.putOnSale([monthly(500, "DKK")]);
  const ada = await money.newCustomer();
  await money.buy(ada, pack);
  await backdate(ada.id, 10);
  const { id, version } = await money.currentOf(ada);
  const reason = { reason: "Requested" };
  const paused = await call(money.admin, pauseSubscription, {
    params: { id },
    version,
    body: reason,
  });
  expect(paused.status, paused.text).toBe(200);
  expect(await mrrOf("DKK")).toEqual({ sums: { new: [500, 1], churn: [-500, 1] }, closing: 0 });
  await backdate(ada.id, 3);
  const resumed = await call(money.admin, resumeSubscription, {
    params: { id },
    version: paused.body.version,
    body: reason,
  });
  expect(resumed.status, resumed.text).toBe(200);
  expect(await mrrOf("DKK")).toEqual({
    sums: { new: [500, 1], churn: [-500, 1], reactivation: [500, 1] },
    closing: 500,
  });
});

test("subscribers of the first payment's month are a cohort", async () => {
  const pack = await money.putOnSale([monthly(700, "CZK")]);
  const [ada, eve] = [await money.newCustomer(), await money.newCustomer()];
  await money.buy(ada, pack);
  const sale = await money.buy(eve, pack);
  await backdate(eve.id, 2);
  await money.refund(sale.id, "end now");
  await update();
  const { body } = await call(finance, getRetention, { query: { currency: "CZK" } });
  const customers = body.cohorts.reduce((sum, cohort) => sum + cohort.customers, 0);
  const active = body.cohorts.reduce((sum, cohort) => sum + (cohort.active.at(-1) ?? 0), 0);
  expect([customers, active]).toEqual([2, 1]);
});

test("each app's share of a package adds up to its revenue, by every rule", async () => {
  const pack = await money.putOnSale([monthly(1001, "PLN")]);
  await money.buy(await money.newCustomer(), pack);
  await update();
  for (const rule of ["list price", "equal parts", "features"] as const) {
    const { body } = await call(finance, getAppShare, { query: { currency: "PLN", rule } });
    expect(body.packages).toMatchObject([{ key: pack.id, net: 1001 }]);
    expect(body.apps.reduce((sum, { net }) => sum + net, 0)).toBe(1001);
  }
});

test.each([
  [{ from: "2026-02-01", until: "2026-01-01" }, "Choose a day on or after the first one."],
  [{ from: "2020-01-01", until: "2026-01-01" }, "Choose at most 1,100 days."],
  [{ from: "yesterday" }, "Enter a date."],
])("the days %j are refused", async (query, message) => {
  const { status, text } = await call(finance, getSummary, { query });
  expect(status).toBe(400);
  expect(text).toContain(message);
});

test("what a role can't change isn't in its list of what needs attention", async () => {
  const pack = await money.putOnSale([monthly(900, "HUF")]);
  const ada = await money.newCustomer();
  const { id, version } = await money.buy(ada, pack, { state: "pending" });
  const body = { outcome: "failed" as const, evidence: "Bank statement" };
  const resolved = await call(money.admin, resolveTransaction, { params: { id }, version, body });
  expect(resolved.status, resolved.text).toBe(200);
  const kindsOf = async (role: "finance" | "viewer") => {
    const { body } = await call(await signIn(role), listAttention);
    return body.items.map(({ kind }) => kind);
  };
  expect(await kindsOf("finance")).toContain("failed payments");
  expect(await kindsOf("viewer")).toEqual([]);
});

test("HM1 a figure is the number and sum of the rows that its link lists", async () => {
  const pack = await money.putOnSale([monthly(1100, "CHF")]);
  const [ada, eve] = [await money.newCustomer(), await money.newCustomer()];
  await money.buy(ada, pack);
  await backdate(ada.id, 45);
  const sale = await money.buy(eve, pack);
  await money.refund(sale.id, "keep");
  const { totals, from, until } = await summary("CHF");
  const rows = async (...f: string[]) => {
    const period = [`settledAt:between:${from},${until}`, "currency:is:CHF"];
    const { status, text, body } = await call(finance, listTransactions, {
      query: { f: [...period, ...f] },
    });
    expect(status, text).toBe(200);
    return body.items;
  };
  const sum = (all: { total: number }[]) => all.reduce((total, one) => total + one.total, 0);
  const returned = await rows("kind:any:refund,chargeback");
  expect([returned.length, sum(returned)]).toEqual([1, totals.refunds + totals.disputes]);
  const paid = await rows("kind:any:purchase,renewal,change");
  const query = { currency: "CHF" };
  const { total } = (await call(finance, getRevenue, { query })).body;
  expect([paid.length, sum(paid)]).toEqual([total.payments, total.charged]);
  const gained = await call(finance, listMovements, { query: { ...query, list: "gained" } });
  expect(gained.body).toMatchObject({ count: totals.gained, items: [{ user: { id: eve.id } }] });
});

test("HM6 the setup is done by real data", async () => {
  const { body } = await call(finance, getSetup);
  const done = Object.fromEntries(body.steps.map(({ step, isDone }) => [step, isDone]));
  expect(done).toMatchObject({ account: false, app: true, feature: true, package: true });
  expect(done).toMatchObject({ payment: true, team: true });
});
