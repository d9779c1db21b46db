import { changeBalance } from "@purser/contract/money/balance";
import { disputeTransaction, refundTransaction } from "@purser/contract/transactions/actions";
import {
  changeSettings,
  getSettings,
  type SettingsDetails,
} from "@purser/contract/workspace/settings";
import { beforeEach, expect, test } from "vitest";
import { testProduct } from "../../testing.ts";
import { serviceAccountsIn } from "../users/testing/serviceAccounts.testing.ts";
import { refundOf, refundRequestsIn } from "./testing/refundRequests.testing.ts";

let shift = 0;
const product = await testProduct({ clock: { now: () => Date.now() + shift } });
const { call, signIn, owner } = product;
const { boss, second, setRules, newSale, ask, approve } = await refundRequestsIn(product);

const required = "urn:purser:problem:approval_required";

const setSums = (daily: object, customer: object) =>
  owner.query("update settings set refund_daily_limits = $1, refund_customer_limits = $2", [
    daily,
    customer,
  ]);

beforeEach(async () => {
  shift = 0;
  await setRules(["refund"]);
});

type Person = { id: string; cookie: string };

const refund = (person: Person, sale: { id: string }, amount: number) =>
  call(person, refundTransaction, { params: { id: sale.id }, body: refundOf(amount) });

const addBalance = (person: Person, userId: string, amount: number, currency = "EUR") =>
  call(person, changeBalance, {
    params: { id: userId },
    body: { currency, amount, reason: "Sorry" },
  });

test("D3 a currency without a limit requires approval, in every way that money leaves", async () => {
  await setRules(["refund"], {});
  const person = await signIn("finance");
  const sale = await newSale();
  expect((await refund(person, sale, 1)).body).toMatchObject({
    type: required,
    detail:
      "Refunds in EUR require approval, because it has no limit. Send a request to another team member.",
  });
  expect((await addBalance(person, sale.user.id, 1)).body["type"]).toBe(required);
  const dispute = (outcome: "disputed" | "dispute lost", version: number) =>
    call(person, disputeTransaction, {
      params: { id: sale.id },
      version,
      body: { outcome, evidence: "Letter of the bank" },
    });
  const disputed = await dispute("disputed", sale.version);
  expect(disputed.status, disputed.text).toBe(200);
  expect((await dispute("dispute lost", disputed.body.version)).body["type"]).toBe(required);
});

test("D3 refunds of all service accounts count together, so more accounts don't raise the limit", async () => {
  await setSums({ EUR: 1500 }, { EUR: 99_999_999 });
  const { newCaller } = serviceAccountsIn(product, boss);
  const accounts = [await newCaller({ role: "finance" }), await newCaller({ role: "finance" })];
  const answers = await Promise.all(
    accounts.map(async (account) =>
      call(account, refundTransaction, {
        params: { id: (await newSale()).id },
        body: refundOf(1000),
      }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  const refused = answers.find(({ status }) => status === 409);
  expect(refused?.body["type"]).toBe(required);
  expect((await refund(await signIn("finance"), await newSale(), 1000)).status).toBe(201);
});

test("D3 small refunds of one team member count together for a day, in parallel too", async () => {
  await setSums({ EUR: 5000 }, { EUR: 99_999_999 });
  const person = await signIn("finance");
  const sales = await Promise.all(Array.from({ length: 10 }, newSale));
  const answers = await Promise.all(sales.map((sale) => refund(person, sale, 1000)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
  const refused = answers.filter(({ status }) => status !== 201);
  expect(refused.map(({ body }) => body["type"])).toEqual(Array(5).fill(required));
  // What is given to the balance counts too.
  const given = await addBalance(person, sales[0]?.user.id ?? "", 1);
  expect(given.body["detail"]).toMatch(/^More than 50\.00 EUR per team member in 24 hours/);
  const other = await signIn("finance");
  expect((await refund(other, await newSale(), 1000)).status).toBe(201);
});

test("D3 refunds to one customer of all team members count together for 30 days", async () => {
  await setSums({ EUR: 99_999_999 }, { EUR: 3000 });
  const sale = await newSale();
  const people = await Promise.all([signIn("finance"), signIn("finance"), signIn("finance")]);
  const [one, two, three] = people as [Person, Person, Person];
  expect((await refund(one, sale, 2000)).status).toBe(201);
  expect((await addBalance(two, sale.user.id, 1000)).status).toBe(200);
  const refused = await refund(three, sale, 1);
  expect(refused.body["detail"]).toMatch(/^More than 30\.00 EUR per customer in 30 days/);
  shift = 31 * 86_400_000;
  const later = { ...three, cookie: await product.startSession(three.id) };
  expect((await refund(later, sale, 1)).status).toBe(201);
});

test("D3 without limits for sums the limit of a refund applies to them", async () => {
  await setSums({}, {});
  const person = await signIn("finance");
  expect((await refund(person, await newSale(), 10_000)).status).toBe(201);
  expect((await refund(person, await newSale(), 1)).body["type"]).toBe(required);
});

test("D3 what a team member approves doesn't count as their own", async () => {
  await setSums({ EUR: 10_000 }, { EUR: 99_999_999 });
  const made = await ask(await newSale(), 20_000);
  expect((await approve(second, made.body.id)).status).toBe(200);
  expect((await refund(second, await newSale(), 10_000)).status).toBe(201);
});

const change = async (changes: Partial<SettingsDetails>) => {
  const { version, updatedAt: _, ...details } = (await call(boss, getSettings)).body;
  return call(boss, changeSettings, { version, body: { ...details, ...changes } });
};

test("D3 the rule can't be saved while a currency in use has no limit", async () => {
  await setRules([], {});
  const refused = await change({ approvalRules: ["refund"], currencies: ["PLN", "EUR"] });
  expect(refused.body["errors"]).toMatchObject([
    { pointer: "/refundLimits", message: "Add a refund limit for EUR and PLN." },
  ]);
  const saved = await change({ approvalRules: ["refund"], refundLimits: { EUR: 100 } });
  expect(saved.status, saved.text).toBe(200);
});

test("D3 a rule of an earlier version stays on without limits, and other settings can be saved", async () => {
  await setRules(["refund"], {});
  const saved = await change({ graceDays: 5 });
  expect(saved.body).toMatchObject({ approvalRules: ["refund"], refundLimits: {}, graceDays: 5 });
  const another = await change({ currencies: ["EUR", "USD"] });
  expect(another.body["errors"]).toMatchObject([{ message: "Add a refund limit for USD." }]);
});
