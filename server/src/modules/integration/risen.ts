import type { Db } from "#platform/db/db.ts";
import { findShares, setRisen } from "./queries.ts";
import { haveDenialsRisen, risenFrom } from "./rules.ts";

const hourMs = 3_600_000;

/** Notes the apps of which a much larger part of the checks is denied than before, and no others. */
export const updateRisen = async (db: Db, now: Date) => {
  // Of whole hours, so that the current one doesn't count half.
  const hour = new Date(Math.floor(now.getTime() / hourMs) * hourMs);
  const shares = await findShares(db, hour, risenFrom);
  const risen = shares.filter(({ checks, denied, checksBefore, deniedBefore }) =>
    haveDenialsRisen({ checks, denied }, { checks: checksBefore, denied: deniedBefore }),
  );
  await setRisen(
    db,
    risen.map(({ appId }) => appId),
    now,
  );
};
