import { randomUUID } from "node:crypto";
import { createAppKey } from "@purser/contract/apps/keys";
import { checkFeature } from "@purser/contract/entitlements/explanation";
import type { Endpoint } from "@purser/contract/http/endpoint";
import { getBalance } from "@purser/contract/money/balance";
import { createTaxRate } from "@purser/contract/money/taxRates";
import {
  cancelSubscription,
  changeSubscription,
  getSubscription,
  listSubscriptions,
  previewChange,
  withdrawChange,
} from "@purser/contract/subscriptions/endpoints";
import {
  previewRefund,
  refundTransaction,
  resolveTransaction,
} from "@purser/contract/transactions/actions";
import { listTransactions } from "@purser/contract/transactions/endpoints";
import type { TransactionKind } from "@purser/contract/transactions/fields";
import { createTransaction, quoteSale } from "@purser/contract/transactions/sales";
import { createUser } from "@purser/contract/users/endpoints";
import { expect } from "vitest";
import { renew } from "#modules/subscriptions/renewals.ts";
import { shopIn } from "#modules/transactions/testing/testing.ts";
import type { TestProduct } from "#testing.ts";

/** Leaves out the fields that the endpoint doesn't have: a quote needs only some of a sale's. */
const known = ({ body }: Endpoint, fields: object) =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => value !== undefined && body && name in body.shape,
    ),
  ) as never;

/** The part of a transaction that was not paid from the balance. */
export const cashOf = (sale: { total: number; balanceAmount: number } | undefined) =>
  sale && sale.total - sale.balanceAmount;

const dayMs = 86_400_000;

export const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString();
export const daysAfter = (at: string, days: number) =>
  new Date(Date.parse(at) + days * dayMs).toISOString();

type Price = {
  currency: string;
  amount: number;
  interval: "day" | "month" | "year";
  intervalCount: number;
  perUnit?: boolean;
};

const priceEvery =
  (intervalCount: number, interval: Price["interval"]) =>
  (amount: number, currency = "EUR"): Price => ({ currency, amount, interval, intervalCount });

export const yearly = priceEvery(1, "year");
export const monthly = priceEvery(1, "month");
/** Unlike a month it always has the same length, so that the value of ten days is a fixed amount. */
export const per30Days = priceEvery(30, "day");

const paidStates = new Set(["succeeded", "partially refunded", "refunded", "disputed"]);

type Customer = { id: string; email: string };
type Sold = { id: string; code: string; price: Price };

/** Packages, customers, sales, changes and refunds through the API, and what they come to. */
export const moneyIn = async (product: TestProduct) => {
  const { call, platform } = product;
  const shop = await shopIn(product);
  const { admin, promote, read } = shop;
  const app = await shop.newApp();
  const seats = await shop.newLimit(app.id);

  const newGroup = () => `g-${randomUUID().slice(0, 8)}`;

  /** A package on sale that gives 5 seats. */
  const putOnSale = async (prices: [Price, ...Price[]], details: object = {}): Promise<Sold> => {
    const { id, code } = await shop.newPackage({ prices, ...details });
    await shop.give(id, seats, 5);
    const published = await shop.publish(id);
    expect(published.status, published.text).toBe(200);
    return { id, code, price: prices[0] };
  };

  const newCustomer = async (details: object = {}): Promise<Customer> => {
    const body = { name: "Ada", email: `${randomUUID()}@example.com`, ...details };
    const made = await call(admin, createUser, { body });
    expect(made.status, made.text).toBe(201);
    return made.body;
  };

  const saleTo = ({ email }: Customer, { id, price }: Sold, more: object = {}) => {
    const { currency, interval, intervalCount } = price;
    const occurredAt = new Date(Date.now() - 1000).toISOString();
    return { email, packageId: id, currency, interval, intervalCount, occurredAt, ...more };
  };

  const requestQuote = (sale: object) => call(admin, quoteSale, { body: known(quoteSale, sale) });

  const quote = async (sale: object) => {
    const { status, text, body } = await requestQuote(sale);
    expect(status, text).toBe(200);
    return { ...body, ...body.quote };
  };

  /** Records a sale at its quoted price, or returns the refusal of the quote. */
  const record = async (sale: object) => {
    const answer = await requestQuote(sale);
    if (answer.status !== 200) return answer;
    const { quote: priced, payment } = answer.body;
    const entered = { state: "succeeded", reference: randomUUID(), isNoDuplicate: true };
    const seen = { total: priced.total, due: payment.due };
    return call(admin, createTransaction, {
      body: known(createTransaction, { ...entered, ...seen, ...sale }),
    });
  };

  const buy = async (customer: Customer, pack: Sold, more: object = {}) => {
    const made = await record(saleTo(customer, pack, more));
    expect(made.status, made.text).toBe(201);
    return read(String(made.body["id"]));
  };

  const subscription = async (id: string | null) =>
    (await call(admin, getSubscription, { params: { id: id ?? "" } })).body;

  /** The subscription that has not ended. */
  const currentOf = async ({ id }: Customer) => {
    const { body } = await call(admin, listSubscriptions, { params: { id } });
    const current = body.items.filter(({ status }) => status !== "ended");
    expect(current).toHaveLength(1);
    return subscription(current[0]?.id ?? "");
  };

  type Quantity = { quantity?: number };

  const wantedOf = ({ id, price: { interval, intervalCount } }: Sold, { quantity }: Quantity) => ({
    packageId: id,
    interval,
    intervalCount,
    when: "now" as const,
    ...(quantity !== undefined && { quantity }),
  });

  const preview = (id: string | null, pack: Sold, more: Quantity = {}) =>
    call(admin, previewChange, { params: { id: id ?? "" }, body: wantedOf(pack, more) });

  /** Changes the package or quantity now, or returns the refusal of the preview. */
  const change = async (
    id: string | null,
    pack: Sold,
    more: Quantity & Record<string, unknown> = {},
  ) => {
    const shown = await preview(id, pack, more);
    if (shown.status !== 200) return shown;
    const { at, payment } = shown.body;
    const { version } = await subscription(id);
    const chosen = { at, due: payment.due, rest: "balance", reason: "Requested", ...more };
    const body = known(changeSubscription, { ...wantedOf(pack, more), ...chosen });
    return call(admin, changeSubscription, { params: { id: id ?? "" }, version, body });
  };

  const withdraw = async (id: string | null) => {
    const { version } = await subscription(id);
    return call(admin, withdrawChange, { params: { id: id ?? "" }, version, body: {} });
  };

  const cancel = async (id: string | null, when: "now" | "period end") => {
    const { version } = await subscription(id);
    const sent = { params: { id: id ?? "" }, version, body: { when, reason: "Requested" } };
    const canceled = await call(admin, cancelSubscription, sent);
    expect(canceled.status, canceled.text).toBe(200);
  };

  /** Refunds all that can be refunded, or returns the refusal of the preview. */
  const refund = async (id: string, access: "keep" | "end now" | "end with period") => {
    const choice = { of: "full", to: "payment method", access } as const;
    const shown = await call(admin, previewRefund, { params: { id }, body: choice });
    if (shown.status !== 200) return shown;
    const { at, total } = shown.body;
    const body = { ...choice, at, total, reason: "Requested" };
    return call(admin, refundTransaction, { params: { id }, body });
  };

  const salesOf = async ({ id }: Customer, ...kinds: TransactionKind[]) => {
    const f = [`user:any:${id}`, ...(kinds.length > 0 ? [`kind:any:${kinds.join(",")}`] : [])];
    const { status, text, body } = await call(admin, listTransactions, { query: { f } });
    expect(status, text).toBe(200);
    return body.items;
  };

  const pay = async (id: string) => {
    const { version } = await read(id);
    const body = { outcome: "succeeded" as const, evidence: "Bank statement" };
    const resolved = await call(admin, resolveTransaction, { params: { id }, version, body });
    expect(resolved.status, resolved.text).toBe(200);
  };

  const payPending = async (customer: Customer) => {
    for (const { id, state } of await salesOf(customer)) if (state === "pending") await pay(id);
  };

  /** What the customer has paid in cash, before refunds. */
  const cashPaidBy = async (customer: Customer) =>
    (await salesOf(customer, "purchase", "renewal", "change"))
      .filter(({ state }) => paidStates.has(state))
      .reduce((sum, sale) => sum + (cashOf(sale) ?? 0), 0);

  const balanceOf = async ({ id }: Customer) => {
    const { status, text, body } = await call(admin, getBalance, { params: { id } });
    expect(status, text).toBe(200);
    return body.items.find(({ currency }) => currency === "EUR")?.amount ?? 0;
  };

  const addTaxRate = async (country: string, basisPoints: number) => {
    const valid = { validFrom: "2020-01-01", validUntil: null };
    const rate = { country, region: null, name: "VAT", basisPoints };
    const body = { ...rate, ...valid, category: "standard" as const };
    const added = await call(admin, createTaxRate, { body });
    expect(added.status, added.text).toBe(201);
  };

  const renewAt = (id: string | null, now: Date) =>
    platform.db.transaction().execute((db) => renew(db, id ?? "", { now, zone: "UTC" }));

  /** Requests the payment of the next period at its start. */
  const requestRenewal = async (id: string | null) =>
    renewAt(id, new Date((await subscription(id)).periodEnd));

  /** The answer to the app that asks for the customer's seats. */
  const check = async ({ email }: Customer) => {
    const body = {
      name: "Server",
      kind: "server" as const,
      scopes: ["entitlements:read" as const],
    };
    const key = await call(admin, createAppKey, { params: { id: app.id }, body });
    const headers = { authorization: `Bearer ${key.body.secret}` };
    return (
      await call(null, checkFeature, { query: { user: email, feature: seats.code }, headers })
    ).body;
  };

  return {
    admin,
    seats,
    promote,
    read,
    newGroup,
    putOnSale,
    newCustomer,
    saleTo,
    quote,
    record,
    buy,
    subscription,
    currentOf,
    preview,
    change,
    withdraw,
    cancel,
    refund,
    addTaxRate,
    salesOf,
    pay,
    payPending,
    cashPaidBy,
    balanceOf,
    renewAt,
    requestRenewal,
    check,
  };
};
