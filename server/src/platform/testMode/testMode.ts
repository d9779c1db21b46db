import { isAnsweredByLive, isChangedInLive } from "@purser/contract/testMode/paths";
import type { FastifyRequest } from "fastify";
import pg from "pg";
import { bearerOf } from "../auth/bearer.ts";
import { isServiceKey } from "../auth/serviceKeys.ts";
import type { Sessions } from "../auth/sessions/lookUp.ts";
import type { Db } from "../db/db.ts";
import type { Pools } from "../db/pools.ts";
import type { Announcements } from "../events/announce.ts";
import { Problem } from "../http/problem.ts";
import { message } from "../messages.ts";
import { openTestClock, readClock } from "./clock.ts";
import { openCopies } from "./copies.ts";
import { sessionsOfLive } from "./sessions.ts";

/** What test mode needs of the platform of live. */
type Live = {
  pools: Pick<Pools, "checks">;
  sessions: Sessions;
  redisPrefix: string;
  now: () => Date;
};

/** The database is not of the mode that it is used for. */
export class WrongModeError extends Error {}

const undefinedTable = "42P01";

/** Without its table the database is outdated, which is reported elsewhere. Any other error says nothing about the mode. */
const hasClock = (db: Db) =>
  readClock(db).then(
    (row) => row !== undefined,
    (error: unknown) => {
      if (error instanceof pg.DatabaseError && error.code === undefinedTable) return false;
      throw error;
    },
  );

/** A live database used for test mode would mix the two, and so would the reverse. */
export const assertMode = async (
  db: Db,
  { live, redisPrefix }: { redisPrefix: string; live: Live | undefined },
) => {
  const isTest = await hasClock(db);
  if (!live && isTest)
    throw new WrongModeError(
      "The database in DATABASE_URL is one of test mode. Use it in TEST_MODE_DATABASE_URL.",
    );
  if (!live) return;
  if (!isTest)
    throw new WrongModeError(
      "The database in TEST_MODE_DATABASE_URL isn't set up for test mode. Run `purser migrate`.",
    );
  if (live.redisPrefix === redisPrefix)
    throw new WrongModeError(
      "The database in TEST_MODE_DATABASE_URL is a copy of the live one. Use a new, empty database.",
    );
};

export const changedInLive = () =>
  new Problem(
    "wrong_state",
    message(
      "changed_in_live",
      "Team and settings are shared with live mode. Exit test mode to change them.",
    ),
  );

/**
 * By the route, because a URL has many spellings. Live answers these before they get here, unless a service account of
 * test mode reads them, from the copies.
 */
const refuseShared = (request: FastifyRequest) => {
  const { method, routeOptions } = request;
  const { url = "" } = routeOptions;
  if (!url.startsWith("/api/")) return;
  const path = url.slice("/api".length);
  const isRead = method === "GET" || method === "HEAD";
  const isOwnRead = isRead && isServiceKey(bearerOf(request) ?? "");
  if (isAnsweredByLive(method, path) && !isOwnRead)
    throw new Problem(
      "not_found",
      message(
        "live_only",
        "This endpoint isn't available in test mode. Use its URL without /test.",
      ),
    );
  if (isChangedInLive(method, path)) throw changedInLive();
};

type Settings = { db: Db; live: Live; announcements: Announcements; base: { now: () => number } };

/** What is different in the product over the test database. */
export const openTestMode = async ({ db, live, announcements, base }: Settings) => {
  const clock = await openTestClock(db, base);
  const copies = openCopies({ live: live.pools.checks.db, test: db, announcements });
  await copies.refresh().catch((error: unknown) => {
    clock.close();
    throw error;
  });
  return {
    clock,
    copies,
    redisPrefixOfLive: live.redisPrefix,
    /** For what users have in live only, such as two-factor authentication. */
    dbOfLive: live.pools.checks.db,
    sessions: sessionsOfLive({ live, copies, clock }),
    /** Before a request is answered. */
    admit: async (request: FastifyRequest) => {
      refuseShared(request);
      await clock.refresh();
    },
    /** Before a job runs, which may act for a team member. */
    prepare: async () => {
      await clock.refresh();
      await copies.refresh();
    },
  };
};
export type TestMode = Awaited<ReturnType<typeof openTestMode>>;
