import type { grantSources } from "@purser/contract/entitlements/grants";
import type { Value } from "@purser/contract/fields/values";
import { type Db, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import { isUuid, survivorOf } from "../customerQueries.ts";
import type { SubscriptionStatus, UserStatus } from "./answer.ts";

/** A grant of a feature, as a check needs it. */
export type CheckedGrant = {
  id: string;
  featureId: string;
  source: (typeof grantSources)[number];
  package: string | null;
  value: Value;
  startsAt: Date;
  endsAt: Date | null;
  promisedUntil: Date | null;
  renewsAt: Date | null;
  isRevoked: boolean;
  isSuperseded: boolean;
  isTransferred: boolean;
  /** Of its subscription. Null without one. */
  subscriptionStatus: SubscriptionStatus | null;
};

// Whole milliseconds. Seconds have no exact fraction as floating-point numbers, but whole microseconds are exact.
export const milliseconds = (moment: string) =>
  `floor(round(date_part('epoch', ${moment}) * 1000000) / 1000)`;

/** An array instead of an object, because a customer can have hundreds of grants. JSON has no dates. */
export type StoredGrant = [
  id: string,
  featureId: string,
  source: CheckedGrant["source"],
  packageName: string | null,
  value: Value,
  startsAt: number,
  endsAt: number | null,
  promisedUntil: number | null,
  renewsAt: number | null,
  isRevoked: boolean,
  isSuperseded: boolean,
  isTransferred: boolean,
  subscriptionStatus: SubscriptionStatus | null,
];

/** The grants that haven't ended of the user `u` at `$3`, of features by a condition on their id. */
export const grantsOf = (ofFeature: (id: string) => string) => `
  select json_agg(json_build_array(
    g.id, coalesce(h.feature_id, g.feature_id), g.source, p.name,
    case when h.feature_id is null then g.value
      when h.per_unit and jsonb_typeof(h.value) = 'number' then to_jsonb(h.value::numeric * g.quantity)
      else h.value end,
    ${milliseconds("g.starts_at")},
    case when g.ends_at < 'infinity' then ${milliseconds("g.ends_at")} end,
    case when g.promised_until < 'infinity' then ${milliseconds("g.promised_until")} end,
    case when s.status in ('active', 'trialing') and g.ends_at >= s.period_end
      then ${milliseconds("s.period_end")} end,
    g.revoked_at is not null, g.superseded_by is not null,
    g.ends_at < g.promised_until and exists (select from grants moved where moved.moved_from = g.id),
    s.status
  ) order by g.id) as grants
  from grants g
  left join version_values h on h.version_id = g.version_id and ${ofFeature("h.feature_id")}
  left join packages p on p.id = g.package_id
  left join subscriptions s on s.id = g.subscription_id and s.user_id = g.user_id
  where g.user_id = u.id and g.ends_at > $3
    and (h.feature_id is not null or ${ofFeature("g.feature_id")})`;

/** The customer with an identifier: the app's own ID, ours, or the email address. */
export const customerOf = (name: string, id: string) =>
  survivorOf(`
    select u.id, u.merged_into from users u where u.id = coalesce(
      (select id from users where external_id = ${name}),
      (select id from users where id = ${id}),
      (select id from users where email = lower(${name})))`);

// $1 and $2 are the identifiers as text and, if they are one, as UUID. $3 is the moment, $4 the features.
const findCheckedSql = statement(
  "entitlements.findChecked",
  `select asked.place::int as place, u.id, u.status, coalesce(given.grants, '[]') as grants
   from unnest($1::text[], $2::uuid[]) with ordinality asked (name, id, place)
   cross join lateral (${customerOf("asked.name", "asked.id")}) found
   join users u on u.id = found.id and u.role is null
   left join lateral (${grantsOf((id) => `${id} = any ($4::uuid[])`)}) given on true`,
)
  // Up to eight for each grant of each customer.
  .bounded(20_000)
  .narrow<{ place: number; status: UserStatus; grants: StoredGrant[] }>();

const dateOf = (milliseconds: number | null) =>
  milliseconds === null ? null : new Date(milliseconds);

export const grantOf = ([
  id,
  featureId,
  source,
  name,
  value,
  startsAt,
  endsAt,
  promisedUntil,
  renewsAt,
  isRevoked,
  isSuperseded,
  isTransferred,
  subscriptionStatus,
]: StoredGrant): CheckedGrant => ({
  id,
  featureId,
  source,
  package: name,
  value,
  startsAt: new Date(startsAt),
  endsAt: dateOf(endsAt),
  promisedUntil: dateOf(promisedUntil),
  renewsAt: dateOf(renewsAt),
  isRevoked,
  isSuperseded,
  isTransferred,
  subscriptionStatus,
});

export type CheckedCustomer = { id: string; status: UserStatus; grants: CheckedGrant[] };

export const uuidOf = (identifier: string) => (isUuid(identifier) ? identifier : null);

/** The customers with these identifiers, each with the grants of these features that haven't ended. */
export const findChecked = async (
  db: Db,
  identifiers: readonly string[],
  { at, features }: { at: Date; features: readonly string[] },
) => {
  const rows = await run(db, findCheckedSql, [identifiers, identifiers.map(uuidOf), at, features]);
  const found = new Map<string, CheckedCustomer>();
  for (const { place, id, status, grants } of rows)
    found.set(identifiers[place - 1] ?? "", { id, status, grants: grants.map(grantOf) });
  return found;
};

const findLastGrantsSql = statement(
  "entitlements.findLastGrants",
  `select asked.place::int as place, last."endsAt", last."isRevoked", last."subscriptionStatus", last."startsAt"
   from unnest($1::uuid[], $2::uuid[]) with ordinality asked (customer, feature, place)
   cross join lateral (
     select g.starts_at as "startsAt", g.ends_at as "endsAt", g.revoked_at is not null as "isRevoked",
       s.status as "subscriptionStatus"
     from grants g left join subscriptions s on s.id = g.subscription_id and s.user_id = g.user_id
     where g.user_id = asked.customer and g.ends_at <= $3 and g.superseded_by is null
       and (g.feature_id = asked.feature or exists (
         select from version_values h where h.version_id = g.version_id and h.feature_id = asked.feature))
       and not exists (select from grants moved where moved.moved_from = g.id)
     order by g.ends_at desc, g.id limit 1
   ) last`,
)
  .bounded(20_000)
  .narrow<{
    place: number;
    startsAt: Date;
    endsAt: Date;
    isRevoked: boolean;
    subscriptionStatus: SubscriptionStatus | null;
  }>();

/** The last grant of a feature that has ended, of each of these customers. It tells why they have no access. */
export const findLastGrants = async (
  db: Db,
  asked: readonly { customer: string; feature: string }[],
  at: Date,
) => {
  if (asked.length === 0) return [];
  const customers = asked.map(({ customer }) => customer);
  const rows = await run(db, findLastGrantsSql, [
    customers,
    asked.map(({ feature }) => feature),
    at,
  ]);
  return rows.map(({ place, ...last }) => ({ ...last, ...asked[place - 1] }));
};

const findCountersSql = statement(
  "entitlements.findCounters",
  `select wanted.place::int as place, u.used::float8 as used, u.reserved::float8 as reserved
   from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) with ordinality wanted (customer, feature, since, place)
   join feature_use u on u.feature_id = wanted.feature and u.user_id = wanted.customer
     and u.window_start = wanted.since`,
).narrow<{ place: number; used: number; reserved: number }>();

export type Counter = { customer: string; feature: string; since: Date | null };

/** What was used and reserved, in the order of the question. */
export const findCounters = async (db: Db, counters: readonly Counter[]) => {
  const found = counters.map(() => ({ used: 0, reserved: 0 }));
  if (counters.length === 0) return found;
  const rows = await run(db, findCountersSql, [
    counters.map(({ customer }) => customer),
    counters.map(({ feature }) => feature),
    counters.map(({ since }) => since ?? "-infinity"),
  ]);
  for (const { place, used, reserved } of rows) found[place - 1] = { used, reserved };
  return found;
};
