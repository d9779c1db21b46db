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
  retryMs?: number;
};

const open = async (config: Config, { live, name, works, serves }: Options) => {
  await using opening = new AsyncDisposableStack();
  const product = await compose(config, {
    name: `${name} (test mode)`,
    works,
    serves: serves !== undefined,
    log: live.log,
    live,
  });
  opening.defer(product.close);
  const app = serves ? await product.serve() : null;
  if (app) opening.defer(() => app.close());
  await app?.ready();
  if (works) await product.work();
  if (app) serves?.router.attach(app, serves.app);
  const opened = opening.move();
  return {
    stopServing: async () => {
      await app?.close();
    },
    close: async () => {
      // Requests that arrived before the app was closed have been counted since.
      await app?.checkRecorder.flush();
      await opened.disposeAsync();
    },
  };
};

/**
 * Opens the product over the test database in the background, and tries again while that can't be used. Live neither
 * waits for it nor ends with it.
 */
export const openTestModeProduct = (config: Config, options: Options) => {
  const { live, serves, retryMs = 15_000 } = options;
  const stopping = new AbortController();
  let opened: Awaited<ReturnType<typeof open>> | null = null;
  let reported = "";

  const report = (error: unknown) => {
    const isWrong = error instanceof WrongModeError;
    serves?.router.refuse(isWrong ? "misconfigured" : "unavailable");
    // Once for each reason, because the next attempts fail in the same way.
    const text = String(error);
    if (text === reported) return;
    reported = text;
    live.log.error(
      isWrong ? { detail: error.message } : { err: error },
      "test mode can't be opened",
    );
  };

  const opening = (async () => {
    while (!stopping.signal.aborted) {
      try {
        opened = await open(config, options);
        return;
      } catch (error) {
        report(error);
      }
      await setTimeout(retryMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  })();

  const stop = () => {
    stopping.abort();
    return opening;
  };

  return {
    /** Ends the streams of test mode, which would keep the server of live open. */
    stopServing: async () => {
      await stop();
      await opened?.stopServing();
    },
    close: async () => {
      await stop();
      await opened?.close();
    },
  };
};
