import { moveTestClock } from "@purser/contract/testMode/endpoints";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { job } from "../platform/jobs/queues.ts";
import { type MoveJobs, moveClock } from "../platform/testMode/moveClock.ts";
import { bothModes } from "./bothModes.testing.ts";

const { live, test: testMode } = await bothModes();
const { owner, platform, call } = testMode;
const admin = await live.signIn("admin");
const dayMs = 86_400_000;

/** A worker whose job waits until it may continue. */
const newWorker = () => {
  const started = Promise.withResolvers<void>();
  const mayGoOn = Promise.withResolvers<void>();
  let ran = 0;
  const slow = job({
    name: "slow",
    payload: z.object({}),
    run: async () => {
      ran += 1;
      started.resolve();
      await mayGoOn.promise;
    },
  });
  const jobs: MoveJobs = { eachStep: [slow], weekly: [], atEnd: [], nextDue: async () => null };
  const { db, now, log } = platform;
  const { signal: stopping } = new AbortController();
  const { turn } = moveClock({ platform, jobs });
  const step = async () => {
    throw new Error("The worker has no other steps.");
  };
  return {
    turn: () => turn({ db, now, log, step, stopping }),
    started: started.promise,
    goOn: () => mayGoOn.resolve(),
    ran: () => ran,
  };
};

const startMove = async (days: number) => {
  const to = new Date(platform.now().getTime() + days * dayMs).toISOString();
  const started = await call(admin, moveTestClock, { body: { to } });
  expect(started.status, started.text).toBe(202);
};

const stored = async () => {
  const { rows } = await owner.query(
    `select ahead_ms, target, failure, claimed_until > pg_catalog.now() + interval '20 seconds' as "isClaimed"
     from test_clock`,
  );
  return rows[0];
};

const expireClaim = () =>
  owner.query("update test_clock set claimed_until = pg_catalog.now() - interval '1 second'");

test("a worker that was late neither continues nor ends the move of the worker that took over", async () => {
  await startMove(5);
  const [late, next] = [newWorker(), newWorker()];
  const lateTurn = late.turn();
  await late.started;
  await expireClaim();
  const nextTurn = next.turn();
  await next.started;
  const before = await stored();
  late.goOn();
  await lateTurn;
  expect(late.ran()).toBe(1);
  expect(await stored()).toEqual(before);
  next.goOn();
  await nextTurn;
  expect(await stored()).toMatchObject({ target: null, failure: null, isClaimed: null });
});

test("a worker keeps its claim during a job that takes longer than the claim", async () => {
  await startMove(1);
  vi.useFakeTimers({ toFake: ["setInterval"] });
  try {
    const worker = newWorker();
    const turn = worker.turn();
    await worker.started;
    await expireClaim();
    expect(await stored()).toMatchObject({ isClaimed: false });
    vi.advanceTimersByTime(10_000);
    await vi.waitFor(async () => expect(await stored()).toMatchObject({ isClaimed: true }));
    worker.goOn();
    await turn;
  } finally {
    vi.useRealTimers();
  }
  expect(await stored()).toMatchObject({ target: null });
});
