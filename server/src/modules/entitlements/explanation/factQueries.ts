import type { AppStatus } from "@purser/contract/apps/fields";
import type { grantSources } from "@purser/contract/entitlements/grants";
import type { FeatureStatus, fallbacks } from "@purser/contract/features/fields";
import type { Anchor, Value } from "@purser/contract/fields/values";
import type { Feature } from "#modules/packages/entitle.ts";
import { type Db, first, run } from "#platform/db/db.ts";
import { statement, type Template, template } from "#platform/db/statement.ts";
import type { GrantFacts, UserStatus } from "./answer.ts";

/**
 * The requested moment. For a past one, only what had been recorded by then is used. Recorded times are the
 * database's start of the transaction, which is a little earlier than its commit.
 */
export type Moment = { at: Date; isPast: boolean };

const knownAt = ({ at, isPast }: Moment) => (isPast ? at : "infinity");

export type CheckedFeature = Feature & {
  appId: string;
  code: string;
  anchor: Anchor;
  name: string;
  status: FeatureStatus;
  enforcement: "hard" | "soft";
  fallback: (typeof fallbacks)[number];
};
export type CheckedApp = {
  id: string;
  code: string;
  name: string;
  icon: string;
  status: AppStatus;
  /** Missing in audit entries from before suspensions existed. */
  suspended_at?: string | null;
};

export type FeatureRow = {
  id: string;
  app_id: string;
  code: string;
  name: string;
  kind: Feature["kind"];
  unit_one: string | null;
  unit_many: string | null;
  reset: Feature["reset"];
  /** Missing in audit entries from before it existed. */
  anchor?: Anchor;
  combining: Feature["combining"];
  options: Feature["options"];
  default_value: Value;
  enforcement: "hard" | "soft";
  fallback: (typeof fallbacks)[number];
  status: FeatureStatus;
};

export const featureOf = (row: FeatureRow): CheckedFeature => {
  const { id, app_id, code, name, kind, reset, combining, options, enforcement } = row;
  const { fallback, status, anchor = "calendar" } = row;
  const { unit_one: one, unit_many: many, default_value } = row;
  const unit = one === null || many === null ? null : { one, many };
  return {
    id,
    code,
    name,
    kind,
    reset,
    anchor,
    combining,
    options,
    enforcement,
    fallback,
    status,
    unit,
    appId: app_id,
    defaultValue: default_value,
  };
};

const firstAfter = (table: string, record: string) => `
  select e.before, e.action from audit_entries e
  where e.entity = '${table}' and e.record_id = ${record} and e.at > $1::timestamptz
    and e.id >= audit_since($1::timestamptz)
    and (e.action = 'insert' or e.before ? 'status')
  order by e.id limit 1`;

type Table = "apps" | "features";

/** The column with the id of the app. */
const appColumn = { apps: "id", features: "app_id" } as const;

/**
 * The rows of a table as they were at $1, of the apps $2 or of all: the first audit entry after it has the earlier
 * values. A row that was inserted later is left out, unless it was imported with an earlier creation date.
 */
const rowsAt = (table: Table, isOfApps: boolean) => `
  select coalesce(later.before, to_jsonb(r)) as row from ${table} r
  left join lateral (${firstAfter(table, "r.id")}) later on true
  where (later.action is distinct from 'insert' or r.created_at <= $1)
    ${isOfApps ? `and r.${appColumn[table]} = any ($2::uuid[])` : ""}
  union all
  select first.before from (
    select distinct record_id from audit_entries
    where entity = '${table}' and action = 'delete' and at > $1::timestamptz
      and id >= audit_since($1::timestamptz)
  ) gone cross join lateral (${firstAfter(table, "gone.record_id")}) first
  where first.action <> 'insert'
    ${isOfApps ? `and (first.before ->> '${appColumn[table]}')::uuid = any ($2::uuid[])` : ""}`;

type Variant = { isPast: boolean; isOfApps: boolean };

// Checks of the current moment are frequent and use an index. Only past moments read the audit log.
const rowsOf =
  (table: Table) =>
  ({ isPast, isOfApps }: Variant) =>
    isPast
      ? rowsAt(table, isOfApps)
      : `select to_jsonb(r) as row from ${table} r
         ${isOfApps ? `where r.${appColumn[table]} = any ($1::uuid[])` : ""}`;

const variants: [[Variant], ...[Variant][]] = [
  [{ isPast: false, isOfApps: false }],
  [{ isPast: false, isOfApps: true }],
  [{ isPast: true, isOfApps: false }],
  [{ isPast: true, isOfApps: true }],
];
const appRows = template("entitlements.appRows", rowsOf("apps"), ...variants).narrow<{
  row: CheckedApp;
}>();
const featureRows = template("entitlements.featureRows", rowsOf("features"), ...variants).narrow<{
  row: FeatureRow;
}>();

const findRows = async <Row>(
  db: Db,
  rows: Template<[Variant], { row: Row }>,
  { at, isPast }: Moment,
  apps: readonly string[] | null,
) => {
  const values = [...(isPast ? [at] : []), ...(apps === null ? [] : [apps])];
  const found = await run(db, rows.for({ isPast, isOfApps: apps !== null }), values);
  return found.map(({ row }) => row);
};

const { compare } = new Intl.Collator("en", { sensitivity: "accent" });
const byName = (one: CheckedApp, other: CheckedApp) =>
  compare(one.name, other.name) || (one.id < other.id ? -1 : 1);

type AppFeature = { app: CheckedApp; feature: CheckedFeature };

const inOrder = (apps: CheckedApp[], features: FeatureRow[]): AppFeature[] => {
  const sorted = features.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const byApp = Map.groupBy(sorted, ({ app_id }) => app_id);
  return apps
    .toSorted(byName)
    .flatMap((app) => (byApp.get(app.id) ?? []).map((row) => ({ app, feature: featureOf(row) })));
};

/** The features of these apps, or of all of them with null. Drafts are left out. */
export const findFeatures = async (db: Db, moment: Moment, apps: readonly string[] | null) => {
  const found = await findRows(db, appRows, moment, apps);
  const features = await findRows(db, featureRows, moment, apps);
  return inOrder(
    found.filter(({ status }) => status !== "draft"),
    features,
  );
};

// The app is read once, and not for each feature. Of each code the first feature from there on is read. The planner
// expects few features in an app, and would read all of them otherwise.
const checkedFeaturesSql = template(
  "entitlements.checkedFeatures",
  ({ isAll }: { isAll: boolean }) =>
    `select (select to_jsonb(a) from apps a where a.id = $1) as app, to_jsonb(f) as feature
     from ${
       isAll
         ? "features f where f.app_id = $1"
         : `unnest($2::text[]) as asked (code) cross join lateral (
              select * from features where (app_id, code) >= ($1::uuid, asked.code) order by app_id, code limit 1) f
            where f.app_id = $1 and f.code = asked.code`
     }`,
  [{ isAll: true }],
  [{ isAll: false }],
)
  // One for each feature of an app, which has up to 2,000 of them, added over the years.
  .bounded(3000)
  .narrow<{ app: CheckedApp; feature: FeatureRow }>();

/** The features of an app in any status, or those with these codes. */
export const findCheckedFeatures = async (
  db: Db,
  appId: string,
  codes: readonly string[] | "all",
) => {
  const isAll = codes === "all";
  const rows = await run(db, checkedFeaturesSql.for({ isAll }), isAll ? [appId] : [appId, codes]);
  const [first] = rows;
  if (!first) return [];
  return inOrder(
    [first.app],
    rows.map(({ feature }) => feature),
  );
};

/** A company with more apps shows only those of the customer, and others on request. */
const allAppsMax = 50;

const hasManyAppsSql = statement(
  "entitlements.hasManyApps",
  `select count(*) > ${allAppsMax} as "hasMany" from (select from apps limit ${allAppsMax + 1}) few`,
).narrow<{ hasMany: boolean }>();

export const hasManyApps = async (db: Db) => (await first(db, hasManyAppsSql))?.hasMany === true;

const appsOfFeaturesSql = statement(
  "entitlements.appsOfFeatures",
  "select distinct app_id as id from features where id = any ($1::uuid[])",
);

export const findAppsOf = async (db: Db, features: readonly string[]) =>
  (await run(db, appsOfFeaturesSql, [features])).map(({ id }) => id);

const pastStatus = statement(
  "entitlements.pastStatus",
  `select coalesce(later.before ->> 'status', u.status) as status from users u
   left join lateral (${firstAfter("users", "u.id")}) later on true where u.id = $2`,
).narrow<{ status: UserStatus }>();

const currentStatus = statement(
  "entitlements.currentStatus",
  "select status from users where id = $1",
);

/** The status of a user at a moment. */
export const findStatus = async (db: Db, userId: string, { at, isPast }: Moment) => {
  const row = isPast
    ? await first(db, pastStatus, [at, userId])
    : await first(db, currentStatus, [userId]);
  return row?.status ?? "erased";
};

/** A grant as known at the requested moment, with its feature values and its last change. */
export type KnownGrant = Omit<GrantFacts, "value"> & {
  id: string;
  source: (typeof grantSources)[number];
  sourceId: string;
  reason: string | null;
  package: { id: string; name: string; number: number } | null;
  values: Record<string, Value>;
  subscriptionId: string | null;
  renewsAt: Date | null;
  transferredTo: string | null;
  supersededBy: { name: string; number: number } | null;
  changedBy: string | null;
  changedAt: Date | null;
  changedWhy: string | null;
};

// $1 is the user, $2 the time up to which records are known. The limits of what is joined make the planner look up one
// row for each grant. Otherwise it may read whole tables for a customer for whom it expects many grants.
const knownGrants = statement(
  "entitlements.findGrants",
  `
  select g.id, g.source, g.source_id as "sourceId", g.reason,
    case when p.id is not null then
      jsonb_build_object('id', p.id, 'name', p.name, 'number', v.number) end as "package",
    case when g.feature_id is not null then jsonb_build_object(g.feature_id::text, g.value) else coalesce((
      select jsonb_object_agg(h.feature_id, case when h.per_unit and jsonb_typeof(h.value) = 'number'
        then to_jsonb(h.value::numeric * g.quantity) else h.value end)
      from version_values h where h.version_id = g.version_id), '{}')
    end as "values",
    g.subscription_id as "subscriptionId", g.starts_at as "startsAt", nullif(known.ends_at, 'infinity') as "endsAt",
    nullif(g.promised_until, 'infinity') as "promisedUntil", known.revoked_at is not null as "isRevoked",
    moved.id is not null as "isTransferred", known.superseded_by is not null as "isSuperseded",
    case when $2::timestamptz = 'infinity' and s.status in ('active', 'trialing')
      and known.ends_at >= s.period_end then s.period_end end as "renewsAt",
    coalesce(changed.before ->> 'status', s.status) as "subscriptionStatus",
    receiver.name as "transferredTo",
    case when np.id is not null then jsonb_build_object('name', np.name, 'number', nv.number) end as "supersededBy",
    made.actor_name as "changedBy", made.recorded_at as "changedAt", made.reason as "changedWhy"
  from grants g
  left join lateral (
    select * from grant_changes c where c.grant_id = g.id and c.recorded_at > $2 order by c.id limit 1
  ) later on true
  left join lateral (
    select * from grant_changes c where c.grant_id = g.id and c.recorded_at <= $2 order by c.id desc limit 1
  ) made on true
  cross join lateral (
    select case when later.id is null then g.ends_at else later.was_ends_at end as ends_at,
      case when later.id is null then g.revoked_at else later.was_revoked_at end as revoked_at,
      case when later.id is null then g.superseded_by else later.was_superseded_by end as superseded_by
  ) known
  left join packages p on p.id = g.package_id
  left join package_versions v on v.id = g.version_id
  left join lateral (
    select * from subscriptions s where s.id = g.subscription_id and s.user_id = g.user_id limit 1
  ) s on true
  -- The status at the requested time, which is in the first change after it.
  left join lateral (
    select e.before from audit_entries e
    where $2::timestamptz < 'infinity' and e.entity = 'subscriptions' and e.record_id = s.id and e.at > $2
      and e.id >= audit_since($2) and e.before ? 'status'
    order by e.id limit 1
  ) changed on true
  left join lateral (
    select * from grants moved where moved.moved_from = g.id and moved.created_at <= $2 limit 1
  ) moved on true
  left join lateral (select name from users where id = moved.user_id limit 1) receiver on true
  left join lateral (select * from grants n where n.id = known.superseded_by limit 1) n on true
  left join package_versions nv on nv.id = n.version_id
  left join packages np on np.id = nv.package_id
  where g.user_id = $1 and g.created_at <= $2
  order by g.id`,
)
  // Up to fifteen for each grant of the customer, who may have hundreds.
  .bounded(8000)
  .narrow<KnownGrant>();

export const findGrants = (db: Db, userId: string, moment: Moment) =>
  run(db, knownGrants, [userId, knownAt(moment)]);
