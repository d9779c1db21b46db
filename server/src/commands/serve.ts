import type { Server } from "node:http";
import { compose } from "../compose.ts";
import { createMetrics, measureRequests, serveMetrics } from "../platform/http/metrics.ts";
import { workspaceUrl } from "../platform/http/publicUrls.ts";
import { type Command, untilStopped } from "./command.ts";

const portOf = (server: Server) => {
  const address = server.address();
  return address !== null && typeof address === "object" ? address.port : 0;
};

export const serve: Command = async (config, { work = false }) => {
  const product = await compose(config, { name: "purser serve", works: work });
  const app = await product.serve();
  const metrics = createMetrics(product.platform);
  measureRequests(app, metrics);
  const { HOST: host, PORT: port, METRICS_HOST: metricsHost, METRICS_PORT: metricsPort } = config;
  const metricsServer =
    metricsPort === undefined ? null : await serveMetrics(metrics, metricsHost, metricsPort);
  if (metricsServer)
    app.log.info(`Metrics at http://${metricsHost}:${portOf(metricsServer)}/metrics`);
  if (work) await product.work();
  await app.listen({ host, port });
  app.log.info(`Open ${workspaceUrl(config)}`);
  await untilStopped(async () => {
    // Requests in flight finish before their database and Redis connections close.
    await app.close();
    metricsServer?.close();
    await product.close();
  });
};
