import { type Db, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";

// Fields are named as in the audit entries of these tables.
const findDifferencesSql = statement(
  "packages.findPublishedDifferences",
  `with pair as (
     select * from unnest($1::uuid[], $2::uuid[]) as pair (next_id, last_id)
   ), prices as (
     select p.version_id, p.currency || ' every ' || p.interval_count || ' ' || p.interval as field,
       case when p.per_unit then jsonb_build_object('amount', p.amount, 'perUnit', true) else to_jsonb(p.amount) end as value
     from version_prices p where p.version_id = any ($1::uuid[] || $2::uuid[])
   ), parts as (
     select 'version_prices' as entity, version_id, field, value from prices
     union all
     select 'version_values', v.version_id, v.feature_id::text,
       case when v.per_unit then jsonb_build_object('value', v.value, 'perUnit', true) else v.value end
     from version_values v where v.version_id = any ($1::uuid[] || $2::uuid[])
   ), named as (
     select distinct pair.next_id, pair.last_id, parts.entity, parts.field
     from pair join parts on parts.version_id in (pair.next_id, pair.last_id)
   )
   select n.next_id::text as "versionId", n.entity, n.field, old.value as before, new.value as after
   from named n
   left join parts old on old.version_id = n.last_id and old.entity = n.entity and old.field = n.field
   left join parts new on new.version_id = n.next_id and new.entity = n.entity and new.field = n.field
   where old.value is distinct from new.value
   order by n.next_id, n.entity, n.field limit 500`,
)
  // Up to 25 pairs of versions with all of their prices and values.
  .bounded(2500)
  .narrow<{ versionId: string; entity: string; field: string }>();

type Pair = { nextId: string; lastId: string };

/** The prices and values that differ between a version and the one before it. */
export const findPublishedDifferences = (db: Db, pairs: readonly Pair[]) =>
  run(db, findDifferencesSql, [
    pairs.map(({ nextId }) => nextId),
    pairs.map(({ lastId }) => lastId),
  ]);

const findVersionsOfPackagesSql = statement(
  "packages.findVersionsOfPackages",
  `select id from package_versions where package_id = any ($1::uuid[]) order by id desc limit 100`,
);

export const findVersionsOfPackages = async (db: Db, packageIds: readonly string[]) =>
  (await run(db, findVersionsOfPackagesSql, [packageIds])).map(({ id }) => id);
