import pg from "pg";
import { type Clock, fromKysely, PgBoss, systemClock } from "pg-boss";
import type { z } from "zod";
import type { Db } from "../db/db.ts";
import type { Logger } from "../log.ts";

/** A kind of work that runs later, at least once: doing it twice must give what doing it once gives. */
export type Job<Payload extends z.ZodType = z.ZodType> = {
  name: string;
  payload: Payload;
  /** A cron expression in UTC, for work that comes by itself. */
  every?: string;
  /** Runs outside of a transaction, because what it stores must be there before somebody hears of it. */
  inSteps?: true;
  run(tools: JobTools, payload: z.output<Payload>): Promise<void>;
};

export type Enqueue = <P extends z.ZodType>(
  job: Job<P>,
  payload: z.input<P>,
  at?: Date,
) => Promise<void>;

type JobTools = {
  db: Db;
  now: Date;
  /** A step of its own: a transaction that knows its actor, whose changes are announced once it is committed. */
  step: <T>(work: (db: Db, enqueue: Enqueue) => Promise<T>) => Promise<T>;
  enqueue: Enqueue;
};

export const job = <Payload extends z.ZodType>(definition: Job<Payload>) => definition;

const schema = "pgboss";
const nobody = "00000000-0000-0000-0000-000000000000";

// A worker that dies is noticed by its missing heartbeat, and its job runs again within 20 s.
const queueOptions = {
  heartbeatSeconds: 10,
  retryLimit: 5,
  retryDelay: 1,
  retryBackoff: true,
  retryDelayMax: 600,
  expireInSeconds: 900,
  deleteAfterSeconds: 7 * 86_400,
};

/** Lays the queues' own tables, as the owner; the application may only use them. */
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
    grant execute on all functions in schema ${schema} to purser_app;`);
  await client.end();
};

type Settings = { pool: pg.Pool; log: Logger; clock?: Clock; works: boolean };

/** The queues of this process. One that does not work only puts jobs in. */
export const openQueues = async (jobs: readonly Job[], { pool, log, clock, works }: Settings) => {
  const boss = new PgBoss({
    db: {
      executeSql: (text, values) => pool.query(text, values),
      // Only a test's clock asks for this: every connection must read the same moved time.
      setSessionStatements: async (statements) => {
        pool.options.onConnect = async (client) => {
          for (const statement of statements) await client.query(statement);
        };
      },
    },
    schema,
    migrate: false,
    createSchema: false,
    supervise: works,
    schedule: works,
    superviseIntervalSeconds: 2,
    monitorIntervalSeconds: 2,
    cronMonitorIntervalSeconds: 10,
    cronWorkerIntervalSeconds: 2,
    clock: clock ?? systemClock,
  });
  boss.on("error", (error) => log.error({ err: error }, "queue failed"));
  await boss.start();
  for (const { name } of jobs) {
    await boss.createQueue(name, queueOptions);
    // It looks a queue up on its first use, on a connection of its own. Within a transaction, that one would
    // wait for those who wait for the transaction.
    await boss.findJobs(name, { id: nobody });
  }
  return {
    boss,
    /** Within the caller's transaction: a rollback takes the job with it. With a time, it runs then. */
    enqueueIn:
      (db: Db): Enqueue =>
      async ({ name, payload }, data, at) => {
        await boss.send(name, payload.parse(data) as object, {
          db: fromKysely(db.withoutPlugins()),
          ...(at && { startAfter: at }),
        });
      },
    stop: () => boss.stop({ graceful: true, timeout: 10_000 }),
  };
};
export type Queues = Awaited<ReturnType<typeof openQueues>>;
