import type { AppStatus } from "@purser/contract/apps/fields";
import type { Grant } from "@purser/contract/entitlements/grants";
import type { FeatureStatus } from "@purser/contract/features/fields";
import type { Option, Shape, Value } from "@purser/contract/fields/values";
import type { Package } from "@purser/contract/packages/fields";
import { archivedPartsOf } from "#modules/packages/versions/archivedPartQueries.ts";
import { type Db, first, run } from "#platform/db/db.ts";
import { type RowOf, statement } from "#platform/db/statement.ts";

// Columns of rows named g, u, p, v and f.
export const shown = `
  g.id, jsonb_build_object('id', u.id, 'name', u.name, 'email', u.email) as "user",
  case when p.id is not null then
    jsonb_build_object('id', p.id, 'name', p.name, 'number', v.number) end as "package",
  case when f.id is not null then
    jsonb_build_object('id', f.id, 'name', f.name, 'value', g.value) end as feature,
  g.source, g.reason, g.starts_at as "startsAt", nullif(g.ends_at, 'infinity') as "endsAt",
  g.revoked_at as "revokedAt"`;

export const joins = `
  join users u on u.id = g.user_id
  left join packages p on p.id = g.package_id
  left join package_versions v on v.id = g.version_id
  left join features f on f.id = g.feature_id`;

const findGrantSql = statement(
  "entitlements.findGrant",
  `select ${shown} from grants g ${joins} where g.id = $1`,
).narrow<Grant>();

export const findGrant = (db: Db, id: string) => first(db, findGrantSql, [id]);

/** Locks the row before reading it, so that a grant can't be revoked twice. */
export const lockGrant = async (db: Db, id: string) => {
  await run(db, "select from grants where id = $1 for update", [id]);
  return findGrant(db, id);
};

type Offer = Pick<Package, "id" | "name" | "group" | "status"> & {
  versionId: string | null;
};

const findOfferSql = statement(
  "entitlements.findOffer",
  `select p.id, p.name, p.group_code as "group", p.status, v.id as "versionId"
   from packages p left join package_versions v on v.package_id = p.id and v.state = 'on sale'
   where p.id = $1`,
);

/** The package and its version on sale. */
export const findOffer = (db: Db, id: string) => first(db, findOfferSql, [id]);

/** Locked against being published or archived until the transaction ends. */
export const lockOffer = async (db: Db, id: string) => {
  await run(db, "select from packages where id = $1 for share", [id]);
  return findOffer(db, id);
};

type GrantableFeature = Pick<Shape, "kind"> & {
  id: string;
  name: string;
  status: FeatureStatus;
  options: Option[];
  app: { name: string; status: AppStatus };
};

const lockFeatureSql = statement(
  "entitlements.lockFeature",
  `select f.id, f.name, f.kind, f.options, f.status,
     jsonb_build_object('name', a.name, 'status', a.status) as app
   from features f join apps a on a.id = f.app_id where f.id = $1 for share`,
).narrow<GrantableFeature>();

/** Locked against being archived, as is its app. */
export const lockFeature = (db: Db, id: string) => first(db, lockFeatureSql, [id]);

type Period = { now: Date; endsAt: Date | null };

const findOtherOfGroupSql = statement(
  "entitlements.findOtherOfGroup",
  `select p.name from grants g join packages p on p.id = g.package_id
   where g.user_id = $1 and p.group_code = $2 and p.id <> $3
     and g.ends_at > $4 and g.starts_at < coalesce($5::timestamptz, 'infinity')
   order by g.starts_at limit 1`,
);

/** Another base package of the group that the customer has at any time in the period. */
export const findOtherOfGroup = (
  db: Db,
  userId: string,
  { id, group }: Pick<Offer, "id" | "group">,
  { now, endsAt }: Period,
) => first(db, findOtherOfGroupSql, [userId, group, id, now, endsAt]);

type Granted = { packageId: string; versionId: string } | { featureId: string; value: Value };

const insertManualGrantSql = statement(
  "entitlements.insertManualGrant",
  `insert into grants (user_id, package_id, version_id, feature_id, value, source, source_id, reason,
     starts_at, ends_at, promised_until)
   select $1, $2, $3, $4, $5::jsonb, 'manual', $6, $7, $8, until, until
   from (select coalesce($9::timestamptz, 'infinity') as until) period returning id`,
);

/** A grant by a team member, with the reason. */
export const insertManualGrant = async (
  db: Db,
  userId: string,
  granted: Granted,
  { now, endsAt, by, reason }: Period & { by: string; reason: string },
) => {
  const { packageId, versionId, featureId, value } = {
    packageId: null,
    versionId: null,
    featureId: null,
    value: undefined,
    ...granted,
  };
  const row = await first(db, insertManualGrantSql, [
    userId,
    packageId,
    versionId,
    featureId,
    value === undefined ? null : JSON.stringify(value),
    by,
    reason,
    now,
    endsAt,
  ]);
  return row?.id ?? "";
};

/** Ends a grant now. A grant that hasn't started never starts. */
export const revokeGrant = async (db: Db, id: string, now: Date) => {
  await run(
    db,
    "update grants set revoked_at = $2, ends_at = greatest(starts_at, $2) where id = $1",
    [id, now],
  );
};

const findOnSaleSql = statement(
  "entitlements.findOnSale",
  `select held.feature_id as "featureId", held.value,
     jsonb_build_object('id', p.id, 'name', p.name, 'number', v.number) as "package"
   from packages p join package_versions v on v.package_id = p.id and v.state = 'on sale'
   join version_values held on held.version_id = v.id
   where p.status = 'active' and not exists (${archivedPartsOf("v.id")}) order by p.sort, p.id`,
).narrow<{ package: { id: string; name: string; number: number }; value: Value }>();

/** The value of a feature in a package on sale. */
export type OnSale = RowOf<typeof findOnSaleSql>;

/** The values of all packages that can be bought, in the order of the packages. */
export const findOnSale = (db: Db) => run(db, findOnSaleSql);
