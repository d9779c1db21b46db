import type { Anchor } from "@purser/contract/fields/values";
import type { Window } from "#modules/entitlements/explanation/windows.ts";
import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";

/** An event or a reservation to count. */
export type Entry = {
  app: string;
  key: string | null;
  event: string;
  customer: string;
  feature: string;
  /** Whether its windows follow the subscription, so that counters of other windows may continue in this one. */
  anchored: boolean;
  /** The window. Null for usage that is never reset. */
  since: Date | null;
  until: Date | null;
  /** Until when it counts if another subscription decides then. */
  lasts: Date | null;
  amount: number;
  /** The limit that must not be exceeded. Null without one, and if exceeding it is only reported. */
  bound: number | null;
  at: Date;
  /** In the company's time zone. */
  day: string;
  /** For a reservation. */
  expires: Date | null;
};

export type Outcome = {
  outcome: "recorded" | "reserved" | "duplicate" | "id reused" | "below zero" | "limit reached";
  /** In the whole window. */
  used: number;
  reserved: number;
  reservation: string | null;
};

const countUsageSql = statement(
  "usage.count",
  `select place, outcome, used::float8 as used, reserved::float8 as reserved, reservation
   from count_usage($1::jsonb, $2::timestamptz)`,
)
  // About twenty for each of 1,000 events.
  .bounded(40_000)
  .narrow<Outcome & { place: number }>();

/** Counts each entry if it fits its limit. The outcomes are in the order of the entries. */
export const countUsage = async (db: Db, entries: readonly Entry[], now: Date) => {
  const sent = entries.map((entry, place) => ({
    ...entry,
    place,
    since: entry.since ?? "-infinity",
    until: entry.until ?? "infinity",
    lasts: entry.lasts ?? "infinity",
  }));
  const rows = await run(db, countUsageSql, [JSON.stringify(sent), now]);
  const outcomes: Outcome[] = [];
  for (const { place, ...outcome } of rows) outcomes[place] = outcome;
  return outcomes;
};

export type Settled = {
  outcome: "done" | "duplicate" | "settled" | "too much" | "limit reached";
  status: "open" | "confirmed" | "released" | "expired";
  amount: number;
  confirmed: number | null;
  expires: Date;
};

const settleSql = statement(
  "usage.settle",
  `select outcome, status, amount::float8 as amount, confirmed::float8 as confirmed, expires
   from settle_reservation($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
).narrow<Settled>();

type Settling = {
  id: string;
  app: string;
  /** Null releases all of it. */
  confirms: number | null;
  bound: number | null;
  day: string;
  /** The window in which it was reserved, if it follows the subscription. */
  window: Window | null;
};

/** Undefined if the app has no such reservation. */
export const settleReservation = (db: Db, settling: Settling, now: Date) => {
  const { id, app, confirms, bound, day, window } = settling;
  const anchored = [window !== null, window?.start ?? "-infinity", window?.end ?? "infinity"];
  return first(db, settleSql, [id, app, confirms, bound, day, now, ...anchored]);
};

const findReservationSql = statement(
  "usage.findReservation",
  `select r.id, r.user_id as "userId", f.code as feature, r.status, r.amount::float8 as amount,
     r.confirmed::float8 as confirmed, r.expires_at as "expiresAt", r.created_at as "createdAt"
   from usage_reservations r join features f on f.id = r.feature_id where r.id = $1 and r.app_id = $2`,
).narrow<{ amount: number; confirmed: number | null; status: Settled["status"] }>();

export const findReservation = (db: Db, id: string, app: string) =>
  first(db, findReservationSql, [id, app]);

const expireSql = statement(
  "usage.expire",
  `with due as (
     select distinct feature_id, user_id, window_start from (
       select feature_id, user_id, window_start from usage_reservations
       where status = 'open' and expires_at <= $1 order by expires_at limit $2
     ) oldest
   ) select count(expire_reservations(lock_use(feature_id, user_id, window_start), $1))::int as counters
   from (select * from due order by feature_id, user_id, window_start) in_order`,
)
  .bounded(20_000)
  .narrow<{ counters: number }>();

export const expiredAtOnce = 500;

/** Gives back expired reservations of some counters, and returns of how many. */
export const expireReservations = async (db: Db, now: Date) =>
  (await first(db, expireSql, [now, expiredAtOnce]))?.counters ?? 0;

const forgetIdsSql = statement(
  "usage.forgetIds",
  `with old as (
     select app_id, event_id from usage_event_ids where recorded_at < $1 order by recorded_at limit $2
   ), gone as (
     delete from usage_event_ids i using old where i.app_id = old.app_id and i.event_id = old.event_id returning 1
   ) select count(*)::int as ids from gone`,
)
  .bounded(60_000)
  .narrow<{ ids: number }>();

const forgetReservationsSql = statement(
  "usage.forgetReservations",
  `with old as (
     select id from usage_reservations where status <> 'open' and settled_at < $1 order by settled_at limit $2
   ), gone as (delete from usage_reservations r using old where r.id = old.id returning 1)
   select count(*)::int as reservations from gone`,
)
  .bounded(60_000)
  .narrow<{ reservations: number }>();

export const forgottenAtOnce = 5000;

export const forgetIds = async (db: Db, before: Date) =>
  (await first(db, forgetIdsSql, [before, forgottenAtOnce]))?.ids ?? 0;

export const forgetReservations = async (db: Db, before: Date) =>
  (await first(db, forgetReservationsSql, [before, forgottenAtOnce]))?.reservations ?? 0;

const dropEventsSql = statement(
  "usage.dropEvents",
  "select drop_usage_events($1) as months",
).narrow<{ months: number }>();

/** Drops whole months of events before this moment, and returns how many. */
export const dropOldEvents = async (db: Db, before: Date) =>
  (await first(db, dropEventsSql, [before]))?.months ?? 0;

const usageOfCustomerSql = statement(
  "usage.ofCustomer",
  `select f.id, f.code, f.name, f.unit_one as "unitOne", f.unit_many as "unitMany", a.id as "appId",
     a.name as "appName", a.icon as "appIcon", sum(d.used)::float8 as used,
     jsonb_agg(jsonb_build_object('day', d.day, 'used', d.used) order by d.day) as days
   from usage_days d join features f on f.id = d.feature_id join apps a on a.id = f.app_id
   where d.user_id = $1 and d.day between $2 and $3
   group by f.id, a.id order by a.name, f.name, f.id limit 500`,
)
  // A row per feature and day, of up to a year.
  .bounded(10_000)
  .narrow<{ used: number; days: { day: string; used: number }[] }>();

export const findUsageOfCustomer = (db: Db, userId: string, from: string, to: string) =>
  run(db, usageOfCustomerSql, [userId, from, to]);

// Read with a cursor, in the order of the index by feature and day.
const usageOfAppSql = statement(
  "usage.ofApp",
  `select d.day::text as day, f.code as feature, u.id as "customerId", u.external_id as "externalId", u.email, u.name,
     d.used::float8 as used
   from usage_days d join features f on f.id = d.feature_id join users u on u.id = d.user_id
   where f.app_id = $1 and ($2::uuid is null or f.id = $2) and d.day between $3 and $4 and d.used <> 0
   order by d.feature_id, d.day, d.user_id`,
).narrow<{ day: string; used: number }>();

type Asked = { appId: string; featureId: string | null; from: string; to: string };

/** What all customers used of an app, or of one of its features. */
export const usageOfApp = ({ appId, featureId, from, to }: Asked) => ({
  statement: usageOfAppSql,
  values: [appId, featureId, from, to],
});

const featureOfAppSql = statement(
  "usage.featureOfApp",
  "select id from features where app_id = $1 and code = $2",
);

export const findFeatureOfApp = (db: Db, appId: string, code: string) =>
  first(db, featureOfAppSql, [appId, code]);

const correctSql = statement(
  "usage.correct",
  "select correct_usage($1, $2, $3, $4, $5, $6, $7, $8, $9)::float8 as used",
).narrow<{ used: number | null }>();

type Correction = {
  userId: string;
  feature: { id: string; anchor: Anchor };
  window: Window;
  amount: number;
  reason: string;
  day: string;
};

/** Adds a team member's correction and returns what is used then. Null if less than nothing would be used. */
export const correctUse = async (
  db: Db,
  { userId, feature, window, amount, reason, day }: Correction,
  now: Date,
) => {
  const since = window.start ?? "-infinity";
  const until = window.end ?? "infinity";
  const isAnchored = feature.anchor === "subscription";
  const values = [feature.id, userId, isAnchored, since, until, amount, reason, day, now];
  return (await first(db, correctSql, values))?.used ?? null;
};
