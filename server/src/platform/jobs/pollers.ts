import { setTimeout } from "node:timers/promises";
import type { Db } from "../db/db.ts";
import type { Logger } from "../log.ts";
import type { Step } from "./queues.ts";

/** Work that checks for itself in short intervals, because the schedule of jobs is too coarse. */
export type Poller = {
  name: string;
  everyMs: number;
  turn(tools: PollerTools): Promise<void>;
  /** Waits for the work that its turns started. */
  settle(): Promise<void>;
};

export type PollerTools = {
  db: Db;
  now: () => Date;
  log: Logger;
  step: Step;
  stopping: AbortSignal;
};

type Settings = Omit<PollerTools, "step" | "stopping"> & { stepOf: (name: string) => Step };

/** Starts the pollers of a worker and returns a function that stops them. */
export const startPollers = (pollers: readonly Poller[], { stepOf, ...settings }: Settings) => {
  const stop = new AbortController();
  const running = pollers.map(async (poller) => {
    const tools = { ...settings, step: stepOf(poller.name), stopping: stop.signal };
    while (!stop.signal.aborted) {
      await poller
        .turn(tools)
        .catch((error) => settings.log.error({ err: error, poller: poller.name }, "poller failed"));
      await setTimeout(poller.everyMs, undefined, { signal: stop.signal }).catch(() => undefined);
    }
    await poller.settle();
  });
  return async () => {
    stop.abort();
    await Promise.all(running);
  };
};
