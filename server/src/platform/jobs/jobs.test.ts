import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { listFailedJobs, retryJob } from "@purser/contract/workspace/jobs";
import { TestClock } from "pg-boss";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { patiently } from "../../patience.testing.ts";
import { isNightly } from "../../runs.testing.ts";
import { atEnd, testDatabase, testProduct } from "../../testing.ts";
import { transact } from "../audit/context.ts";
import { connectAsOwner } from "../db/db.ts";
import { createLog } from "../log.ts";
import { openJobSeconds } from "../system/counts.ts";
import { startPollers } from "./pollers.ts";
import { type Job, job, openQueues } from "./queues.ts";
import { stepsOf, work } from "./work.ts";

const log = createLog("silent");
const context = {
  actor: { kind: "system", id: null, name: "test" },
  address: null,
  requestId: null,
  reason: null,
} as const;

/** Queues of their own on a database of their own, as its owner, so that a test can move their time too. */
const testQueues = async (jobs: readonly Job[], clock?: TestClock, { wakesItself = true } = {}) => {
  const database = await testDatabase();
  const { db, pool } = connectAsOwner(database.url);
  pool.options.max = 6;
  const queues = await openQueues(jobs, { pool, log, works: true, ...(clock && { clock }) });
  const announce = async () => undefined;
  const now = () => new Date(clock?.now() ?? Date.now());
  const waking = await work(queues, jobs, { db, log, now, announce, jobSeconds: openJobSeconds() });
  const stepOf = stepsOf(queues, { db, announce });
  const stopWaking = startPollers(wakesItself ? [waking] : [], { db, log, now, stepOf });
  const { signal } = new AbortController();
  const wake = () => waking.turn({ db, log, now, step: stepOf("test"), stopping: signal });
  atEnd(async () => {
    await stopWaking();
    await queues.boss.stop({ graceful: false });
    await db.destroy();
    await database.drop();
  });
  return { db, pool, queues, database, wake };
};

const payload = z.object({ word: z.enum(["one", "two", "three"]) });
const waiting = { timeout: patiently(15_000), interval: 50 };

test("runs the job of a committed transaction, and never of a rolled-back one", async () => {
  const seen: string[] = [];
  const note = job({
    name: "note",
    payload,
    run: async (_tools, { word }) => void seen.push(word),
  });
  const { db, queues } = await testQueues([note]);
  const rolledBack = transact(db, context, async (transaction) => {
    await queues.enqueueIn(transaction)(note, { word: "one" });
    throw new Error("roll back");
  });
  await expect(rolledBack).rejects.toThrow("roll back");
  await transact(db, context, (transaction) =>
    queues.enqueueIn(transaction)(note, { word: "two" }),
  );
  await vi.waitFor(() => expect(seen).toEqual(["two"]), waiting);
  const { rows } = await queues.boss
    .getDb()
    .executeSql("select data from pgboss.job where name = 'note'");
  expect(rows).toHaveLength(1);
});

test("works through a queue without waiting between its jobs", async () => {
  let runs = 0;
  const short = job({
    name: "short",
    payload: z.object({}),
    run: async () => {
      runs += 1;
    },
  });
  const { db, queues, wake } = await testQueues([short], undefined, { wakesItself: false });
  await transact(db, context, async (transaction) => {
    for (let place = 0; place < 30; place += 1) await queues.enqueueIn(transaction)(short, {});
  });
  await wake();
  await vi.waitFor(() => expect(runs).toBe(30), waiting);
});

test("R8 idle queues are read with one statement for all of them", async () => {
  const jobs = Array.from({ length: 40 }, (_, place) =>
    job({ name: `idle-${place}`, payload, run: async () => undefined }),
  );
  const { pool } = await testQueues(jobs);
  let [turns, statements] = [0, 0];
  const query = pool.query.bind(pool);
  vi.spyOn(pool, "query").mockImplementation(((text: string, ...rest: unknown[]) => {
    statements += 1;
    if (text.includes("jobs.findDue")) turns += 1;
    return (query as (...given: unknown[]) => unknown)(text, ...rest);
  }) as never);
  await vi.waitFor(() => expect(turns).toBeGreaterThan(8), waiting);
  // Each queue on its own would have sent eight.
  expect(statements).toBeLessThan(40);
});

test(
  "R8 idle queues and the jobs of every minute take less than four transactions a second",
  async () => {
    const jobs = Array.from({ length: 50 }, (_, place) =>
      job({
        name: `quiet-${place}`,
        payload: z.object({}),
        // As many as the product has.
        ...(place < 10 && { every: "* * * * *" }),
        run: async () => {
          runs += 1;
        },
      }),
    );
    let [runs, transactions] = [0, 0];
    const clock = new TestClock("2026-03-01T10:00:00Z");
    const { pool, wake } = await testQueues(jobs, clock, { wakesItself: false });
    // A statement outside a transaction is one of its own. Those that move the clock aren't part of the product.
    pool.on("acquire", () => {
      transactions += 1;
    });
    const query = pool.query.bind(pool);
    vi.spyOn(pool, "query").mockImplementation(((text: string, ...rest: unknown[]) => {
      if (text.includes("__pgboss_test_clock")) transactions -= 1;
      return (query as (...given: unknown[]) => unknown)(text, ...rest);
    }) as never);
    const settled = async () => {
      while (pool.waitingCount > 0 || pool.idleCount < pool.totalCount) await setImmediate();
    };
    const seconds = 240;
    for (let second = 0; second < seconds; second += 1) {
      await clock.tick(1000);
      await wake();
      await settled();
    }
    expect(runs).toBeGreaterThanOrEqual(30);
    expect(transactions / seconds).toBeLessThan(4);
  },
  patiently(60_000),
);

test("rolls back a failed attempt and retries", async () => {
  let tries = 0;
  const flaky = job({
    name: "flaky",
    payload,
    run: async ({ db }) => {
      tries += 1;
      await db
        .insertInto("apps")
        .values({ code: `try-${tries}`, name: "Try" })
        .execute();
      if (tries === 1) throw new Error("not yet");
    },
  });
  const { db, queues } = await testQueues([flaky]);
  await queues.enqueueIn(db)(flaky, { word: "one" });
  await vi.waitFor(() => expect(tries).toBe(2), waiting);
  await vi.waitFor(async () => {
    const rows = await db.selectFrom("apps").select("code").execute();
    expect(rows.map(({ code }) => code)).toEqual(["try-2"]);
  }, waiting);
  const entry = await db
    .selectFrom("auditEntries")
    .select(["actorKind", "actorName"])
    .executeTakeFirst();
  expect(entry).toEqual({ actorKind: "system", actorName: "flaky" });
});

test(
  "a job that comes by itself comes at its time, and the tests move the time",
  async () => {
    const runs: string[] = [];
    const hourly = job({
      name: "hourly",
      payload: z.object({}),
      every: "30 * * * *",
      run: async ({ now }) => void runs.push(now.toISOString().slice(11, 16)),
    });
    const clock = new TestClock("2026-03-01T10:00:00Z");
    await testQueues([hourly], clock);
    // Jumps there, then lets the scheduler take its turns until it has seen the new time.
    const runsAt = async (time: string, expected: number) => {
      await clock.setTime(`2026-03-01T${time}Z`);
      await vi.waitFor(async () => {
        await clock.tick(3000);
        expect(runs).toHaveLength(expected);
      }, waiting);
    };
    await runsAt("10:28:00", 0);
    await runsAt("10:30:01", 1);
    await runsAt("11:29:00", 1);
    await runsAt("11:30:01", 2);
  },
  patiently(60_000),
);

test(
  "R3 an email is sent after the mail server was away for three hours",
  async () => {
    const clock = new TestClock("2026-03-01T10:00:00Z");
    const backAt = Date.parse("2026-03-01T13:00:00Z");
    let [tries, sent] = [0, 0];
    const email = job({
      name: "email",
      payload,
      isPatient: true,
      run: async () => {
        tries += 1;
        if (clock.now() < backAt) throw new Error("connection refused");
        sent += 1;
      },
    });
    const { db, queues } = await testQueues([email], clock);
    await queues.enqueueIn(db)(email, { word: "one" });
    // Longer than the longest delay between two attempts.
    for (let at = clock.now(); at <= backAt + 31 * 60_000; at += 31 * 60_000) {
      const before = tries;
      await clock.setTime(new Date(at));
      await vi.waitFor(async () => {
        await clock.tick(1000);
        expect(tries + sent).toBeGreaterThan(before);
      }, waiting);
    }
    expect([tries > 6, sent]).toEqual([true, 1]);
  },
  patiently(60_000),
);

const startWorker = (databaseUrl: string, hangs: boolean) => {
  const file = fileURLToPath(new URL("./worker.fixture.ts", import.meta.url));
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, DATABASE_URL: databaseUrl, HANGS: String(hangs) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  return child;
};

const untilItSays = async (child: ChildProcess, word: string) => {
  for await (const chunk of child.stdout ?? []) if (String(chunk).includes(word)) return;
};

// Only nightly: the second worker waits up to 20 s until the first counts as dead.
test.runIf(isNightly)(
  "the job of a worker killed with -9 runs again within 20 s",
  async () => {
    const database = await testDatabase();
    const first = startWorker(database.url, true);
    await untilItSays(first, "started");
    first.kill("SIGKILL");
    await once(first, "exit");
    const killedAt = performance.now();
    const second = startWorker(database.url, false);
    await untilItSays(second, "finished");
    const seconds = (performance.now() - killedAt) / 1000;
    second.kill("SIGKILL");
    await once(second, "exit");
    await database.drop();
    expect(seconds).toBeLessThan(20);
  },
  patiently(60_000),
);

test("lists a job that failed permanently, and retries it", async () => {
  const { call, signIn, owner, platform } = await testProduct();
  const admin = await signIn("admin");
  const { rows } = await owner.query(
    `insert into pgboss.job (name, state, retry_limit, retry_count, started_on, completed_on, output)
     values ('seal-audit', 'failed', 2, 2, now(), now(), '{"message":"the disk was full"}') returning id`,
  );
  const id: string = rows[0].id;
  const listed = await call(admin, listFailedJobs);
  expect(listed.body.items).toMatchObject([
    { id, name: "seal-audit", attempts: 3, error: "the disk was full" },
  ]);
  const params = { name: "seal-audit", id };
  expect((await call(admin, retryJob, { params, body: {} })).status).toBe(202);
  expect((await call(admin, listFailedJobs)).body.items).toEqual([]);
  // A second click changes nothing.
  expect((await call(admin, retryJob, { params, body: {} })).status).toBe(202);
  const [job] = await platform.queues.boss.findJobs("seal-audit", { id });
  expect(job?.state).toBe("retry");
});
