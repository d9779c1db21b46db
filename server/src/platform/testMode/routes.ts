import { allows } from "@purser/contract/auth/permissions";
import { clockDaysMax, getTestClock, moveTestClock } from "@purser/contract/testMode/endpoints";
import type { FastifyInstance } from "fastify";
import type { Session } from "../auth/sessions/sessions.ts";
import type { Db } from "../db/db.ts";
import { invalidAt, Problem } from "../http/problem.ts";
import { serve } from "../http/serve.ts";
import { message } from "../messages.ts";
import type { Platform } from "../platform.ts";
import { readClock } from "./clock.ts";
import { startMove } from "./moveQueries.ts";

const dayMs = 86_400_000;

const noClock = () =>
  new Problem(
    "not_found",
    message(
      "no_test_clock",
      "Live mode has no test clock. Use this endpoint in test mode, below /test.",
    ),
  );

const describe = async (db: Db, session: Session, { testMode, now }: Platform) => {
  const stored = testMode && (await readClock(db));
  if (!stored) throw noClock();
  const { aheadMs, target, startedFrom, jobsRun, failure } = stored;
  return {
    now: now(),
    aheadSeconds: Math.floor(aheadMs / 1000),
    move: target && startedFrom && { from: startedFrom, to: target, jobsRun },
    // It may name records.
    failure: failure !== null && !allows(session, "jobs:read") ? "A job failed." : failure,
  };
};

export const testClockRoutes = (app: FastifyInstance) => {
  const { platform } = app;

  serve(app, getTestClock, ({ db, session }) => describe(db, session, platform));

  serve(app, moveTestClock, async ({ db, body: { to }, now, session }) => {
    if (!platform.testMode) throw noClock();
    if (to <= now)
      throw invalidAt(
        "/to",
        message("test_clock_past", "The clock only moves forward. Choose a later time."),
      );
    if (to.getTime() - now.getTime() > clockDaysMax * dayMs)
      throw invalidAt(
        "/to",
        message("test_clock_far", "Choose a time within the next {days} days of the clock.", {
          days: clockDaysMax,
        }),
      );
    if (!(await startMove(db, { to, now, by: session.userId })))
      throw new Problem(
        "in_progress",
        message("test_clock_moving", "The clock is already moving. Try again when it has stopped."),
      );
    return describe(db, session, platform);
  });
};
