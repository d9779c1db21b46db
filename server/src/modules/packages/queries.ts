import type { ListQuery } from "@purser/contract/http/list";
import {
  type Package,
  type PackageDetails,
  packageFields,
  packageListFields,
  packageStatuses,
  type VersionBrief,
} from "@purser/contract/packages/fields";
import { type Db, first, run } from "#platform/db/db.ts";
import { selection, statement } from "#platform/db/statement.ts";
import { filterColumns, selectColumns } from "#platform/lists/columns.ts";
import type { List, Paging } from "#platform/lists/list.ts";
import { findPage, mapPage } from "#platform/lists/page.ts";
import { countByChoice } from "#platform/lists/total.ts";
import { subscribersAt } from "../apps/subscriberQueries.ts";
import { archivedPartsJson } from "./versions/archivedPartQueries.ts";

/** The months of a price's interval, with the mean length of a month for days and weeks. */
export const monthsOf = (price: string) => `case ${price}.interval
  when 'year' then 12 * ${price}.interval_count when 'month' then ${price}.interval_count
  when 'week' then ${price}.interval_count * 7 / 30.436875 else ${price}.interval_count / 30.436875 end`;

type BriefRow = Omit<VersionBrief, "publishAt" | "publishedAt"> & {
  publishAt: string | null;
  publishedAt: string | null;
};
type Row = Omit<Package, "draft" | "scheduled" | "onSale" | "subscribers"> & {
  briefs: Partial<Record<VersionBrief["state"], BriefRow>>;
  subscribers: number;
};

/** Columns of row r of packages. */
export const ownColumns = selectColumns(packageFields, [
  ...(["codeFrozen", "draft", "scheduled", "onSale"] as const),
  ...(["trialDays", "prices", "apps", "subscribers"] as const),
]);

/** What decides whether a package can be archived or restored. */
export const archivableState = {
  status: "r.status",
  scheduled: `(select jsonb_build_object('number', v.number) from package_versions v
    where v.package_id = r.id and v.state = 'scheduled')`,
};

// Only the draft, the scheduled and the current version are shown in lists.
const shown = `
  ${ownColumns},
  r.activated_at is not null as "codeFrozen", v.briefs, t.trial_days as "trialDays", t.prices, t.apps, ${subscribersAt("r.id", null, "now()")} as subscribers`;

const joins = `
  cross join lateral (
    select coalesce(jsonb_object_agg(v.state, jsonb_build_object(
        'id', v.id, 'number', v.number, 'state', v.state, 'note', v.note,
        'publishAt', v.publish_at, 'publishedAt', v.published_at, 'archived', ${archivedPartsJson("v.id")}
      )) filter (where v.state in ('draft', 'scheduled', 'on sale')), '{}') as briefs,
      (array_agg(v.id order by v.state = 'draft' desc, v.number desc))[1] as newest
    from package_versions v where v.package_id = r.id
  ) v
  cross join lateral (
    select t.trial_days,
      (select coalesce(jsonb_agg(jsonb_build_object('currency', p.currency, 'amount', p.amount,
          'interval', p.interval, 'intervalCount', p.interval_count, 'perUnit', p.per_unit)
          order by p.currency, p.interval, p.interval_count), '[]')
        from version_prices p where p.version_id = t.id) as prices,
      (select count(*)::int from version_apps a where a.version_id = t.id) as apps
    from package_versions t where t.id = v.newest
  ) t`;

const readBrief = (brief: BriefRow | undefined): VersionBrief | null =>
  brief
    ? {
        ...brief,
        publishAt: brief.publishAt === null ? null : new Date(brief.publishAt),
        publishedAt: brief.publishedAt === null ? null : new Date(brief.publishedAt),
      }
    : null;

const readPackage = ({ briefs, subscribers, ...row }: Row): Package => ({
  ...row,
  draft: readBrief(briefs.draft),
  scheduled: readBrief(briefs.scheduled),
  onSale: readBrief(briefs["on sale"]),
  subscribers: { count: subscribers, kind: "exact" },
});

const packages = selection("packages.packages", {
  table: "packages",
  columns: shown,
  joins,
}).narrow<Row>();

export const packageList: List<typeof packageListFields, Row> = {
  rows: packages,
  fields: packageListFields,
  columns: { ...filterColumns(packageFields), code: "r.code", group: "r.group_code" },
  sorts: { createdAt: "r.id" },
  served: [{ sort: "r.id", fields: { status: true } }],
  lookedUp: { name: ["is", "starts", "contains"], code: ["is", "starts", "contains"] },
  search: ["lower(r.name)", "r.code"],
};

export const findPackages = async (db: Db, query: ListQuery, paging: Paging) =>
  mapPage(await findPage(db, packageList, query, paging), readPackage);

export const countPackagesByStatus = (db: Db) =>
  countByChoice(db, {
    table: "packages",
    column: "r.status",
    order: "r.id",
    options: packageStatuses,
  });

const one = packages.with("where r.id = $1");

export const findPackage = async (db: Db, id: string) => {
  const row = await first(db, one, [id]);
  return row && readPackage(row);
};

/**
 * Locks the package before reading it, to see what a concurrent publish changed. Every change of a package
 * or its versions starts here.
 */
export const lockPackage = async (db: Db, id: string) => {
  await run(db, "select from packages where id = $1 for update", [id]);
  return findPackage(db, id);
};

const findLastOnSaleSql = statement(
  "packages.findLastOnSale",
  `select number from package_versions where package_id = $1 and published_at is not null
   order by state = 'on sale' desc, published_at desc limit 1`,
);

/** The number of the version that is or was last on sale. */
export const findLastOnSale = async (db: Db, packageId: string) => {
  const row = await first(db, findLastOnSaleSql, [packageId]);
  return row?.number;
};

type Own = Omit<PackageDetails, "trialDays" | "prices">;
const rowOf = ({ group, ...rest }: Own) => ({ ...rest, groupCode: group });

export const insertPackage = async (db: Db, details: Own) => {
  const { id } = await db
    .insertInto("packages")
    .values(rowOf(details))
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
};

/** Also writes if only the draft's terms differ, so that the row's version increases. */
export const replaceDetails = async (db: Db, id: string, details: Own, now: Date) => {
  await db
    .updateTable("packages")
    .set({ ...rowOf(details), updatedAt: now })
    .where("id", "=", id)
    .execute();
};

export const removePackage = async (db: Db, id: string) => {
  await db.deleteFrom("packages").where("id", "=", id).execute();
};
