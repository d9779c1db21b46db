import { setTimeout } from "node:timers/promises";
import type { Db } from "../db/db.ts";
import type { Logger } from "../log.ts";
import type { Step } from "./work.ts";

/** Work that looks for itself again and again, because it cannot wait for the queue's minute. */
export type Loop = {
  name: string;
  everyMs: number;
  turn(tools: LoopTools): Promise<void>;
  /** Waits for what its turns left running. */
  settle(): Promise<void>;
};

export type LoopTools = { db: Db; now: () => Date; log: Logger; step: Step; stopping: AbortSignal };

type Settings = Omit<LoopTools, "step" | "stopping"> & { stepOf: (name: string) => Step };

/** Starts the loops of a worker and gives the way to end them. */
export const startLoops = (loops: readonly Loop[], { stepOf, ...settings }: Settings) => {
  const stop = new AbortController();
  const running = loops.map(async (loop) => {
    const tools = { ...settings, step: stepOf(loop.name), stopping: stop.signal };
    while (!stop.signal.aborted) {
      await loop
        .turn(tools)
        .catch((error) => settings.log.error({ err: error, loop: loop.name }, "loop failed"));
      await setTimeout(loop.everyMs, undefined, { signal: stop.signal }).catch(() => undefined);
    }
    await loop.settle();
  });
  return async () => {
    stop.abort();
    await Promise.all(running);
  };
};
