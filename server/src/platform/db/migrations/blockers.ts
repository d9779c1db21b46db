import { setInterval } from "node:timers/promises";
import { type Db, run } from "../db.ts";
import { type RowOf, statement } from "../statement.ts";

const blockersSql = statement(
  "db.findBlockers",
  `select pid, application_name as application, state, query_start as "queryStartedAt", left(query, 120) as query
   from pg_stat_activity where pid = any (pg_blocking_pids($1)) order by pid`,
).present<"pid">();

type Blocker = RowOf<typeof blockersSql>;

/** PostgreSQL shows the state and the query of other roles only to members of `pg_read_all_stats`. */
export const describeBlocker = ({ pid, application, state, queryStartedAt, query }: Blocker) =>
  [
    `pid ${pid} (${application || "unknown application"})`,
    state,
    queryStartedAt && `query started at ${queryStartedAt.toISOString()}: ${query}`,
  ]
    .filter(Boolean)
    .join(", ");

type Watched = { db: Db; pid: number; everyMs: number };

/**
 * Runs work on the connection `pid` while another one checks which sessions block it. After a lock timeout, nothing
 * waits any more, so it would be too late to look.
 */
export const watchBlockers = async <T>(
  { db, pid, everyMs }: Watched,
  tell: (blockers: Blocker[]) => void,
  work: () => Promise<T>,
) => {
  const stop = new AbortController();
  const watch = async () => {
    for await (const _ of setInterval(everyMs, undefined, { signal: stop.signal })) {
      const blockers = await run(db, blockersSql, [pid]);
      if (blockers.length > 0) tell(blockers);
    }
  };
  // The work decides, also if the other connection is lost.
  const watching = watch().catch(() => undefined);
  try {
    return await work();
  } finally {
    stop.abort();
    await watching;
  }
};
