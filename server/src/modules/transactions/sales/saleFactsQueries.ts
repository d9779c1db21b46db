import {
  assertMayKnow,
  type Customer,
  identityOf,
  lockCustomerFor,
  type Named,
} from "#modules/entitlements/customerQueries.ts";
import {
  type ArchivedPart,
  archivedPartsJson,
} from "#modules/packages/versions/archivedPartQueries.ts";
import {
  buyerColumns,
  type ConsideredJson,
  comparedCodes,
  consideredJson,
  knownCodesOf,
} from "#modules/promotions/pricing/queries.ts";
import { type TaxTerms, taxColumns } from "#modules/taxes/queries.ts";
import { type LockedCustomer, lockedCustomer } from "#modules/users/queries.ts";
import { isBlocked, subjectHash } from "#platform/auth/attempts.ts";
import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import { type FoundOffer, type Item, offeredAt, type WantedOffer } from "./offerQueries.ts";
import { duplicatesOf, type VersionFeature, versionFeaturesOf } from "./saleQueries.ts";

const lockPackages = (ids: string) =>
  `select id from packages where id = any (${ids}::uuid[]) order by id for share`;

// The facts of a sale are found by keys, so their plan is the same for all values. Without this setting PostgreSQL plans
// them for each sale, which takes ten times as long as reading them.
const lockBuyerSql = statement(
  "transactions.lockBuyer",
  `with ${lockedCustomer}, locked as (${lockPackages("$2")})
   select c.id, c.name, c.email, c.status, c.role, (select count(*)::int from locked) as packages,
     set_config('plan_cache_mode', 'force_generic_plan', true) as plans
   from customer c`,
).narrow<LockedCustomer>();

type Caller = Parameters<typeof assertMayKnow>[0];

/**
 * Locks the customer, who may be new, and the packages, so that they are not published or archived before the sale is
 * recorded. What depends on them is read afterwards, because this may have waited.
 */
export const lockBuyer = async (
  db: Db,
  caller: Caller,
  { packageIds, ...named }: Named & { packageIds: readonly string[] },
): Promise<Customer> => {
  const identity = await identityOf(db, named, caller);
  const { email } = identity;
  const known = email === undefined ? null : await first(db, lockBuyerSql, [email, packageIds]);
  if (known) {
    assertMayKnow(caller, known);
    return known;
  }
  const customer = await lockCustomerFor(db, caller, identity);
  await run(db, lockPackages("$1"), [packageIds]);
  return customer;
};

// From the settings s. $1 is the buyer, $2 the normalized codes, $3 the time, $4 the packages and $5 the currency.
const pricing = `
  ${consideredJson} as considered, ${buyerColumns}, ${taxColumns}, s.grace_days as "graceDays",
  array(
    select package_id from grants where user_id = $1 and package_id = any ($4)
    union select package_id from subscriptions where user_id = $1 and package_id = any ($4)
  ) as "hadPackageIds",
  exists (select from subscriptions c where c.user_id = $1 and c.status <> 'ended' and (c.package_id = any ($4)
    or c.group_code in (select p.group_code from packages p where p.id = any ($4)))) as "mayContinue",
  exists (select from grants g join subscriptions c on c.id = g.subscription_id
    where g.user_id = $1 and g.package_id = any ($4) and c.user_id <> $1) as "hasTransferredGrants",
  exists (select from balances b where b.user_id = $1 and b.currency = $5 and b.amount > 0) as "hasBalance"`;

/** What the price and the effect of a sale depend on. */
export type PricingFacts = TaxTerms & {
  considered: ConsideredJson[];
  hasHeldAnything: boolean;
  hasPaid: boolean;
  graceDays: number;
  /** Packages that the customer has or had, so that their trial is no longer offered. */
  hadPackageIds: string[];
  /** Whether the customer has a subscription that the sale continues or replaces. */
  mayContinue: boolean;
  /** Whether the customer has grants of the packages that belong to another customer's subscription. */
  hasTransferredGrants: boolean;
  hasBalance: boolean;
};

type Priced = {
  userId: string | null;
  codes: readonly string[];
  at: Date;
  packageIds: readonly string[];
  currency: string;
};

const valuesOf = ({ userId, codes, at, packageIds, currency }: Priced) => [
  userId,
  comparedCodes(codes),
  at,
  packageIds,
  currency,
];

const findPricingFactsSql = statement(
  "transactions.findPricingFacts",
  `select ${pricing} from settings s`,
).narrow<PricingFacts>();

const missing = () => new Error("The settings row is missing.");

/** For items in the same currency. */
export const findPricingFacts = async (
  db: Db,
  { items, ...buyer }: Pick<Priced, "userId" | "codes" | "at"> & { items: readonly Item[] },
): Promise<PricingFacts> => {
  const packageIds = items.map(({ offer: { packageId } }) => packageId);
  const currency = items[0]?.offer.currency ?? "";
  const facts = await first(db, findPricingFactsSql, valuesOf({ ...buyer, packageIds, currency }));
  if (!facts) throw missing();
  return facts;
};

const offer = offeredAt("$5", "$6", "$7");

const duplicates = duplicatesOf({
  userId: "$1",
  packageId: "($4::uuid[])[1]",
  currency: "$5",
  total: "$8",
  at: "$3",
});

const findSaleFactsSql = statement(
  "transactions.findSaleFacts",
  `select ${pricing}, s.time_zone as "timeZone", array(${knownCodesOf("$2")}) as "knownCodes",
     ${isBlocked("$9", "$10")} as "isBlocked",
     (select coalesce(jsonb_agg(to_jsonb(d)), '[]') from (${duplicates}) d) as duplicates,
     (select coalesce(jsonb_agg(to_jsonb(o)), '[]') from (
       select ${offer.columns}, ${archivedPartsJson("v.id")} as archived,
         case when w.place = 1 then (select coalesce(jsonb_agg(to_jsonb(f)), '[]')
           from (${versionFeaturesOf("v.id")}) f) end as "versionFeatures"
       from unnest($4::uuid[]) with ordinality as w (id, place) join packages p on p.id = w.id ${offer.joins}) o
     ) as offers
   from settings s`,
).narrow<
  PricingFacts & {
    knownCodes: string[];
    isBlocked: boolean;
    duplicates: { id: string; number: string; occurredAt: string }[];
    /** Of each package. Only the first one has the features of its version. */
    offers: (FoundOffer & {
      archived: ArchivedPart[];
      versionFeatures: VersionFeature[] | null;
    })[];
  }
>();

type Wanted = Priced &
  Pick<WantedOffer, "interval" | "intervalCount"> & {
    total: number;
    /** Whose attempts with wrong codes are counted. */
    subject: string;
    now: Date;
  };

/** Everything that a sale needs to know, in one statement. */
export const findSaleFacts = async (
  db: Db,
  { interval, intervalCount, total, subject, now, ...priced }: Wanted,
) => {
  const facts = await first(db, findSaleFactsSql, [
    ...valuesOf(priced),
    ...[interval, intervalCount, total, subjectHash(subject), now],
  ]);
  if (!facts) throw missing();
  return facts;
};
