import { setTimeout as wait } from "node:timers/promises";
import { type Settings, startProduct, startWorker } from "../setup/product.ts";
import { randomOf } from "./random.ts";

type Part = { name: string; kill: () => Promise<void>; stop: () => Promise<void> };

const startsMax = 5;

/** A machine that is busy may take longer to start one than is waited for. */
const startAgain = async (settings: Settings, signal: AbortSignal) => {
  for (let start = 1; start < startsMax; start += 1) {
    const server = await startProduct(settings, signal).catch(() => null);
    if (server) return server;
  }
  return startProduct(settings, signal);
};

const startServers = async (settings: Settings, count: number, signal: AbortSignal) => {
  const running = await Promise.all(
    Array.from({ length: count }, () => startAgain(settings, signal)),
  );
  const parts = running.map((_, place): Part => {
    const stop = async () => running[place]?.[Symbol.asyncDispose]();
    return {
      name: `server ${place + 1}`,
      stop,
      kill: async () => {
        process.kill(running[place]?.pid ?? 0, "SIGKILL");
        await stop();
        running[place] = await startAgain(settings, signal);
      },
    };
  });
  return { parts, originOf: (turn: number) => running[turn % count]?.origin ?? "" };
};

const startWorkers = (settings: Settings, count: number) => {
  const running = Array.from({ length: count }, () => startWorker(settings));
  return running.map((_, place): Part => {
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

/** Servers and workers of one office, and somebody who kills them at random and starts them again. */
export const startFleet = async (
  settings: Settings,
  { servers, workers, seed }: Record<"servers" | "workers" | "seed", number>,
  signal: AbortSignal,
) => {
  const { parts: serving, originOf } = await startServers(settings, servers, signal);
  const parts = [...serving, ...startWorkers(settings, workers)];
  const kills: string[] = [];

  /** One after the other, so that somebody is always there to answer. */
  const killUntil = async (isOver: () => boolean) => {
    const random = randomOf(seed, "killer");
    while (!isOver()) {
      await wait(1500 + random.below(4000), undefined, { signal });
      const part = random.pick(parts);
      if (!part || isOver()) return;
      await part.kill();
      kills.push(part.name);
    }
  };

  return {
    originOf,
    kills,
    killUntil,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(parts.map(({ stop }) => stop()));
    },
  };
};
