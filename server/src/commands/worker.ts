import { constants, setPriority } from "node:os";
import { compose, readings } from "../compose.ts";
import { listenForMetrics } from "../platform/http/metrics.ts";
import { reportInstance } from "../platform/system/instances.ts";
import { createMetrics } from "../platform/system/metrics.ts";
import { startTracing } from "../platform/tracing/startTracing.ts";
import { testModeConfig } from "../testMode/config.ts";
import { type Command, exitAtSignals, untilStopped } from "./command.ts";
import { openTestModeProduct } from "./testMode.ts";
import { waitForDatabase } from "./waitForDatabase.ts";

export const runWorker: Command = async (config) => {
  // A large job must not slow down the requests of a server on the same machine.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const isReady = exitAtSignals();
  await waitForDatabase(config, config.DATABASE_URL);
  const traces = await startTracing(config, "purser worker");
  const product = await compose(config, { name: "purser worker", works: true, serves: false });
  const metricsServer = await listenForMetrics(
    createMetrics(product.platform, readings),
    product.platform,
  );
  await product.work();
  const testConfig = testModeConfig(config);
  const testMode =
    testConfig &&
    openTestModeProduct(testConfig, {
      live: product.platform,
      name: "purser worker",
      works: true,
    });
  product.platform.log.info("worker started");
  const instance = reportInstance(product.platform, {
    role: "worker",
    requests: () => 0,
    isClosing: () => false,
  });
  isReady();
  const stop = async () => {
    metricsServer?.close();
    await instance.stop();
    await Promise.all([product.close(), testMode?.close()]);
    await traces.stop();
  };
  await untilStopped(stop, { log: product.platform.log });
};
