import type { RecordImpact } from "@purser/contract/apps/impact";
import { type Db, first, run } from "#platform/db/db.ts";
import { statement, template } from "#platform/db/statement.ts";
import { versionsWith } from "./queries.ts";
import { subscribersAt } from "./subscriberQueries.ts";

type Of = keyof typeof versionsWith;

// $1 are the ids of apps or features, $2 is now.
const featuresOf: Record<Of, string> = {
  apps: "select id from features where app_id = any ($1::uuid[])",
  features: "select unnest($1::uuid[])",
};

const grantColumns = `
  g.user_id, g.ends_at, g.starts_at <= $2 as current, s.id is not null as renews from grants g
  left join subscriptions s on s.id = g.subscription_id and s.user_id = g.user_id
    and s.status in ('trialing', 'active', 'past due')`;
const isUnended = "g.ends_at > greatest($2, g.starts_at)";

// Periods that were paid in advance are later grants, so the end of access can be theirs.
const customersOf = (of: Of) => `
  select count(*)::int as customers, (count(*) filter (where renews))::int as renewing,
    (count(*) filter (where until = 'infinity'))::int as endless,
    max(until) filter (where until < 'infinity') as "lastEnd"
  from (
    select max(held.ends_at) as until, bool_or(held.renews) as renews
    from (
      select ${grantColumns}
      join package_versions v on v.package_id = g.package_id and v.id = g.version_id
      where v.id in (${versionsWith[of]}) and ${isUnended}
      union all
      select ${grantColumns} where g.feature_id in (${featuresOf[of]}) and ${isUnended}
    ) held join users u on u.id = held.user_id and u.status in ('invited', 'active')
    group by held.user_id having bool_or(held.current)
  ) customers`;

const versionsOf = (of: Of) => `
  select jsonb_build_object('id', p.id, 'name', p.name) as package, v.number, v.state
  from package_versions v join packages p on p.id = v.package_id
  where v.id in (${versionsWith[of]}) and v.state in ('on sale', 'scheduled', 'draft') and p.status <> 'archived'
  order by array_position(array['on sale', 'scheduled', 'draft'], v.state), p.sort, p.id`;

const promotionsOf = (of: Of) => `
  select id, name from promotions
  where feature_id in (${featuresOf[of]}) and published_at is not null and archived_at is null
    and (ends_at is null or ends_at > $2)
  order by id`;

type Customers = { customers: number; renewing: number; endless: number; lastEnd: Date | null };

/** Up to this many customers are counted one by one. */
const countedMax = 50_000;

const atMostOf = (of: Of) => `
  select (select coalesce(sum(${subscribersAt("v.package_id", "v.id", "$2")}), 0)::int
     from package_versions v where v.id in (${versionsWith[of]})) + (
     select count(*)::int from (
       select from grants g where g.feature_id in (${featuresOf[of]}) and ${isUnended} limit ${countedMax}
     ) few) as customers`;

const atMost = template("apps.impactAtMost", atMostOf, ["apps"], ["features"])
  // Reads up to 50,000 grants of single features.
  .bounded(60_000)
  .narrow<{ customers: number }>();

const customers = template("apps.impactCustomers", customersOf, ["apps"], ["features"])
  // Counts the customers one by one, if there aren't too many.
  .bounded(200_000)
  .narrow<Customers>();
const versions = template("apps.impactVersions", versionsOf, ["apps"], ["features"]).narrow<
  RecordImpact["versions"][number]
>();
const promotions = template("apps.impactPromotions", promotionsOf, ["apps"], ["features"]);

/** What depends on apps or features, for users who are about to archive or suspend them. */
export const findImpact = async (
  db: Db,
  { of, ids, now }: { of: Of; ids: readonly string[]; now: Date },
): Promise<RecordImpact> => {
  const most = (await first(db, atMost.for(of), [ids, now]))?.customers ?? 0;
  const counted = most <= countedMax ? await first(db, customers.for(of), [ids, now]) : undefined;
  return {
    ...(counted
      ? { ...counted, isAtMost: false }
      : { customers: most, isAtMost: true, renewing: null, endless: null, lastEnd: null }),
    versions: await run(db, versions.for(of), [ids]),
    promotions: await run(db, promotions.for(of), [ids, now]),
  };
};

const findKeyUseSql = statement(
  "apps.findKeyUse",
  `select count(*)::int as valid, max(last_used_at) as "lastUsedAt" from app_keys
   where app_id = any ($1::uuid[]) and revoked_at is null and (expires_at is null or expires_at > $2)`,
).narrow<{ valid: number; lastUsedAt: Date | null }>();

/** The valid API keys of apps, and when one was used last. */
export const findKeyUse = async (db: Db, ids: readonly string[], now: Date) =>
  (await first(db, findKeyUseSql, [ids, now])) ?? { valid: 0, lastUsedAt: null };
