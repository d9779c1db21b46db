import type { Price } from "@purser/contract/packages/prices";
import { type Db, first, run } from "#platform/db/db.ts";
import { type RowOf, statement } from "#platform/db/statement.ts";

/** A package on sale at one of its prices. */
export type Offer = Price & {
  packageId: string;
  packageName: string;
  group: string | null;
  versionId: string;
  version: number;
  priceId: string;
  trialDays: number;
  apps: number;
  features: number;
  kind: "base" | "add-on";
  /** Groups of base packages that an add-on needs; any if empty. */
  baseGroups: string[];
  /** Whether the price is for one unit. */
  perUnit: boolean;
};

/** What is bought of an offer. */
export type Item = { offer: Offer; quantity: number };

export type WantedOffer = Pick<Price, "currency" | "interval" | "intervalCount"> & {
  packageId: string;
};

// Needs a package p, its version v and a price.
const offered = `
  p.id as "packageId", p.name as "packageName", p.group_code as "group", v.id as "versionId", v.number as version,
  v.trial_days as "trialDays", price.id as "priceId", price.currency, price.amount::float8 as amount, price.interval,
  price.interval_count as "intervalCount", price.per_unit as "perUnit", p.kind, p.base_groups as "baseGroups",
  (select count(*)::int from version_apps a where a.version_id = v.id) as apps,
  (select count(*)::int from version_values f where f.version_id = v.id) as features`;

/** Columns and tables of a package p with its version on sale and its price. The arguments are placeholders. */
export const offeredAt = (currency: string, interval: string, intervalCount: string) => ({
  columns: `${offered}, p.status`,
  joins: `
    left join package_versions v on v.package_id = p.id and v.state = 'on sale'
    left join version_prices price on price.version_id = v.id and price.currency = ${currency}
      and price.interval = ${interval} and price.interval_count = ${intervalCount}`,
});

const found = offeredAt("$2", "$3", "$4");

const findOfferSql = statement(
  "transactions.findOffer",
  `select ${found.columns} from packages p ${found.joins} where p.id = $1 for share of p`,
).narrow<{ apps: number; features: number }>();

export type FoundOffer = RowOf<typeof findOfferSql>;

/**
 * A package with its version on sale and the wanted price, each null if there is none. Locks the package, so that
 * it is not published or archived before the sale is recorded.
 */
export const findOffer = (db: Db, { packageId, currency, interval, intervalCount }: WantedOffer) =>
  first(db, findOfferSql, [packageId, currency, interval, intervalCount]);

const sold = `
  select ${offered}
  from package_versions v join packages p on p.id = v.package_id cross join version_prices price`;

const findSoldAtSql = statement(
  "transactions.findSoldAt",
  `${sold} where v.id = $1 and price.id = $2`,
).narrow<Offer>();

/** A version at a price, whether or not it is on sale. */
export const findSoldAt = (db: Db, versionId: string, priceId: string) =>
  first(db, findSoldAtSql, [versionId, priceId]);

const findManySoldAtSql = statement(
  "transactions.findManySoldAt",
  `${sold} join unnest($1::uuid[], $2::uuid[]) as wanted (version_id, price_id)
     on v.id = wanted.version_id and price.id = wanted.price_id`,
).narrow<Offer>();

export type SoldAt = Pick<Offer, "versionId" | "priceId">;

/** As `findSoldAt`, for many versions and prices. */
export const findManySoldAt = (db: Db, wanted: readonly SoldAt[]) =>
  run(db, findManySoldAtSql, [
    wanted.map(({ versionId }) => versionId),
    wanted.map(({ priceId }) => priceId),
  ]);

const findSoldSql = statement(
  "transactions.findSold",
  `select ${offered}, l.id as "lineId", l.quantity
   from transaction_lines l join package_versions v on v.id = l.version_id join packages p on p.id = v.package_id
   join version_prices price on price.id = l.price_id
   where l.transaction_id = $1 order by l.position`,
).narrow<Offer & { lineId: string; quantity: number }>();

/** The lines of a transaction with the versions and prices that they are for. */
export const findSold = async (db: Db, transactionId: string) =>
  (await run(db, findSoldSql, [transactionId])).map(({ lineId, quantity, ...offer }) => ({
    lineId,
    quantity,
    offer,
  }));
