import { compose } from "../compose.ts";
import { createMetrics, measureRequests, serveMetrics } from "../platform/http/metrics.ts";
import { type Command, untilStopped } from "./command.ts";

export const serve: Command = async (config, { work = false }) => {
  const product = await compose(config, { name: "purser serve", works: work });
  const app = await product.serve();
  const metrics = createMetrics(product.platform);
  measureRequests(app, metrics);
  const metricsServer =
    config.METRICS_PORT === undefined
      ? null
      : await serveMetrics(metrics, config.HOST, config.METRICS_PORT);
  if (work) await product.work();
  await app.listen({ host: config.HOST, port: config.PORT });
  await untilStopped(async () => {
    // Requests in flight are answered first; only then is what they stand on taken away.
    await app.close();
    metricsServer?.close();
    await product.close();
  });
};
