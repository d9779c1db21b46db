import type { ReportUnit } from "@purser/contract/reports/endpoints";
import { type Db, first, run } from "#platform/db/db.ts";
import { statement, template } from "#platform/db/statement.ts";

const currenciesSql = statement(
  "reports.findCurrencies",
  // By the payments of each currency. A skip scan, because there are few currencies and many days.
  `with recursive used as (
     (select currency from revenue_days where dimension = 'total' order by currency limit 1)
     union all
     select (select d.currency from revenue_days d where d.dimension = 'total' and d.currency > u.currency
       order by d.currency limit 1) from used u where u.currency is not null
   )
   select u.currency, (select coalesce(sum(d.payments), 0)::int from revenue_days d
     where d.dimension = 'total' and d.currency = u.currency and d.day > $1::date - 365) as payments
   from used u where u.currency is not null order by 2 desc, 1`,
).narrow<{ currency: string; payments: number }>();

/** The currencies that have figures, those with most payments in the year before a day first. */
export const findCurrencies = async (db: Db, day: string) =>
  (await run(db, currenciesSql, [day])).map(({ currency }) => currency);

type Range = { currency: string; from: string; until: string };

const summarySql = statement(
  "reports.findSummary",
  `with days as (
     select d::date as day from generate_series($2::date, $3::date, interval '1 day') d
   ), money as (
     select day, net, refunds, disputes from revenue_days
     where dimension = 'total' and currency = $1 and day between $2 and $3
   ), moves as (
     select day, coalesce(sum(amount), 0) as amount,
       coalesce(sum(customers) filter (where kind in ('new', 'reactivation')), 0) as gained,
       coalesce(sum(customers) filter (where kind = 'churn'), 0) as lost,
       coalesce(sum(customers) filter (where kind = 'trial paid'), 0) as paid,
       coalesce(sum(customers) filter (where kind = 'trial lost'), 0) as unpaid
     from mrr_days where currency = $1 and day <= $3 group by day
   ), opening as (
     select coalesce(sum(amount), 0) as mrr, coalesce(sum(gained - lost), 0) as subscribers from moves where day < $2
   )
   select d.day::text as day, coalesce(m.net, 0)::float8 as net, coalesce(m.refunds, 0)::float8 as refunds,
     coalesce(m.disputes, 0)::float8 as disputes,
     (o.mrr + sum(coalesce(v.amount, 0)) over (order by d.day))::float8 as mrr,
     (o.subscribers + sum(coalesce(v.gained - v.lost, 0)) over (order by d.day))::int as subscribers,
     coalesce(v.gained, 0)::int as gained, coalesce(v.lost, 0)::int as lost,
     coalesce(v.paid, 0)::int as "trialsPaid", coalesce(v.unpaid, 0)::int as "trialsLost"
   from days d cross join opening o left join money m on m.day = d.day left join moves v on v.day = d.day
   order by d.day`,
).narrow<
  Record<"net" | "refunds" | "disputes" | "mrr", number> &
    Record<"subscribers" | "gained" | "lost" | "trialsPaid" | "trialsLost", number> & {
      day: string;
    }
>();

/** The figures of each day, with recurring revenue and subscribers at its end. */
export const findSummary = (db: Db, { currency, from, until }: Range) =>
  run(db, summarySql, [currency, from, until]);

const sums = ["payments", "refund_count", "dispute_count"]
  .map((name) => `sum(d.${name})::int as ${name}`)
  .concat(
    ["charged", "tax", "refunds", "disputes", "net", "discount"].map(
      (name) => `sum(d.${name})::float8 as ${name}`,
    ),
  )
  .join(", ")
  .replace("as refund_count", 'as "refundCount"')
  .replace("as dispute_count", 'as "disputeCount"');

/** The first day of a period. Weeks start on Monday. */
const periodOf = "date_trunc($4, d.day)::date::text";

const groupings = {
  total: { dimension: "total", key: "''", name: "null::text", joins: "" },
  package: {
    dimension: "package",
    key: "coalesce(v.package_id::text, '')",
    name: "p.name",
    joins: `left join package_versions v on v.id = nullif(d.key, '')::uuid left join packages p on p.id = v.package_id`,
  },
  version: { dimension: "package", key: "d.key", name: "null::text", joins: "" },
  country: { dimension: "country", key: "d.key", name: "null::text", joins: "" },
  promotion: {
    dimension: "promotion",
    key: "d.key",
    name: "r.name",
    joins: "left join promotions r on r.id = nullif(d.key, '')::uuid",
  },
  tax: { dimension: "tax", key: "d.key", name: "null::text", joins: "" },
} as const;

type Grouping = keyof typeof groupings;

const revenueSql = template(
  "reports.findRevenue",
  (grouping: Grouping) => {
    const { dimension, key, name, joins } = groupings[grouping];
    return `select ${key} as key, ${name} as name, ${periodOf} as day, ${sums}
      from revenue_days d ${joins}
      where d.dimension = '${dimension}' and d.currency = $1 and d.day between $2::date and $3::date
      group by 1, 2, 3 order by 3, 1`;
  },
  ["total"],
  ["package"],
  ["promotion"],
).narrow<{
  key: string;
  name: string | null;
  day: string;
  payments: number;
  refundCount: number;
  disputeCount: number;
  charged: number;
  tax: number;
  refunds: number;
  disputes: number;
  net: number;
  discount: number;
}>();

export type RevenueRow = NonNullable<typeof revenueSql.row>;

/** Revenue by period and key. */
export const findRevenue = (
  db: Db,
  grouping: Grouping,
  { currency, from, until, unit }: Range & { unit: ReportUnit },
) => run(db, revenueSql.for(grouping), [currency, from, until, unit]);

const versionAppsSql = statement(
  "reports.findVersionApps",
  `select v.id as "versionId", v.package_id as "packageId", p.name as "packageName", v.number, a.app_id as "appId", o.name as "appName", o.icon,
     (select count(*)::int from version_values f where f.version_id = v.id and f.app_id = a.app_id) as features
   from package_versions v join packages p on p.id = v.package_id
   left join version_apps a on a.version_id = v.id left join apps o on o.id = a.app_id
   where v.id = any ($1::uuid[]) order by p.sort, p.id, v.number, o.name, a.app_id`,
).narrow<{ appId: string | null; appName: string | null; icon: string | null; features: number }>();

export type VersionApp = NonNullable<typeof versionAppsSql.row>;

/** The apps of package versions, with their number of features in it. A version without apps has one row. */
export const findVersionApps = (db: Db, versionIds: readonly string[]) =>
  run(db, versionAppsSql, [versionIds]);

const listPricesSql = statement(
  "reports.findListPrices",
  // What is on sale is read first. It is little, while there may be versions of many years.
  `with sold as materialized (
     select v.id from package_versions v join packages p on p.id = v.package_id
     where v.state = 'on sale' and p.kind = 'base' and p.status = 'active'
   )
   select a.app_id as "appId", min(round(price.amount / case price.interval when 'year' then 12 else 1 end
       / price.interval_count))::float8 as amount
   from sold s join version_apps a on a.version_id = s.id
   join version_prices price on price.version_id = s.id and price.currency = $2 and price.interval in ('month', 'year')
   where a.app_id = any ($1::uuid[]) and price.amount > 0
     and not exists (select from version_apps other where other.version_id = s.id and other.app_id <> a.app_id)
   group by a.app_id`,
).narrow<{ amount: number }>();

/** The lowest price per month of the packages on sale that contain only that app. */
export const findListPrices = (db: Db, appIds: readonly string[], currency: string) =>
  run(db, listPricesSql, [appIds, currency]);

const mrrSql = statement(
  "reports.findMrr",
  `select case when day < $2::date then '' else date_trunc($4, day)::date::text end as day, kind,
     sum(amount)::float8 as amount, sum(customers)::int as customers,
     sum(case when kind = 'churn' then -customers when kind in ('new', 'reactivation') then customers else 0 end)::int
       as subscribers
   from mrr_days where currency = $1 and day <= $3::date and kind not in ('trial', 'trial paid', 'trial lost')
   group by 1, 2 order by 1, 2`,
).narrow<{ day: string; amount: number; customers: number; subscribers: number }>();

const packageMrrSql = statement(
  "reports.findPackageMrr",
  `select case when day < $2::date then '' else date_trunc($4, day)::date::text end as day, kind,
     sum(amount)::float8 as amount, sum(customers)::int as customers, sum(subscribers)::int as subscribers
   from mrr_package_days where currency = $1 and package_id = $5 and day <= $3::date
   group by 1, 2 order by 1, 2`,
).narrow<{ day: string; amount: number; customers: number; subscribers: number }>();

type MrrRange = Range & { unit: ReportUnit; packageId: string | null };

/** Movements by period and kind, of one package or all. The day is '' for those before the first one. */
export const findMrr = (db: Db, { currency, from, until, unit, packageId }: MrrRange) =>
  packageId === null
    ? run(db, mrrSql, [currency, from, until, unit])
    : run(db, packageMrrSql, [currency, from, until, unit, packageId]);

const mrrByPackageSql = statement(
  "reports.findMrrByPackage",
  `select d.package_id as key, p.name, case when d.day < $2::date then '' else 'inside' end as day, d.kind,
     sum(d.amount)::float8 as amount, sum(d.customers)::int as customers, sum(d.subscribers)::int as subscribers
   from mrr_package_days d left join packages p on p.id = d.package_id
   where d.currency = $1 and d.day <= $3::date group by 1, 2, 3, 4 order by 1, 3, 4`,
)
  // Each package, day and kind since the first sale.
  .bounded(20_000)
  .narrow<{ day: string; amount: number; customers: number; subscribers: number }>();

/** Movements of each package in a period. The day is '' for those before it. */
export const findMrrByPackage = (db: Db, { currency, from, until }: Range) =>
  run(db, mrrByPackageSql, [currency, from, until]);

const packageNameSql = statement(
  "reports.findPackageName",
  "select id, name from packages where id = $1",
);

/** Null if there is no package, or none was chosen. */
export const findPackageName = async (db: Db, id: string | null) =>
  (id && (await first(db, packageNameSql, [id]))) || null;

const retentionSql = statement(
  "reports.findRetention",
  `select r.cohort::text as cohort, r.month::text as month, r.change,
     (select coalesce(sum(d.customers), 0)::int from mrr_days d where d.currency = r.currency and d.kind = 'new'
       and d.day >= r.cohort and d.day < r.cohort + interval '1 month') as customers
   from retention_months r
   where r.currency = $1 and r.cohort between date_trunc('month', $2::date) and $3::date and r.month <= $3::date
   order by r.cohort, r.month`,
).narrow<{ cohort: string; month: string; customers: number }>();

/** How the number of subscribers of each cohort changed by month. */
export const findRetention = (db: Db, { currency, from, until }: Range) =>
  run(db, retentionSql, [currency, from, until]);

export const movementsPerPage = 50;

const movementListSql = template(
  "reports.listMovements",
  // Each kind is a part of the index in the order of the list.
  (
    of: "all" | "package",
  ) => `select m.day::text as day, m.kind || '' as kind, m.amount::float8 as amount,
     jsonb_build_object('id', u.id, 'name', u.name, 'email', u.email) as user
   from (
     select m.* from unnest($2::text[]) k (kind) cross join lateral (
       select m.user_id, m.day, m.kind, m.amount from ${of === "all" ? "mrr_movements" : "mrr_package_movements"} m
       where ${of === "all" ? "" : "m.package_id = $8::uuid and "}m.currency = $1 and m.kind = k.kind and m.day between $3::date and $4::date
         and ($5::date is null or (m.day, m.user_id) <= ($5::date, $6::uuid)
           and not ((m.day, m.user_id) = ($5::date, $6::uuid) and m.kind <= $7))
       order by m.day desc, m.user_id desc limit ${movementsPerPage + 1}
     ) m order by m.day desc, m.user_id desc, m.kind limit ${movementsPerPage + 1}
   ) m join users u on u.id = m.user_id
   order by m.day desc, m.user_id desc, m.kind`,
  ["all"],
  ["package"],
).narrow<{
  day: string;
  kind: string;
  amount: number;
  user: { id: string; name: string; email: string };
}>();

type Place = { day: string; userId: string; kind: string };
type WantedMovements = Range & { kinds: readonly string[]; packageId: string | null };

/** The movements of a page, and one more if there is another page. */
export const findMovements = (
  db: Db,
  { currency, from, until, kinds, packageId }: WantedMovements,
  after: Place | null,
) =>
  run(db, movementListSql.for(packageId === null ? "all" : "package"), [
    ...[currency, kinds, from, until],
    ...[after?.day ?? null, after?.userId ?? null, after?.kind ?? null],
    ...(packageId === null ? [] : [packageId]),
  ]);

const movementSumsSql = statement(
  "reports.sumMovements",
  `select coalesce(sum(customers), 0)::int as count, coalesce(sum(amount), 0)::float8 as amount from mrr_days
   where currency = $1 and kind = any ($2::text[]) and day between $3::date and $4::date`,
).narrow<{ count: number; amount: number }>();

const packageMovementSumsSql = statement(
  "reports.sumPackageMovements",
  `select coalesce(sum(customers), 0)::int as count, coalesce(sum(amount), 0)::float8 as amount from mrr_package_days
   where currency = $1 and kind = any ($2::text[]) and day between $3::date and $4::date and package_id = $5`,
).narrow<{ count: number; amount: number }>();

export const sumMovements = async (
  db: Db,
  { currency, from, until, kinds, packageId }: WantedMovements,
) => {
  const asked = [currency, kinds, from, until];
  const sums =
    packageId === null
      ? await first(db, movementSumsSql, asked)
      : await first(db, packageMovementSumsSql, [...asked, packageId]);
  return sums ?? { count: 0, amount: 0 };
};
