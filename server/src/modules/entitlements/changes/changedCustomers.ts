import type { EntitlementChanges } from "@purser/contract/entitlements/changes";
import type { Db } from "#platform/db/db.ts";
import type { MadeChange } from "#platform/events/announce.ts";
import { findAffected } from "./queries.ts";

/**
 * Records of one customer, and records that may affect every customer. Packages are neither: customers have versions
 * of them, which never change.
 */
const ofCustomers = new Set(["grants", "users", "subscriptions", "usage_corrections"]);
const ofEveryone = new Set(["apps", "features", "settings"]);

/** With more records than this, all customers are told to be affected. */
const recordsMax = 200;

/** Changes within this time are one event, so that a busy hour isn't one query per change. */
const collectMs = 100;

export type ForApp = (appId: string) => EntitlementChanges["customers"];

/** The ids of the changed records, "all", or null if no entitlement can have changed. */
const recordsOf = (changes: readonly MadeChange[]) => {
  const relevant = changes.filter(({ entity }) => ofCustomers.has(entity));
  const ids = new Set(relevant.flatMap(({ id }) => id ?? []));
  const isAll =
    changes.some(({ entity }) => ofEveryone.has(entity)) ||
    relevant.some(({ id }) => id === null) ||
    ids.size > recordsMax;
  if (isAll) return "all";
  return ids.size > 0 ? [...ids] : null;
};

const forAll: ForApp = () => "all";

const resolve = async (db: Db, records: readonly string[] | "all"): Promise<ForApp> => {
  if (records === "all") return forAll;
  const affected = await findAffected(db, records);
  return (appId) =>
    affected
      .filter(({ apps }) => apps.includes(appId))
      .flatMap(({ id, externalId }) => [id, ...(externalId ? [externalId] : [])]);
};

/** Collects changes, and says once for all streams of this process whose entitlements they may have changed. */
export const collectChanges = (db: Db, tell: (forApp: ForApp) => void) => {
  let collected: MadeChange[] = [];
  let timer: NodeJS.Timeout | undefined;

  const flush = async () => {
    const records = recordsOf(collected);
    collected = [];
    timer = undefined;
    if (records === null) return;
    // Without the database it is unknown who is affected.
    tell(await resolve(db, records).catch(() => forAll));
  };

  return {
    add: (changes: readonly MadeChange[]) => {
      collected.push(...changes);
      timer ??= setTimeout(() => void flush(), collectMs);
    },
    stop: () => clearTimeout(timer),
  };
};
