import type pg from "pg";
import type { Histogram } from "prom-client";
import type { Config } from "../config.ts";
import { type CustomerTokens, openCustomerTokens } from "./auth/customerTokens.ts";
import { type KeyLimits, openKeyLimits } from "./auth/keyLimits.ts";
import { openSessions, type Sessions } from "./auth/sessions/lookUp.ts";
import type { Db } from "./db/db.ts";
import { assertLoginPrivileges } from "./db/loginPrivileges.ts";
import { openPools, type Pools } from "./db/pools.ts";
import { type Announcements, openAnnouncements } from "./events/announce.ts";
import { findInstallationId } from "./installation.ts";
import { type Job, openQueues, type Queues } from "./jobs/queues.ts";
import { type NetworkLimits, openNetworkLimits } from "./limits/networkLimits.ts";
import { type ListSizes, openListSizes } from "./lists/sizes.ts";
import { createLog, type Logger } from "./log.ts";
import { type OpenCompany, openCompany } from "./settings.ts";
import { type Counts, openCounts, openJobSeconds } from "./system/counts.ts";
import { assertMode, openTestMode, type TestMode } from "./testMode/testMode.ts";

/** The source of the time, so that tests can move it. */
export type Clock = { now: () => number };

/** The connections and services of a process: opened at its start, closed at its end. */
export type Platform = {
  config: Config;
  log: Logger;
  now: () => Date;
  pools: Pools;
  /** The connections for changes and jobs. */
  pool: pg.Pool;
  db: Db;
  company: OpenCompany;
  /** The start of all Redis keys and channels. */
  redisPrefix: string;
  announcements: Announcements;
  keyLimits: KeyLimits;
  networkLimits: NetworkLimits;
  customerTokens: CustomerTokens;
  sessions: Sessions;
  /** Null in live. */
  testMode: TestMode | null;
  queues: Queues;
  listSizes: ListSizes;
  counts: Counts;
  /** How long jobs took, by queue and result. */
  jobSeconds: Histogram<"queue" | "result">;
  close: () => Promise<void>;
};

type Options = {
  name: string;
  works: boolean;
  /** False for a process that only works. */
  serves?: boolean;
  /** The live product beside which this one is test mode. */
  live?: Platform | undefined;
  clock?: Clock;
  log?: Logger;
  counts?: Counts;
};

export const openPlatform = async (
  config: Config,
  jobs: readonly Job[],
  {
    name,
    works,
    serves = true,
    live,
    clock: base = Date,
    log = createLog(config.LOG_LEVEL),
    counts = openCounts(),
  }: Options,
): Promise<Platform> => {
  // If anything fails, all that was opened is closed.
  await using opening = new AsyncDisposableStack();
  const pools = await openPools(config, { name, serves });
  opening.defer(pools.close);
  const { pool, db } = pools.writes;
  await assertLoginPrivileges(db, config.PUBLIC_URL);
  const redisPrefix = `${config.REDIS_PREFIX}${await findInstallationId(db)}:`;
  await assertMode(db, { redisPrefix, live });
  const announcements = openAnnouncements(config.REDIS_URL, redisPrefix, log);
  opening.defer(announcements.stop);
  await announcements.start();
  const testMode = live ? await openTestMode({ db, live, announcements, base }) : null;
  if (testMode) opening.defer(testMode.clock.close);
  const company = await openCompany(db, config, announcements);
  opening.defer(company.close);
  const queues = await openQueues(jobs, {
    pool,
    log,
    works,
    ...(testMode && { toReal: testMode.clock.toReal }),
  });
  opening.defer(queues.stop);
  const clock = testMode?.clock ?? base;
  const now = () => new Date(clock.now());
  const counting = { redis: announcements.redis, prefix: redisPrefix, now };
  const keyLimits = openKeyLimits(counting);
  opening.defer(keyLimits.close);
  const networkLimits = openNetworkLimits(counting);
  opening.defer(networkLimits.close);
  const opened = opening.move();
  return {
    config,
    log,
    now,
    pools,
    pool,
    db,
    company,
    redisPrefix,
    announcements,
    keyLimits,
    networkLimits,
    customerTokens: openCustomerTokens(config.SECRET_KEYS),
    sessions:
      testMode?.sessions ?? openSessions({ db: pools.checks.db, turns: pools.turns.checks }),
    testMode,
    queues,
    listSizes: openListSizes(),
    counts,
    jobSeconds: openJobSeconds(),
    close: () => opened.disposeAsync(),
  };
};
