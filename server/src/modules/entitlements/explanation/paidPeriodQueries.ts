import type { Anchor } from "@purser/contract/fields/values";
import { type Db, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import { milliseconds } from "./checkQueries.ts";
import type { PaidPeriod, PaidTime } from "./paidWindows.ts";

const firstStart =
  "(select min(f.starts_at) from subscription_periods f where f.subscription_id = s.id)";

// A base package decides, and of several the one whose subscription started first. One without a subscription, such as
// one that a team member granted, follows the calendar, and so does a single feature beside add-ons. Otherwise the oldest
// add-on decides. A subscription of an earlier release may have no periods yet.
const findPaidTimesSql = statement(
  "entitlements.findPaidTimes",
  `select asked.place::int as place, s.id as "subscriptionId", p.name as "package", s.ended_at as "endedAt", price.interval,
     price.interval_count as "intervalCount",
     coalesce((
       select json_agg(json_build_array(${milliseconds("t.starts_at")}, ${milliseconds("t.ends_at")}, t.kind)
         order by t.number) from subscription_periods t where t.subscription_id = s.id
     ), (
       select json_agg(json_build_array(${milliseconds("t.starts_at")}, ${milliseconds("t.ends_at")}, 'paid')
         order by t.number) from first_periods(s, s.created_at) t
     )) as periods,
     (select json_agg(json_build_array(${milliseconds("b.paused_at")}, ${milliseconds("b.resumed_at")}) order by b.paused_at)
       from subscription_pauses b where b.subscription_id = s.id and b.resumed_at > b.paused_at) as pauses
   from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) with ordinality asked (customer, feature, at, place)
   cross join lateral (
     select s.id
     from grants g
     left join subscriptions s on s.id = g.subscription_id and s.user_id = g.user_id
     left join packages p on p.id = coalesce(s.package_id, g.package_id)
     where g.user_id = asked.customer and g.ends_at > asked.at and g.starts_at <= asked.at
       and (g.feature_id = asked.feature or exists (
         select from version_values h where h.version_id = g.version_id and h.feature_id = asked.feature))
     order by case when p.kind = 'base' then (s.id is not null)::int
         when s.id is null then case when p.id is null then 2 else 4 end else 3 end,
       coalesce(${firstStart}, s.period_start), s.id limit 1
   ) deciding
   join subscriptions s on s.id = deciding.id
   join packages p on p.id = s.package_id
   left join version_prices price on price.id = s.price_id`,
)
  // Up to twelve for each grant of each customer.
  .bounded(20_000)
  .narrow<
    Omit<PaidTime, "periods" | "pauses"> & {
      place: number;
      periods: [start: number, end: number, kind: PaidPeriod["kind"]][];
      pauses: [start: number, end: number][] | null;
    }
  >();

type Asked = { customer: string; feature: { id: string; anchor: Anchor }; at: Date };

const periodOf = ([start, end]: readonly [number, number, ...unknown[]]) => ({
  start: new Date(start),
  end: new Date(end),
});

/** The paid periods that the allowances of customers follow at a moment, in the order of the question. */
export const findPaidTimes = async (db: Db, questions: readonly Asked[]) => {
  const found: (PaidTime | null)[] = questions.map(() => null);
  const asked = questions.flatMap((one, place) =>
    one.feature.anchor === "subscription" ? [{ ...one, place }] : [],
  );
  if (asked.length === 0) return found;
  const rows = await run(db, findPaidTimesSql, [
    asked.map(({ customer }) => customer),
    asked.map(({ feature }) => feature.id),
    asked.map(({ at }) => at),
  ]);
  for (const { place, periods, pauses, ...own } of rows) {
    const one = asked[place - 1];
    if (!one) continue;
    found[one.place] = {
      ...own,
      periods: periods.map((period) => ({ ...periodOf(period), kind: period[2] })),
      pauses: (pauses ?? []).map(periodOf),
    };
  }
  return found;
};
