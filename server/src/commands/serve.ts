import { setTimeout } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { compose, readings } from "../compose.ts";
import type { Config } from "../config.ts";
import { listenForMetrics, measureRequests } from "../platform/http/metrics.ts";
import { workspaceUrl } from "../platform/http/publicUrls.ts";
import { reportInstance } from "../platform/system/instances.ts";
import { createMetrics } from "../platform/system/metrics.ts";
import { openModeRouter } from "../platform/testMode/modeRouter.ts";
import { startTracing } from "../platform/tracing/startTracing.ts";
import { testModeConfig } from "../testMode/config.ts";
import { type Command, exitAtSignals, untilStopped } from "./command.ts";
import { openTestModeProduct } from "./testMode.ts";
import { waitForDatabase } from "./waitForDatabase.ts";

type Options = {
  work: boolean;
  /** Adds routes, and returns what to do once the server listens. */
  extend?: (app: FastifyInstance) => Promise<() => void>;
};

export const runServer = async (config: Config, { work, extend }: Options) => {
  const isReady = exitAtSignals();
  await waitForDatabase(config, config.DATABASE_URL);
  const traces = await startTracing(config, "purser serve");
  const product = await compose(config, { name: "purser serve", works: work });
  const testConfig = testModeConfig(config);
  const router = testConfig && openModeRouter(config, testConfig);
  const app = await product.serve(router);
  const whenListening = await extend?.(app);
  const metrics = createMetrics(product.platform, readings);
  measureRequests(app, metrics);
  let requests = 0;
  app.addHook("onResponse", (_request, _reply, done) => {
    requests += 1;
    done();
  });
  const { HOST: host, PORT: port, SHUTDOWN_DELAY_SECONDS: delaySeconds } = config;
  const metricsServer = await listenForMetrics(metrics, product.platform);
  if (work) await product.work();
  await app.listen({ host, port });
  app.log.info(`Open ${workspaceUrl(config)}`);
  const testMode =
    testConfig && router
      ? openTestModeProduct(testConfig, {
          live: product.platform,
          name: "purser serve",
          works: work,
          serves: { app, router },
        })
      : null;
  const instance = reportInstance(product.platform, {
    role: work ? "server and worker" : "server",
    requests: () => requests,
    isClosing: () => app.shutdown.hasBegun,
  });
  whenListening?.();
  isReady();
  const stop = async (delayMs: number) => {
    app.shutdown.hasBegun = true;
    void instance.report();
    await setTimeout(delayMs);
    // Requests in flight finish before their database and Redis connections close.
    await Promise.all([app.close(), testMode?.stopServing()]);
    await instance.stop();
    metricsServer?.close();
    await Promise.all([product.close(), testMode?.close()]);
    await traces.stop();
  };
  await untilStopped(stop, { log: product.platform.log, delaySeconds });
};

export const serve: Command = (config, { work = false }) => runServer(config, { work });
