import type { Anchor } from "@purser/contract/fields/values";
import type { Feature } from "#modules/packages/entitle.ts";
import { type Db, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import { findCounters } from "./checkQueries.ts";
import { findPaidPeriods } from "./paidPeriodQueries.ts";
import { windowAt } from "./windows.ts";

/** What was used and reserved in a window, and the counter that further usage is added to. */
export type Use = {
  used: number;
  reserved: number;
  since: Date | null;
  /** What other counters of the window have of it. */
  others: { used: number; reserved: number };
};

/** A window up to a moment, of a customer and a feature. */
export type Wanted = {
  customer: string;
  feature: { id: string; anchor: Anchor };
  start: Date | null;
  at: Date;
};

const nothing = { used: 0, reserved: 0 };

// When a subscription ends or customers are merged, counters that were started later continue in a window.
const findPaidCountersSql = statement(
  "entitlements.findPaidCounters",
  `select wanted.place::int as place, sum(u.used)::float8 as used, sum(u.reserved)::float8 as reserved,
     max(u.window_start) as since,
     (sum(u.used) - (array_agg(u.used order by u.window_start desc))[1])::float8 as "otherUsed",
     (sum(u.reserved) - (array_agg(u.reserved order by u.window_start desc))[1])::float8 as "otherReserved"
   from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::timestamptz[])
     with ordinality wanted (customer, feature, start, at, place)
   join feature_use u on u.feature_id = wanted.feature and u.user_id = wanted.customer
     and u.window_start between wanted.start and wanted.at
   group by wanted.place`,
)
  // A few counters for each of 1,000 events.
  .bounded(20_000)
  .narrow<{
    place: number;
    used: number;
    reserved: number;
    since: Date;
    otherUsed: number;
    otherReserved: number;
  }>();

/** What was used and reserved in these windows, in the order of the question. */
export const findUses = async (db: Db, wanted: readonly Wanted[]): Promise<Use[]> => {
  const uses = wanted.map(({ start }): Use => ({ ...nothing, since: start, others: nothing }));
  const places = wanted.map((_, place) => place);
  const ofPeriods = places.filter((place) => wanted[place]?.feature.anchor === "subscription");
  const ofCalendar = places.filter((place) => wanted[place]?.feature.anchor !== "subscription");
  const asked = ofPeriods.flatMap((place) => wanted[place] ?? []);
  if (asked.length > 0) {
    const rows = await run(db, findPaidCountersSql, [
      asked.map(({ customer }) => customer),
      asked.map(({ feature }) => feature.id),
      asked.map(({ start }) => start),
      asked.map(({ at }) => at),
    ]);
    for (const { place, used, reserved, since, otherUsed, otherReserved } of rows)
      uses[ofPeriods[place - 1] ?? 0] = {
        used,
        reserved,
        since,
        others: { used: otherUsed, reserved: otherReserved },
      };
  }
  const counters = await findCounters(
    db,
    ofCalendar.flatMap((place) => {
      const one = wanted[place];
      return one ? [{ customer: one.customer, feature: one.feature.id, since: one.start }] : [];
    }),
  );
  counters.forEach((counter, index) => {
    const place = ofCalendar[index] ?? 0;
    uses[place] = { ...counter, since: wanted[place]?.start ?? null, others: nothing };
  });
  return uses;
};

type Asked = {
  customer: string;
  feature: Pick<Feature, "id" | "kind" | "reset"> & { anchor: Anchor };
  at: Date;
};

/** What a customer used of a feature in the window of a moment. */
export const findUseAt = async (db: Db, { customer, feature, at }: Asked, zone: string) => {
  const [paid = null] = await findPaidPeriods(db, [{ customer, feature }], at);
  const { start } = windowAt(feature, at, zone, paid);
  const [use] = await findUses(db, [{ customer, feature, start, at }]);
  return use ?? { ...nothing, since: start, others: nothing };
};
