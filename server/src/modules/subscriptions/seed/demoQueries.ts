import type { Role } from "@purser/contract/auth/permissions";
import type { DemoCustomer } from "#modules/entitlements/seed/customers.ts";
import { findDemoMember } from "#modules/users/seed/team.ts";
import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import { findSoldAt } from "../../transactions/sales/offerQueries.ts";

/** The demo company: its database, when and where it is, and the team members who record things. */
export type Company = {
  db: Db;
  /** The end of the history. */
  now: Date;
  zone: string;
  finance: string | null;
  support: string | null;
};

export const openCompany = async (
  db: Db,
  { now, zone }: Pick<Company, "now" | "zone">,
): Promise<Company> => {
  const member = (role: Role) => findDemoMember(db, role);
  return { db, now, zone, finance: await member("finance"), support: await member("support") };
};

const findOnSaleSql = statement(
  "subscriptions.findOnSale",
  `select v.id as "versionId", price.id as "priceId"
   from packages p join package_versions v on v.package_id = p.id and v.published_at <= $2
   join version_prices price on price.version_id = v.id and price.currency = $3 and price.interval = $4
   where p.code = $1 order by v.published_at desc limit 1`,
);

type Terms = Pick<DemoCustomer, "currency" | "interval">;

/** The version of a package that was on sale at a moment, at the price of a customer. Undefined before it was. */
export const findOfferAt = async (db: Db, code: string, at: Date, terms: Terms) => {
  const found = await first(db, findOnSaleSql, [code, at, terms.currency, terms.interval]);
  return found && findSoldAt(db, found.versionId, found.priceId);
};

const findLatestPaymentSql = statement(
  "subscriptions.findLatestPayment",
  `select id from transactions where user_id = $1 and kind in ('purchase', 'renewal', 'change')
     and state = 'succeeded' and refunded = 0 and total > 0 order by occurred_at desc, id desc limit 1`,
);

export const findLatestPayment = async (db: Db, userId: string) =>
  (await first(db, findLatestPaymentSql, [userId]))?.id;

const findOpenRenewalSql = statement(
  "subscriptions.findOpenRenewal",
  "select id from transactions where subscription_id = $1 and kind = 'renewal' and state = 'pending'",
);

export const findOpenRenewal = async (db: Db, subscriptionId: string) =>
  (await first(db, findOpenRenewalSql, [subscriptionId]))?.id;

const findPaidSubscriptionsSql = statement(
  "subscriptions.findPaidSubscriptions",
  `select subscription_id as id from transaction_lines
   where transaction_id = $1 and subscription_id is not null order by position`,
).present<"id">();

/** The subscriptions that a transaction pays for. */
export const findPaidSubscriptions = async (db: Db, transactionId: string) =>
  (await run(db, findPaidSubscriptionsSql, [transactionId])).map(({ id }) => id);

const findCurrentSql = statement(
  "subscriptions.findCurrent",
  `select s.id from subscriptions s join packages p on p.id = s.package_id
   where s.user_id = $1 and s.status <> 'ended' and (p.code = $2 or $2::text is null and p.kind = 'base')`,
);

/** A customer's subscription to a package, or to a base package. */
export const findCurrent = async (db: Db, userId: string, code: string | null = null) =>
  (await first(db, findCurrentSql, [userId, code]))?.id;
