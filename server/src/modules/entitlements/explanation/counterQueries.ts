import type { Anchor } from "@purser/contract/fields/values";
import type { Feature } from "#modules/packages/entitle.ts";
import { type Db, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import { findCounters } from "./checkQueries.ts";
import { findPaidTimes } from "./paidPeriodQueries.ts";
import { type Window, windowAt } from "./windows.ts";

/** What was used and reserved in a window. */
export type Use = { used: number; reserved: number };

/** A window of a customer and a feature. */
export type Wanted = {
  customer: string;
  feature: { id: string; anchor: Anchor };
  window: Window;
  /** A moment of it. */
  at: Date;
};

// As the function counters_in. When another subscription decides, counters of its predecessor count in the window, too.
const findPaidCountersSql = statement(
  "entitlements.findPaidCounters",
  `select wanted.place::int as place, sum(u.used)::float8 as used, sum(u.reserved)::float8 as reserved
   from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::timestamptz[], $5::timestamptz[])
     with ordinality wanted (customer, feature, since, until, at, place)
   join feature_use u on u.feature_id = wanted.feature and u.user_id = wanted.customer
     and u.window_start < coalesce(wanted.until, 'infinity')
     and (u.window_start >= wanted.since or u.last_used_at >= wanted.since or u.window_end > wanted.at)
   group by wanted.place`,
)
  // A few counters for each of 1,000 events.
  .bounded(20_000)
  .narrow<Use & { place: number }>();

const nothing: Use = { used: 0, reserved: 0 };

/** What was used and reserved in these windows, in the order of the question. */
export const findUses = async (db: Db, wanted: readonly Wanted[]): Promise<Use[]> => {
  const uses = wanted.map(() => nothing);
  const places = wanted.map((_, place) => place);
  const ofPeriods = places.filter((place) => wanted[place]?.feature.anchor === "subscription");
  const ofCalendar = places.filter((place) => wanted[place]?.feature.anchor !== "subscription");
  const asked = ofPeriods.flatMap((place) => wanted[place] ?? []);
  if (asked.length > 0) {
    const rows = await run(db, findPaidCountersSql, [
      asked.map(({ customer }) => customer),
      asked.map(({ feature }) => feature.id),
      asked.map(({ window }) => window.start),
      asked.map(({ window }) => window.end),
      asked.map(({ at }) => at),
    ]);
    for (const { place, ...use } of rows) uses[ofPeriods[place - 1] ?? 0] = use;
  }
  const counters = await findCounters(
    db,
    ofCalendar.flatMap((place) => {
      const one = wanted[place];
      return one
        ? [{ customer: one.customer, feature: one.feature.id, since: one.window.start }]
        : [];
    }),
  );
  counters.forEach((counter, index) => {
    uses[ofCalendar[index] ?? 0] = counter;
  });
  return uses;
};

type Asked = {
  customer: string;
  feature: Pick<Feature, "id" | "kind" | "reset"> & { anchor: Anchor };
  at: Date;
};

/** The windows in which customers' usage of features counts at a moment, in the order of the question. */
export const findWindows = async (db: Db, asked: readonly Asked[], zone: string) => {
  const paid = await findPaidTimes(db, asked);
  return asked.map(({ feature, at }, place) => windowAt(feature, at, zone, paid[place] ?? null));
};
