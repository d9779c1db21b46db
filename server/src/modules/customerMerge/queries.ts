import type { Value } from "@purser/contract/fields/values";
import type { HeldGrant } from "@purser/contract/users/merge";
import { type Db, first, run } from "#platform/db/db.ts";
import { type RowOf, statement } from "#platform/db/statement.ts";
import type { Feature } from "../packages/entitle.ts";

// $1 is the customer, $2 is now. A grant that was revoked before its start never applies.
const held = `
  select g.id, g.source, g.subscription_id as "subscriptionId", g.starts_at as "startsAt",
    nullif(g.ends_at, 'infinity') as "endsAt",
    case when s.status in ('trialing', 'active', 'past due') and s.user_id = g.user_id then s.period_end end as "renewsAt",
    case when p.id is not null then jsonb_build_object('id', p.id, 'name', p.name, 'number', v.number,
      'group', p.group_code) end as "package",
    case when f.id is not null then jsonb_build_object('id', f.id, 'name', f.name, 'value', g.value,
      'kind', f.kind, 'combining', f.combining, 'options', f.options, 'reset', f.reset,
      'defaultValue', f.default_value, 'unit', case when f.unit_one is not null then
        jsonb_build_object('one', f.unit_one, 'many', f.unit_many) end) end as feature
  from grants g
  left join packages p on p.id = g.package_id
  left join package_versions v on v.id = g.version_id
  left join features f on f.id = g.feature_id
  left join subscriptions s on s.id = g.subscription_id
  where g.user_id = $1 and g.ends_at > greatest($2::timestamptz, g.starts_at)`;

const findHeldGrantsSql = statement("customerMerge.findHeldGrants", `${held} order by g.id`)
  // Reads all current grants of the customer, with their packages.
  .bounded(3000)
  .narrow<{
    package: { id: string; name: string; number: number; group: string | null } | null;
    feature: (Feature & { name: string; value: Value }) | null;
  }>();

/** A current or future grant, with what decides whether another customer can have it. */
export type Held = RowOf<typeof findHeldGrantsSql>;

export const findHeldGrants = (db: Db, userId: string, now: Date) =>
  run(db, findHeldGrantsSql, [userId, now]);

/** Locks in id order, so that concurrent transfers between the same customers don't deadlock. */
export const lockCustomers = async (db: Db, ids: readonly string[]) => {
  await run(db, "select from users where id = any ($1::uuid[]) order by id for no key update", [
    ids,
  ]);
};

/** Locks before reading, so that a grant that ended meanwhile is not returned. */
export const lockHeldGrants = async (db: Db, userId: string, now: Date) => {
  await run(db, "select from grants where user_id = $1 and ends_at > $2 order by id for update", [
    userId,
    now,
  ]);
  return findHeldGrants(db, userId, now);
};

const shownFeature = ({
  name,
  kind,
  unit,
  reset,
  options,
  value,
}: NonNullable<Held["feature"]>) => ({
  name,
  kind,
  unit,
  reset,
  options: [...options],
  value,
});

export const shownGrant = (grant: Held): HeldGrant => {
  const { id, package: pack, feature, source, startsAt, endsAt, renewsAt } = grant;
  return {
    id,
    package: pack && { name: pack.name, number: pack.number },
    feature: feature && shownFeature(feature),
    source,
    startsAt,
    endsAt,
    renewsAt,
  };
};

/**
 * Ends grants and continues them for another customer, from the same source. Each new grant refers to the old one,
 * so that it is moved only once and can be explained.
 */
export const storeTransfer = async (
  db: Db,
  { ids, to, now }: { ids: readonly string[]; to: string; now: Date },
) => {
  await run(
    db,
    `with was as (
       select id, ends_at from grants where id = any ($1::uuid[]) and revoked_at is null
     ), ended as (
       update grants g set ends_at = greatest(g.starts_at, $3), revoked_at = $3
       from was where g.id = was.id returning g.*, was.ends_at as until
     )
     insert into grants (user_id, package_id, version_id, feature_id, value, quantity, line_id, subscription_id, source,
       source_id, reason, starts_at, ends_at, promised_until, moved_from)
     select $2, package_id, version_id, feature_id, value, quantity, line_id, subscription_id, source, source_id, reason,
       ends_at, until, until, id from ended order by id`,
    [ids, to, now],
  );
};

/** Locks before reading, so that renewals and actions on the subscriptions finish first. */
export const lockRunning = async (db: Db, userId: string) => {
  await run(
    db,
    "select from subscriptions where user_id = $1 and status <> 'ended' order by id for update",
    [userId],
  );
  return findRunning(db, userId);
};

const findRunningSql = statement(
  "customerMerge.findRunning",
  `select s.id, s.package_id as "packageId", p.name, s.group_code as "group", s.period_end as "renewsAt"
   from subscriptions s join packages p on p.id = s.package_id
   where s.user_id = $1 and s.status <> 'ended' order by s.id`,
);

export const findRunning = (db: Db, userId: string) => run(db, findRunningSql, [userId]);

export const moveSubscriptions = async (db: Db, ids: readonly string[], to: string) => {
  await run(db, "update subscriptions set user_id = $2 where id = any ($1::uuid[])", [ids, to]);
};

/**
 * Moves the usage of a merged record to the remaining one. Usage that is counted at the same time is waited for, and the
 * counters are locked in the order in which usage locks them, so it is either moved or counted for the remaining record.
 * A lock of the record itself could deadlock with usage, whose counters refer to it.
 */
export const addUse = async (db: Db, from: string, to: string) => {
  await run(
    db,
    "select pg_advisory_xact_lock(hashtext('count_usage'), hashtext($1::uuid::text) & 63)",
    [from],
  );
  await run(
    db,
    `select from feature_use where user_id in ($1, $2) order by feature_id, user_id, window_start for update`,
    [from, to],
  );
  await run(
    db,
    `insert into feature_use (user_id, feature_id, window_start, window_end, last_used_at, used, reserved)
     select $2, feature_id, window_start, window_end, last_used_at, used, reserved from feature_use where user_id = $1
     order by feature_id, window_start
     on conflict (feature_id, user_id, window_start) do update
     set used = feature_use.used + excluded.used, reserved = feature_use.reserved + excluded.reserved,
       window_end = greatest(feature_use.window_end, excluded.window_end),
       last_used_at = greatest(feature_use.last_used_at, excluded.last_used_at)`,
    [from, to],
  );
  await run(
    db,
    "update usage_reservations set user_id = $2 where user_id = $1 and status in ('open', 'expired')",
    [from, to],
  );
  await run(
    db,
    "update feature_use set used = 0, reserved = 0 where user_id = $1 and (used > 0 or reserved > 0)",
    [from],
  );
  await run(
    db,
    `insert into usage_days as d (user_id, feature_id, day, used)
     select $2, feature_id, day, used from usage_days where user_id = $1
     on conflict (user_id, feature_id, day) do update set used = d.used + excluded.used`,
    [from, to],
  );
  await run(db, "update usage_days set used = 0 where user_id = $1 and used <> 0", [from]);
};

const countBehindSql = statement(
  "customerMerge.countBehind",
  `select (select count(*)::int from user_notes where user_id = $1 and record_id is null and struck_at is null) as notes,
   (select count(*)::int from transactions where user_id = $1) as transactions`,
).narrow<{ notes: number; transactions: number }>();

export const countBehind = async (db: Db, userId: string) => {
  const row = await first(db, countBehindSql, [userId]);
  return row ?? { notes: 0, transactions: 0 };
};

export const closeRecord = async (db: Db, id: string, mergedInto: string) => {
  await run(db, "update users set status = 'suspended', merged_into = $2 where id = $1", [
    id,
    mergedInto,
  ]);
};
