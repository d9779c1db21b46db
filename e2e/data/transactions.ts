import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { type Shape, type Value, wordsOf } from "@purser/contract/fields/values";
import type { Product } from "../environment/product.ts";
import { callApi, uniqueCode } from "./api.ts";
import type { Package } from "./packages.ts";
import { sellPackage } from "./packageVersions.ts";

export type Sale = {
  id: string;
  number: string;
  state: string;
  kind: string;
  total: number;
  refunded: number;
  version: number;
  note: string;
  tags: string[];
  user: { id: string; name: string; email: string };
  refunds: Sale[];
  access: string | null;
  subscriptionId: string | null;
};

const post = <Reply>(page: Page, path: string, body: unknown, version?: number) =>
  callApi<Reply>(page, { method: "POST", path, body, ...(version && { version }) });

/** A package that can be bought for 12.00 EUR a month or 120.00 EUR a year, without a trial. */
export const makeSellablePackage = (page: Page, details: object = {}) =>
  sellPackage(page, { trialDays: 0, ...details });

export const newEmail = () => `${uniqueCode("buyer")}@example.com`;

type Selling = {
  email?: string;
  state?: "draft" | "pending" | "succeeded";
  codes?: string[];
  tax?: number;
  reference?: string | null;
  note?: string;
  interval?: "day" | "month" | "year";
  intervalCount?: number;
  quantity?: number;
  addOns?: { packageId: string; quantity?: number }[];
  occurredAt?: string;
};

/** Sells a package by hand, at the price that is worked out. */
export const sell = async (page: Page, pack: Pick<Package, "id">, how: Selling = {}) => {
  const { state = "succeeded", reference = randomUUID(), note = "", tax, ...given } = how;
  const sale = {
    email: newEmail(),
    packageId: pack.id,
    currency: "EUR",
    interval: "month",
    occurredAt: new Date(Date.now() - 1000).toISOString(),
    ...given,
    ...(tax !== undefined && { manualTax: tax, taxReason: "As on the receipt" }),
  };
  const { quote } = await post<{ quote: { total: number } }>(page, "/transactions/quote", sale);
  return post<Sale>(page, "/transactions", { ...sale, state, reference, note, total: quote.total });
};

export const readSale = (page: Page, { id }: Pick<Sale, "id">) =>
  callApi<Sale>(page, { path: `/transactions/${id}` });

export const refund = (page: Page, { id }: Sale, amount: number, access = "keep") =>
  post<Sale>(page, `/transactions/${id}/refund`, {
    amount,
    access,
    reason: "Requested by customer",
  });

export const dispute = (page: Page, { id, version }: Sale) =>
  post<Sale>(
    page,
    `/transactions/${id}/dispute`,
    { outcome: "disputed", evidence: "Mail" },
    version,
  );

/** The provider can't tell how a payment ended. */
export const markPaymentUnknown = async ({ database }: Product, { id }: Sale) => {
  await database.query(
    `insert into transaction_events (transaction_id, type, at, source, source_id)
     values ($1, 'unknown', now(), 'provider', 'test')`,
    [id],
  );
  await database.query("update transactions set state = 'unknown' where id = $1", [id]);
};

/** A code that takes a tenth off. */
export const makePromotionCode = async (page: Page) => {
  const code = uniqueCode("ten").replaceAll("-", "").toUpperCase();
  const { id, version } = await post<{ id: string; version: number }>(page, "/promotions", {
    name: `Tenth ${code}`,
    kind: "percent",
    basisPoints: 1000,
    code,
  });
  await post(page, `/promotions/${id}/publish`, {}, version);
  return code;
};

export const countSales = async ({ database }: Product, email: string) => {
  const { rows } = await database.query<{ count: number }>(
    `select count(*)::int as count from transactions t join users u on u.id = t.user_id
     where u.email = $1`,
    [email],
  );
  return rows[0]?.count ?? 0;
};

type Entitlements = {
  items: {
    feature: Omit<Shape, "combining"> & { name: string };
    value: Value;
    lines: { isApplied: boolean }[];
  }[];
};

/** A customer's entitlements at a time, one text per feature that a grant applies to. */
export const entitlementsOf = async (page: Page, user: { id: string }, at = new Date()) => {
  const { items } = await callApi<Entitlements>(page, {
    path: `/users/${user.id}/entitlements?at=${at.toISOString()}`,
  });
  return items
    .filter(({ lines }) => lines.some(({ isApplied }) => isApplied))
    .map(({ feature, value }) => `${feature.name}: ${wordsOf(feature, value)}`);
};
