import type { Db } from "#platform/db/db.ts";
import { confirmApps } from "./confirmedAppQueries.ts";

/** Further ones are looked up again. */
const knownMax = 10_000;

/** The records in the data of an event that say which apps it is about. */
const subjectOf = (data: Record<string, unknown>) => {
  const [record] = ["grant", "subscription", "transaction"].flatMap((name) => {
    const given = data[name] as { versionId?: string; featureId?: string } | undefined;
    return given ? [given] : [];
  });
  return { versionId: record?.versionId ?? null, featureId: record?.featureId ?? null };
};

/**
 * Stores for which apps a receiver has confirmed an event. What a package includes doesn't change once it is on sale, so
 * that each version and feature is looked up once in this process.
 */
export const createConfirmedApps = () => {
  const known = new Set<string>();
  return async (db: Db, data: Record<string, unknown>, now: Date) => {
    const { versionId, featureId } = subjectOf(data);
    const subject = versionId ?? featureId;
    if (subject === null || known.has(subject)) return;
    await confirmApps(db, { versionId, featureId }, now);
    if (known.size < knownMax) known.add(subject);
  };
};
export type ConfirmedApps = ReturnType<typeof createConfirmedApps>;
