import type { incidentKinds } from "@purser/contract/pages/incidents";
import type pg from "pg";
import type { Config } from "../config.ts";
import { connect, type Db } from "./db/db.ts";
import { type Announcements, openAnnouncements } from "./events/announce.ts";
import { type Job, openQueues, type Queues } from "./jobs/queues.ts";
import { createLog, type Logger } from "./log.ts";
import { type OpenCompany, openCompany } from "./settings.ts";

/** The source of the time, so that tests can move it. */
export type Clock = { now: () => number };

/** The connections and services of a process: opened at its start, closed at its end. */
export type Platform = {
  config: Config;
  log: Logger;
  now: () => Date;
  pool: pg.Pool;
  db: Db;
  company: OpenCompany;
  announcements: Announcements;
  queues: Queues;
  /** The number of incidents that pages reported since the start. */
  incidents: Record<(typeof incidentKinds)[number], number>;
  close: () => Promise<void>;
};

type Options = {
  name: string;
  works: boolean;
  clock?: Clock;
  log?: Logger;
};

export const openPlatform = async (
  config: Config,
  jobs: readonly Job[],
  { name, works, clock = Date, log = createLog(config.LOG_LEVEL) }: Options,
): Promise<Platform> => {
  const { pool, db } = connect({
    url: config.DATABASE_URL,
    poolMax: config.DATABASE_POOL_SIZE,
    name,
  });
  const announcements = openAnnouncements(config.REDIS_URL, config.REDIS_PREFIX, log);
  await announcements.start();
  const company = await openCompany(db, config, announcements);
  const queues = await openQueues(jobs, { pool, log, works });
  return {
    config,
    log,
    now: () => new Date(clock.now()),
    pool,
    db,
    company,
    announcements,
    queues,
    incidents: { error: 0, reload: 0 },
    close: async () => {
      company.close();
      await queues.stop();
      announcements.stop();
      await db.destroy();
    },
  };
};
