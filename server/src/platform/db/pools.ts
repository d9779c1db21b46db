import type { PoolName } from "@purser/contract/http/endpoint";
import type { Config } from "../../config.ts";
import { openTurns, type Turns } from "../turns.ts";
import { connect, type OpenPool } from "./db.ts";
import { primaryFirst } from "./hosts.ts";
import { sizesOf } from "./poolSizes.ts";

const inFlightMax = 4;
const waitingMax = 50;
const waitMs = 5000;

/** Some connections always remain for other users. */
const turnsOf = (all: number, each: number) =>
  openTurns({ all, each: Math.max(1, Math.min(inFlightMax, each)), waitingMax, waitMs });

/** The connections of a process by kind of call, and the turns of the users who share them. */
export const openPools = async (
  config: Config,
  { name, serves }: { name: string; serves: boolean },
) => {
  const urls = await primaryFirst(config.DATABASE_URL);
  const sizes = sizesOf(config, serves);
  const open = (limits: PoolName) =>
    connect({
      url: config.DATABASE_URL,
      urls,
      poolMax: sizes[limits],
      name,
      limits,
      pooling: config.DATABASE_POOLING,
    });
  const pools: Record<PoolName, OpenPool> = {
    checks: open("checks"),
    writes: open("writes"),
    reads: open("reads"),
  };
  const turns: Record<PoolName, Turns> = {
    // Every request looks up its session, so more of them wait.
    checks: openTurns({
      all: sizes.checks,
      each: Math.ceil(sizes.checks / 2),
      waitingMax: 4 * waitingMax,
      waitMs,
    }),
    writes: turnsOf(sizes.writes, Math.ceil(sizes.writes / 2)),
    // Exports use up to half of these connections.
    reads: turnsOf(sizes.reads, Math.floor(sizes.reads / 3)),
  };
  return {
    ...pools,
    turns,
    /** One at a time for each user, because counting every row takes long. */
    counts: openTurns({ all: sizes.reads, each: 1, waitingMax, waitMs }),
    close: async () => {
      await Promise.all(Object.values(pools).map(({ db }) => db.destroy()));
    },
  };
};
export type Pools = Awaited<ReturnType<typeof openPools>>;
