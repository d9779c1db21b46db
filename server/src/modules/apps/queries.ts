import {
  type App,
  type AppDetails,
  appFields,
  appListFields,
  appStatuses,
} from "@purser/contract/apps/fields";
import type { KeyDetails } from "@purser/contract/apps/keys";
import type { ListQuery } from "@purser/contract/http/list";
import { type Db, first, run } from "#platform/db/db.ts";
import { selection, statement } from "#platform/db/statement.ts";
import { filterColumns, selectColumns } from "#platform/lists/columns.ts";
import type { List, Paging } from "#platform/lists/list.ts";
import { findPage } from "#platform/lists/page.ts";
import { countByChoice } from "#platform/lists/total.ts";
import type { Status } from "./lifecycle.ts";

// Columns of row r. The code is frozen once it is used, because other systems refer to it.
const shown = `
  ${selectColumns(appFields, ["codeFrozen", "keys"])},
  r.activated_at is not null or k.made > 0 as "codeFrozen", k.valid as keys`;

const withKeys = `
  cross join lateral (
    select count(*)::int as made,
      count(*) filter (where revoked_at is null and (expires_at is null or expires_at > now()))::int as valid
    from app_keys where app_id = r.id
  ) k`;

const apps = selection("apps.apps", {
  table: "apps",
  columns: shown,
  joins: withKeys,
}).narrow<App>();

export const appList: List<typeof appListFields, App> = {
  rows: apps,
  fields: appListFields,
  columns: {
    ...filterColumns(appFields),
    code: "r.code",
    isSuspended: "(r.suspended_at is not null)",
  },
  sorts: { createdAt: "r.id" },
  served: [{ sort: "r.id", fields: { status: true } }],
  lookedUp: { name: ["is", "starts", "contains"], code: ["is", "starts", "contains"] },
  search: ["lower(r.name)", "r.code"],
};

export const findApps = (db: Db, query: ListQuery, paging: Paging) =>
  findPage(db, appList, query, paging);

export const countAppsByStatus = (db: Db) =>
  countByChoice(db, { table: "apps", column: "r.status", order: "r.id", options: appStatuses });

const one = apps.with("where r.id = $1");

export const findApp = (db: Db, id: string) => first(db, one, [id]);

const lockedOne = one.with("for update of r");

/** Locks the row, so that no key and no change is stored between the decision and the write. */
export const lockApp = (db: Db, id: string) => first(db, lockedOne, [id]);

const several = apps.with("where r.id = any ($1::uuid[])");
const severalInOrder = several.with("order by array_position($1::uuid[], r.id)");
const lockedSeveral = several.with("order by r.id for update of r");

/** In the order of the ids. */
export const findAppsById = (db: Db, ids: string[]) => run(db, severalInOrder, [ids]);

/** Locks in the order of the ids, so that two bulk actions on the same rows don't deadlock. */
export const lockApps = (db: Db, ids: string[]) => run(db, lockedSeveral, [ids]);

export const insertApp = async (db: Db, details: AppDetails) => {
  const { id } = await db
    .insertInto("apps")
    .values(details)
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
};

export const replaceDetails = async (db: Db, id: string, details: AppDetails) => {
  await db.updateTable("apps").set(details).where("id", "=", id).execute();
};

const countFeaturesSql = statement(
  "apps.countFeatures",
  "select count(*)::int as features from features where app_id = $1",
).narrow<{ features: number }>();

export const countFeatures = async (db: Db, appId: string) => {
  const row = await first(db, countFeaturesSql, [appId]);
  return row?.features ?? 0;
};

export const removeApp = async (db: Db, id: string) => {
  await db.deleteFrom("apps").where("id", "=", id).execute();
};

const keyColumns = [
  "id",
  "name",
  "kind",
  "scopes",
  "prefix",
  "origins",
  "expiresAt",
  "revokedAt",
  "lastUsedAt",
  "version",
  "createdAt",
] as const;

export const findKeys = (db: Db, appId: string) =>
  db
    .selectFrom("appKeys")
    .select(keyColumns)
    .where("appId", "=", appId)
    .orderBy("id", "desc")
    .execute();

export const findKeyIds = async (db: Db, appId: string) => {
  const rows = await db.selectFrom("appKeys").select("id").where("appId", "=", appId).execute();
  return rows.map(({ id }) => id);
};

type NewKey = Omit<KeyDetails, "reason"> & { appId: string; prefix: string; secretHash: Buffer };

export const insertKey = (db: Db, key: NewKey, now: Date) =>
  db
    .insertInto("appKeys")
    .values({ ...key, createdAt: now })
    .returning(keyColumns)
    .executeTakeFirstOrThrow();

export const lockKey = (db: Db, appId: string, id: string) =>
  db
    .selectFrom("appKeys")
    .select(keyColumns)
    .where("id", "=", id)
    .where("appId", "=", appId)
    .forUpdate()
    .executeTakeFirst();

export const revokeKey = (db: Db, id: string, now: Date) =>
  db
    .updateTable("appKeys")
    .set({ revokedAt: now })
    .where("id", "=", id)
    .returning(keyColumns)
    .executeTakeFirstOrThrow();

export const replaceOrigins = (db: Db, id: string, origins: string[]) =>
  db
    .updateTable("appKeys")
    .set({ origins })
    .where("id", "=", id)
    .returning(keyColumns)
    .executeTakeFirstOrThrow();

export const setSuspension = async (db: Db, id: string, suspendedAt: Date | null) => {
  await db.updateTable("apps").set({ suspendedAt }).where("id", "=", id).execute();
};

/** The versions that include one of the apps or features $1. */
export const versionsWith = {
  apps: "select version_id from version_apps where app_id = any ($1::uuid[])",
  features: "select version_id from version_values where feature_id = any ($1::uuid[])",
};

/**
 * Locks the packages that include these apps or features. A sale locks its package too, so none is recorded while
 * they are archived. Packages are always locked before apps and features, as in publishing, to avoid deadlocks.
 */
export const lockPackagesWith = async (
  db: Db,
  table: keyof typeof versionsWith,
  ids: readonly string[],
) => {
  await run(
    db,
    `select from packages where id in (
       select package_id from package_versions where id in (${versionsWith[table]})
     ) order by id for no key update`,
    [ids],
  );
};

/** Keeps the time of the first activation, because that locks the code for good. */
export const setStatus = async (
  db: Db,
  table: "apps" | "features" | "packages",
  { ids, status, now }: { ids: readonly string[]; status: Status; now: Date },
) => {
  await run(
    db,
    `update ${table} set status = $2, activated_at = coalesce(activated_at, $3)
     where id = any ($1::uuid[])`,
    [ids, status, now],
  );
};
