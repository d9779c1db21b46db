import { beforeEach, expect, test } from "vitest";
import { migrateCommand } from "../../commands/migrate.ts";
import { runHere } from "../../commands/testing.ts";
import { atEnd, testProduct } from "../../testing.ts";
import { type Db, run } from "../db/db.ts";
import { migrate } from "../db/migrate.ts";
import { withPlanted } from "../db/migrations/planted.testing.ts";
import { openQueues } from "../jobs/queues.ts";
import { work } from "../jobs/work.ts";
import { createLog } from "../log.ts";
import { openJobSeconds } from "../system/counts.ts";
import { type Backfill, backfill } from "./backfill.ts";
import { runBackfills } from "./job.ts";

const rowsMax = 1050;
const migrations = await withPlanted(
  `-- backfill: planted-count
   create table planted (id int primary key, converted int not null default 0, written int not null default 0);
   insert into planted select generate_series(1, ${rowsMax});
   grant select, update on planted to purser_app`,
);

const product = await testProduct();
const { platform, owner, config, app } = product;
await migrate(product.database.url, { migrations });

beforeEach(async () => {
  await owner.query("update planted set converted = 0, written = 0");
  await owner.query("delete from backfills");
  await owner.query(
    "insert into backfills (name, migration) values ('planted-count', '9000_planted')",
  );
});

// Not idempotent, so that a row that is converted twice is found.
const convert = async (db: Db, after: string | null, limit: number) => {
  const rows = (await run(
    db,
    `with batch as (select id from planted where id > $1 order by id limit $2 for update)
     update planted set converted = converted + 1 from batch where planted.id = batch.id returning planted.id`,
    [Number(after ?? 0), limit],
  )) as { id: number }[];
  const last = rows.length > 0 ? String(Math.max(...rows.map(({ id }) => id))) : null;
  return { last, rows: rows.length, done: rows.length < limit };
};

const count = backfill({ name: "planted-count", batchSize: 100, run: convert });

const runJob = (...backfills: Backfill[]) =>
  runBackfills(backfills).run({ db: platform.db } as never, {});

const stateNow = async () => {
  const { rows } = await owner.query(
    `select b.last_key, b.rows_done::int, b.finished_at is not null as finished,
       (select count(*)::int from planted where converted = 1) as converted,
       (select count(*)::int from planted where converted > 1) as twice
     from backfills b where name = 'planted-count'`,
  );
  return rows[0];
};

const finished = {
  last_key: String(rowsMax),
  rows_done: rowsMax,
  finished: true,
  converted: rowsMax,
  twice: 0,
};

test("R6 a backfill continues after the batch that a crash interrupted", async () => {
  let batches = 0;
  const crashing: Backfill = {
    ...count,
    run: async (db, after, limit) => {
      const batch = await convert(db, after, limit);
      batches += 1;
      if (batches === 3) await run(db, "select pg_terminate_backend(pg_backend_pid())");
      return batch;
    },
  };
  await expect(runJob(crashing)).rejects.toThrow();
  expect(await stateNow()).toEqual({
    last_key: "200",
    rows_done: 200,
    finished: false,
    converted: 200,
    twice: 0,
  });
  await runJob(crashing);
  expect(await stateNow()).toEqual(finished);
  await runJob(crashing);
  expect(await stateNow()).toEqual(finished);
});

test("R6 several workers run a backfill once while the app writes the same rows", async () => {
  const log = createLog("silent");
  const small = runBackfills([{ ...count, batchSize: 10 }]);
  const workers = await Promise.all(
    [1, 2, 3].map(() => openQueues([small], { pool: platform.pool, log, works: true })),
  );
  atEnd(async () => {
    for (const { boss } of workers) await boss.stop({ graceful: false });
  });
  const { db, now } = platform;
  for (const queues of workers) {
    await work(queues, [small], {
      db,
      log,
      now,
      announce: async () => undefined,
      jobSeconds: openJobSeconds(),
    });
    await queues.enqueueIn(db)(small, {});
  }
  const isFinished = async () => (await stateNow()).finished;
  let writes = 0;
  while (!(await isFinished())) {
    await run(db, "update planted set written = written + 1 where id = any ($1)", [
      [1, 500, rowsMax],
    ]);
    writes += 1;
  }
  expect(await stateNow()).toEqual(finished);
  const { rows } = await owner.query(
    "select distinct written from planted where id in (1, 500, $1)",
    [rowsMax],
  );
  expect(rows).toEqual([{ written: writes }]);
});

test("R6 a failing backfill doesn't stop the others, and one without progress fails", async () => {
  await owner.query(
    "insert into backfills (name, migration) values ('planted-stuck', '8000_planted')",
  );
  const stuck = backfill({
    name: "planted-stuck",
    batchSize: 1,
    run: async () => ({ last: null, rows: 0, done: false }),
  });
  await expect(runJob(stuck, count)).rejects.toThrow(
    "The backfill planted-stuck made no progress after null.",
  );
  expect(await stateNow()).toEqual(finished);
});

test("R6 the server is ready while a backfill is waiting", async () => {
  const reply = await app.inject({ url: "/readyz" });
  expect(reply.statusCode).toBe(200);
  expect(reply.json()).toMatchObject({ status: "ready", migrations: "ok" });
});

test("R6 migrate refuses a waiting backfill that this version doesn't have", async () => {
  const command = migrateCommand(async () => [], migrations);
  expect(await runHere(config, command, "--backfills")).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^This version doesn't have the backfill planted-count of migr/),
  });
});

test("R6 migrate names waiting backfills, and runs them in the foreground on request", async () => {
  const more = await withPlanted(
    migrations.at(-1)?.text ?? "",
    "-- requires backfill: planted-count\nalter table planted add column other text",
  );
  const load = async () => [count];
  const without = migrateCommand(load, migrations);
  expect((await runHere(config, without)).stdout).toBe(
    "The database is up to date.\nWaiting backfills: planted-count (0 rows converted so far). Workers run them in the background. To run them now: purser migrate --backfills\n",
  );
  const refused = await runHere(config, migrateCommand(load, more));
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("requires a finished"),
  });
  const done = await runHere(config, migrateCommand(load, more), "--backfills");
  expect(done.stdout).toBe("Backfill planted-count is finished.\nApplied 9001_planted.\n");
  expect(await stateNow()).toEqual(finished);
});
