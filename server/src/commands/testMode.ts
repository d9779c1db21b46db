import { setTimeout } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { compose } from "../compose.ts";
import type { Config } from "../config.ts";
import type { Platform } from "../platform/platform.ts";
import type { ModeRouter } from "../platform/testMode/modeRouter.ts";
import { WrongModeError } from "../platform/testMode/testMode.ts";

type Options = {
  live: Platform;
  name: string;
  works: boolean;
  /** The live app, in a process that serves requests. */
  serves?: { app: FastifyInstance; router: ModeRouter };
};

const retryMs = 15_000;

const open = async (config: Config, { live, name, works, serves }: Options) => {
  const { log } = live;
  const product = await compose(config, {
    name: `${name} (test mode)`,
    works,
    serves: serves !== undefined,
    log,
    live,
  });
  try {
    const app = serves ? await product.serve() : null;
    await app?.ready();
    if (works) await product.work();
    if (app) serves?.router.attach(app, serves.app);
    return {
      close: async () => {
        await app?.close();
        await product.close();
      },
    };
  } catch (error) {
    await product.close();
    throw error;
  }
};

/**
 * Opens the product over the test database, and tries again while that can't be used, so that live never waits for
 * it. A database of the wrong mode ends the process.
 */
export const openTestModeProduct = async (config: Config, options: Options) => {
  const stopping = new AbortController();
  const { log } = options.live;
  const attempt = () =>
    open(config, options).catch((error: unknown) => {
      if (error instanceof WrongModeError) throw error;
      log.error({ err: error }, "test mode can't be opened");
      return null;
    });
  let opened = await attempt();
  const retrying = (async () => {
    while (!opened && !stopping.signal.aborted) {
      await setTimeout(retryMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      // An error that stops a starting process must not stop live mode later.
      if (!stopping.signal.aborted) opened = await attempt().catch(() => null);
    }
  })();
  return {
    close: async () => {
      stopping.abort();
      await retrying.catch(() => undefined);
      await opened?.close();
    },
  };
};
