import type { TaxRateDetails } from "@purser/contract/money/taxRates";
import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import { localDateOf } from "#platform/periods.ts";
import { decideTax, type TaxCategory, type TaxInput, type TaxRate } from "./tax.ts";

const place = `u.country, u.region, u.vat_number as "vatNumber" from users u`;

const rates = `
  select country, region, name, category, basis_points as "basisPoints", valid_from::text as "validFrom",
    valid_until::text as "validUntil"
  from tax_rates`;

export type Taxation = { isIncluded: boolean; facts: ReturnType<typeof decideTax> };

const findBuyersSql = statement(
  "taxes.findBuyers",
  `select u.id, ${place} where u.id = any ($1::uuid[])`,
);

const findSellerSql = statement(
  "taxes.findSeller",
  `select seller ->> 'country' as country, tax_included as "taxIncluded" from settings`,
);

const findCategoriesSql = statement(
  "taxes.findCategories",
  `select id, tax_category as category from packages where id = any ($1::uuid[])`,
);

const findRatesOfSql = statement(
  "taxes.findRatesOf",
  `${rates} where country = any ($1::text[]) and valid_from <= $2::date
     and (valid_until > $2::date or valid_until is null)`,
).narrow<{ category: TaxRate["category"]; validFrom: string; validUntil: string | null }>();

type TaxedSale = { userId: string; packageId: string; currency: string };

/** How sales at the same time are taxed, in the order of the sales. */
export const findManyTaxations = async (
  db: Db,
  sales: readonly TaxedSale[],
  { at, zone }: { at: Date; zone: string },
): Promise<Taxation[]> => {
  const found = await run(db, findBuyersSql, [sales.map(({ userId }) => userId)]);
  const buyers = new Map(found.map((buyer) => [buyer.id, buyer]));
  const seller = (await first(db, findSellerSql)) ?? { country: null, taxIncluded: [] };
  const packageIds = [...new Set(sales.map(({ packageId }) => packageId))];
  const categories = new Map(
    (await run(db, findCategoriesSql, [packageIds])).map(({ id, category }) => [id, category]),
  );
  const on = localDateOf(at, zone);
  const countries = [...new Set([seller.country, ...found.map(({ country }) => country)])];
  const rates = await run(db, findRatesOfSql, [countries, on]);
  return sales.map(({ userId, packageId, currency }) => {
    const buyer = buyers.get(userId) ?? { country: null, region: null, vatNumber: null };
    const category = (categories.get(packageId) ?? "standard") as TaxCategory;
    return {
      isIncluded: seller.taxIncluded.includes(currency),
      facts: decideTax({ seller, buyer, category, rates, on }),
    };
  });
};

/** What the tax of a sale depends on, as JSON. Rates also of the days around it, because time zones differ. */
export type TaxTerms = {
  sellerCountry: string | null;
  isTaxIncluded: boolean;
  /** Null for a buyer who isn't known yet. */
  place: TaxInput["buyer"] | null;
  categories: Record<string, TaxCategory>;
  rates: TaxRate[];
};

/** Columns of `TaxTerms` from the settings s. $1 is the buyer, $3 the time, $4 the packages and $5 the currency. */
export const taxColumns = `
  s.seller ->> 'country' as "sellerCountry", $5 = any (s.tax_included) as "isTaxIncluded",
  (select to_jsonb(place) from (select ${place} where u.id = $1) place) as place,
  (select coalesce(jsonb_object_agg(p.id, p.tax_category), '{}') from packages p where p.id = any ($4::uuid[]))
    as categories,
  (select coalesce(jsonb_agg(to_jsonb(rate)), '[]') from (${rates}
    where country = coalesce((select u.country from users u where u.id = $1), s.seller ->> 'country')
      and valid_from <= ($3::timestamptz at time zone 'UTC')::date + 1
      and (valid_until >= ($3::timestamptz at time zone 'UTC')::date - 1 or valid_until is null)) rate) as rates`;

/** How the sale of a package is taxed. A customer who isn't known yet has no country. */
export const taxationOf = (
  { sellerCountry, isTaxIncluded, place, categories, rates: valid }: TaxTerms,
  { packageId, at, zone }: { packageId: string; at: Date; zone: string },
): Taxation => ({
  isIncluded: isTaxIncluded,
  facts: decideTax({
    seller: { country: sellerCountry },
    buyer: place ?? { country: null, region: null, vatNumber: null },
    category: categories[packageId] ?? "standard",
    rates: valid,
    on: localDateOf(at, zone),
  }),
});

const taxRates = statement(
  "taxes.taxRates",
  `select r.id, r.country, r.region, r.name, r.category, r.basis_points as "basisPoints",
     r.valid_from::text as "validFrom", r.valid_until::text as "validUntil", r.version, r.updated_at as "updatedAt"
   from tax_rates r`,
).narrow<{ validFrom: string; validUntil: string | null }>();
const allRates = taxRates.with(
  "order by r.country, r.region nulls first, r.category, r.valid_from",
);
const lockedRate = taxRates.with("where r.id = $1 for update");

export const findTaxRates = (db: Db) => run(db, allRates);

export const lockTaxRate = (db: Db, id: string) => first(db, lockedRate, [id]);

const valuesOf = (details: TaxRateDetails) => {
  const { country, region, name, category, basisPoints, validFrom, validUntil } = details;
  return [country, region, name, category, basisPoints, validFrom, validUntil];
};

const insertSql = statement(
  "taxes.insert",
  `insert into tax_rates (country, region, name, category, basis_points, valid_from, valid_until)
   values ($1, $2, $3, $4, $5, $6, $7) returning id`,
);

export const insertTaxRate = async (db: Db, details: TaxRateDetails) => {
  const row = await first(db, insertSql, valuesOf(details));
  if (!row) throw new Error("The tax rate was not stored.");
  return row.id;
};

export const updateTaxRate = async (db: Db, id: string, details: TaxRateDetails) => {
  await run(
    db,
    `update tax_rates set country = $1, region = $2, name = $3, category = $4, basis_points = $5, valid_from = $6,
       valid_until = $7 where id = $8`,
    [...valuesOf(details), id],
  );
};

export const removeTaxRate = async (db: Db, id: string) => {
  await db.deleteFrom("taxRates").where("id", "=", id).execute();
};
