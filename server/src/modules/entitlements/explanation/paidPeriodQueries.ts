import type { Anchor } from "@purser/contract/fields/values";
import { type Db, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import type { PaidPeriod } from "./paidWindows.ts";

// Add-ons come and go while a base package lasts, so it decides if there is one. Then the oldest subscription does.
const findPaidPeriodsSql = statement(
  "entitlements.findPaidPeriods",
  `select asked.place::int as place, s.*
   from unnest($1::uuid[], $2::uuid[]) with ordinality asked (customer, feature, place)
   cross join lateral (
     select s.id as "subscriptionId", p.name as "package", s.created_at as "startedAt", s.anchor,
       s.period_start as "start", s.period_end as "end", price.interval, price.interval_count as "intervalCount"
     from grants g
     join subscriptions s on s.id = g.subscription_id and s.user_id = g.user_id
     join packages p on p.id = s.package_id
     left join version_prices price on price.id = s.price_id
     where g.user_id = asked.customer and g.ends_at > $3 and g.starts_at <= $3
       and (g.feature_id = asked.feature or exists (
         select from version_values h where h.version_id = g.version_id and h.feature_id = asked.feature))
     order by p.kind = 'add-on', s.created_at, s.id limit 1
   ) s`,
)
  // Up to twelve for each grant of each customer.
  .bounded(20_000)
  .narrow<PaidPeriod & { place: number }>();

type Pair = { customer: string; feature: { id: string; anchor: Anchor } };

/** The paid periods that the allowances of customers follow, in the order of the question. */
export const findPaidPeriods = async (db: Db, pairs: readonly Pair[], at: Date) => {
  const found: (PaidPeriod | null)[] = pairs.map(() => null);
  const asked = pairs.flatMap(({ customer, feature }, place) =>
    feature.anchor === "subscription" ? [{ customer, feature: feature.id, place }] : [],
  );
  if (asked.length === 0) return found;
  const rows = await run(db, findPaidPeriodsSql, [
    asked.map(({ customer }) => customer),
    asked.map(({ feature }) => feature),
    at,
  ]);
  for (const { place, ...period } of rows) {
    const pair = asked[place - 1];
    if (pair) found[pair.place] = period;
  }
  return found;
};
