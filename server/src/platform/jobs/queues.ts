import { defaultRetention } from "@purser/contract/workspace/retention";
import pg from "pg";
import { type Clock, fromKysely, PgBoss, systemClock } from "pg-boss";
import type { z } from "zod";
import type { Context } from "../audit/context.ts";
import type { Db } from "../db/db.ts";
import type { MadeChange } from "../events/announce.ts";
import type { Logger } from "../log.ts";
import { currentTrace } from "../tracing/tracing.ts";

/** Work that runs later and at least once, so running it twice must have the same effect as once. */
export type Job<Payload extends z.ZodType = z.ZodType> = {
  name: string;
  payload: Payload;
  /** A cron expression in UTC, for scheduled work. */
  every?: string;
  /** Tries for a day instead of minutes, because the other side, such as a mail server, may be away for hours. */
  isPatient?: true;
  /** Runs outside a transaction, because its rows must be committed before a notification about them. */
  inSteps?: true;
  run(tools: JobTools, payload: z.output<Payload>): Promise<void>;
};

export type Enqueue = <P extends z.ZodType>(
  job: Job<P>,
  payload: z.input<P>,
  at?: Date,
) => Promise<void>;

type Own = {
  /** In the name of a user instead of the job. */
  context: Context;
  /** Which changes are announced. */
  announced: (changes: MadeChange[]) => MadeChange[];
};

/** A transaction that knows its actor. Its changes are announced after the commit. */
export type Step = <T>(work: (db: Db, enqueue: Enqueue) => Promise<T>, own?: Own) => Promise<T>;

type JobTools = {
  db: Db;
  now: Date;
  step: Step;
  enqueue: Enqueue;
};

export const job = <Payload extends z.ZodType>(definition: Job<Payload>) => definition;

const schema = "pgboss";
const nobody = "00000000-0000-0000-0000-000000000000";

// If a worker crashes, its heartbeat stops and another worker picks up its job within 20 s.
const queueOptions = {
  heartbeatSeconds: 10,
  retryLimit: 5,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 600,
  expireInSeconds: 900,
};

/** Of a new queue. The settings can change it later. */
const newOptions = { ...queueOptions, deleteAfterSeconds: defaultRetention.jobDays * 86_400 };

// 12 attempts in the first hour, then one every half an hour.
const patientOptions = { ...queueOptions, retryLimit: 58, retryDelayMax: 1800 };

/** Creates the tables of the queues as the owner. The application can only use them. */
export const installQueues = async (url: string) => {
  const boss = new PgBoss({ connectionString: url, schema, supervise: false, schedule: false });
  boss.on("error", () => undefined);
  await boss.start();
  await boss.stop({ graceful: false });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`
    select pg_advisory_lock(hashtext('install_queues'));
    grant usage on schema ${schema} to purser_app;
    grant select, insert, update, delete on all tables in schema ${schema} to purser_app;
    grant usage on all sequences in schema ${schema} to purser_app;
    grant execute on all functions in schema ${schema} to purser_app;
    create index if not exists job_failed on ${schema}.job (completed_on) where state = 'failed';
    create index if not exists job_retried on ${schema}.job (start_after) where state = 'retry';`);
  await client.end();
};

type Settings = {
  pool: pg.Pool;
  log: Logger;
  clock?: Clock;
  works: boolean;
  /** A time of jobs as the time of the queues, which is always the real one. */
  toReal?: (at: Date) => Date;
};

const createQueues = async (boss: PgBoss, jobs: readonly Job[]) => {
  for (const { name, isPatient } of jobs) {
    await boss.createQueue(name, newOptions);
    // Also for a queue that an earlier version created.
    if (isPatient) await boss.updateQueue(name, patientOptions);
    // The library looks a queue up on its first use, on its own connection. Doing that inside a transaction
    // could deadlock with others that wait for the transaction.
    await boss.findJobs(name, { id: nobody });
  }
};

/** The queues of this process. A process that is no worker only adds jobs. */
export const openQueues = async (
  jobs: readonly Job[],
  { pool, log, clock, works, toReal = (at) => at }: Settings,
) => {
  const boss = new PgBoss({
    db: {
      executeSql: (text, values) => pool.query(text, values),
      // Only for tests that move the clock: every connection must read the same time.
      setSessionStatements: async (statements) => {
        const { onConnect } = pool.options;
        pool.options.onConnect = async (client) => {
          await onConnect?.(client);
          for (const statement of statements) await client.query(statement);
        };
      },
    },
    schema,
    migrate: false,
    createSchema: false,
    supervise: works,
    schedule: works,
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
    // Jobs don't depend on each other, and the role of the application can't rebuild an index. Both would be looked for
    // all the time, and so would dead rows, which the metrics of PostgreSQL show.
    flowIntervalSeconds: 3600,
    reindex: false,
    monitorVacuum: false,
    // Schedules are in minutes, so a job may come up to 25 s later.
    cronMonitorIntervalSeconds: 15,
    cronWorkerIntervalSeconds: 10,
    clock: clock ?? systemClock,
  });
  boss.on("error", (error) => log.error({ err: error }, "queue failed"));
  await boss.start();
  try {
    await createQueues(boss, jobs);
  } catch (error) {
    await boss.stop({ graceful: false });
    throw error;
  }
  return {
    boss,
    /** Those of emails. */
    patientQueues: jobs.flatMap(({ name, isPatient }) => (isPatient ? [name] : [])),
    /** In the caller's transaction, so a rollback removes the job. With a time, it runs then. */
    enqueueIn:
      (db: Db): Enqueue =>
      async ({ name, payload }, data, at) => {
        await boss.send(
          name,
          { ...(payload.parse(data) as object), ...currentTrace() },
          {
            db: fromKysely(db.withoutPlugins()),
            ...(at && { startAfter: toReal(at) }),
          },
        );
      },
    stop: () => boss.stop({ graceful: true, timeout: 10_000 }),
  };
};
export type Queues = Awaited<ReturnType<typeof openQueues>>;
