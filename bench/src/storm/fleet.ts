import { setTimeout as wait } from "node:timers/promises";
import { type Settings, startProduct, startWorker } from "../setup/product.ts";
import { randomOf } from "./random.ts";

type Process = { name: string; kill: () => Promise<void>; stop: () => Promise<void> };

const startsMax = 5;

/** Starting can time out on a busy machine, so it is retried. */
const startWithRetries = async (settings: Settings, signal: AbortSignal) => {
  for (let start = 1; start < startsMax; start += 1) {
    const server = await startProduct(settings, signal).catch(() => null);
    if (server) return server;
  }
  return startProduct(settings, signal);
};

const startServers = async (settings: Settings, count: number, signal: AbortSignal) => {
  const running = await Promise.all(
    Array.from({ length: count }, () => startWithRetries(settings, signal)),
  );
  const processes = running.map((_, place): Process => {
    const stop = async () => running[place]?.[Symbol.asyncDispose]();
    return {
      name: `server ${place + 1}`,
      stop,
      kill: async () => {
        process.kill(running[place]?.pid ?? 0, "SIGKILL");
        await stop();
        running[place] = await startWithRetries(settings, signal);
      },
    };
  });
  return { processes, originOf: (turn: number) => running[turn % count]?.origin ?? "" };
};

const startWorkers = (settings: Settings, count: number) => {
  const running = Array.from({ length: count }, () => startWorker(settings));
  return running.map((_, place): Process => {
    const stop = async () => running[place]?.stop("SIGKILL");
    return {
      name: `worker ${place + 1}`,
      stop,
      kill: async () => {
        await stop();
        running[place] = startWorker(settings);
      },
    };
  });
};

/** Servers and workers of one workspace that are killed at random and restarted. */
export const startFleet = async (
  settings: Settings,
  { servers, workers, seed }: Record<"servers" | "workers" | "seed", number>,
  signal: AbortSignal,
) => {
  const { processes: serving, originOf } = await startServers(settings, servers, signal);
  const processes = [...serving, ...startWorkers(settings, workers)];
  const kills: string[] = [];

  /** Kills one process at a time, so that another one can always answer. */
  const killUntil = async (isOver: () => boolean) => {
    const random = randomOf(seed, "killer");
    while (!isOver()) {
      await wait(1500 + random.below(4000), undefined, { signal });
      const target = random.pick(processes);
      if (!target || isOver()) return;
      await target.kill();
      kills.push(target.name);
    }
  };

  return {
    originOf,
    kills,
    killUntil,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(processes.map(({ stop }) => stop()));
    },
  };
};
