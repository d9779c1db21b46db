import type { Entry } from "#platform/audit/activity.ts";
import type { Db } from "#platform/db/db.ts";
import type { Paging } from "#platform/lists/list.ts";
import { findPackages } from "../queries.ts";
import { findPublishedDifferences, findVersionsOfPackages } from "./publishedQueries.ts";

type Stated = Omit<Entry, "revertedBy">;

const stateOf = ({ entity, action, before, after }: Stated) =>
  entity === "package_versions" &&
  action === "update" &&
  before?.["state"] !== after?.["state"] &&
  after?.["state"];

/** The versions that these entries published, each with the version that it replaced in the same request. */
export const pairsIn = (entries: readonly Stated[]) =>
  entries
    .filter((entry) => stateOf(entry) === "on sale")
    .flatMap(({ recordId, requestId, after }) => {
      const last = entries.find(
        (other) =>
          stateOf(other) === "superseded" &&
          other.requestId === requestId &&
          other.after?.["package_id"] === after?.["package_id"],
      );
      return last ? [{ nextId: recordId, lastId: last.recordId, requestId }] : [];
    });

/** What published versions changed compared with the versions that they replaced. */
export const findPublished = async (db: Db, entries: readonly Entry[]) => {
  const pairs = pairsIn(entries);
  const found = pairs.length > 0 ? await findPublishedDifferences(db, pairs) : [];
  const requests = new Map(pairs.map(({ nextId, requestId }) => [nextId, requestId]));
  return found.map((one) => ({ ...one, requestId: requests.get(one.versionId) ?? null }));
};

/** The packages with this text in their name, and their versions. */
export const findNamedPackages = async (db: Db, typed: string, paging: Paging) => {
  const { items } = await findPackages(
    db,
    { q: typed, f: [], sort: [], size: 20, count: "none" },
    paging,
  );
  const ids = items.map(({ id }) => id);
  return ids.length > 0 ? [...ids, ...(await findVersionsOfPackages(db, ids))] : [];
};
