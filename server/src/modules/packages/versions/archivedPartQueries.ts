import type { VersionBrief } from "@purser/contract/packages/fields";
import { type Db, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";

export type ArchivedPart = VersionBrief["archived"][number];

/** A query of the archived apps and features of a version. */
export const archivedPartsOf = (version: string) => `
  select 'app' as what, a.id, a.name from version_apps held join apps a on a.id = held.app_id
  where held.version_id = ${version} and a.status = 'archived'
  union all
  select 'feature', f.id, f.name from version_values held join features f on f.id = held.feature_id
  where held.version_id = ${version} and f.status = 'archived'`;

/** The archived apps and features of a version, as JSON. */
export const archivedPartsJson = (version: string) => `(
  select coalesce(jsonb_agg(jsonb_build_object('what', part.what, 'id', part.id, 'name', part.name)
    order by part.what, lower(part.name), part.id), '[]') from (${archivedPartsOf(version)}) part)`;

const findArchivedPartsSql = statement(
  "packages.findArchivedParts",
  `select * from (${archivedPartsOf("$1")}) part order by what, lower(name), id`,
).narrow<ArchivedPart>();

/**
 * The archived apps and features of a version. Read them after locking the package, because archiving locks it too.
 */
export const findArchivedParts = (db: Db, versionId: string) =>
  run(db, findArchivedPartsSql, [versionId]);
