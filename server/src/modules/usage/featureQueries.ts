import { topCustomersMax } from "@purser/contract/usage/featureUsage";
import { type Db, first } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";

/** Rows of a customer and a day that are added up. With more, only the latest whole days are. */
const rowsMax = 50_000;

const usageOfFeatureSql = statement(
  "usage.ofFeature",
  `with latest as materialized (
     select day, user_id, used from usage_days where feature_id = $1 and day between $2 and $3
     order by day desc limit ${rowsMax + 1}
   ), cut as (
     select min(day) as day from latest having count(*) > ${rowsMax}
   ), shown as materialized (
     select day, user_id, used from latest where used <> 0 and day > coalesce((select day from cut), '-infinity')
   ), top as (
     select user_id, sum(used) as used from shown group by user_id having sum(used) > 0
     order by 2 desc, 1 limit ${topCustomersMax}
   )
   select
     case when (select day from cut) is null then $2::date when (select day from cut) < $3::date
       then (select day + 1 from cut) end::text as since,
     (select coalesce(sum(used), 0)::float8 from shown) as used,
     (select count(distinct user_id)::int from shown) as customers,
     (select coalesce(jsonb_agg(jsonb_build_object('day', day, 'used', used, 'customers', customers) order by day), '[]')
      from (select day, sum(used) as used, count(*) as customers from shown group by day) one) as days,
     (select coalesce(jsonb_agg(jsonb_build_object(
        'user', jsonb_build_object('id', u.id, 'name', u.name, 'email', u.email), 'used', top.used)
        order by top.used desc, u.id), '[]')
      from top join users u on u.id = top.user_id) as top`,
)
  // About one for each row, because those of a day are stored as they were first used.
  .bounded(60_000)
  .narrow<{
    used: number;
    customers: number;
    days: { day: string; used: number; customers: number }[];
    top: { user: { id: string; name: string; email: string }; used: number }[];
  }>();

const nothing = { since: null, used: 0, customers: 0, days: [], top: [] };

/** What all customers used of a feature, and who used it most. */
export const findUsageOfFeature = async (db: Db, featureId: string, from: string, to: string) =>
  (await first(db, usageOfFeatureSql, [featureId, from, to])) ?? nothing;
