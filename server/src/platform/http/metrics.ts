import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import type { Platform } from "../platform.ts";
import type { Metrics } from "../system/metrics.ts";
import { checkParts, isComplete } from "./health.ts";

export const measureRequests = (app: FastifyInstance, { requests }: Metrics) =>
  app.addHook("onResponse", (request, reply, done) => {
    const { method = "?", url: route = "unknown" } = request.routeOptions;
    requests.observe(
      { method: String(method), route, status: reply.statusCode },
      reply.elapsedTime / 1000,
    );
    done();
  });

const answerJson = (response: ServerResponse, status: number, body: object) =>
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

/**
 * Metrics, and the probes of a worker, which has no other port. On a port of their own, which must not be public. Null if
 * it isn't configured.
 */
export const listenForMetrics = async (
  { registry }: Metrics,
  platform: Platform,
): Promise<Server | null> => {
  const { METRICS_HOST: host, METRICS_PORT: port } = platform.config;
  if (port === undefined) return null;
  const routes: Record<string, (response: ServerResponse) => Promise<unknown>> = {
    "/metrics": async (response) =>
      response
        .writeHead(200, { "content-type": registry.contentType })
        .end(await registry.metrics()),
    "/healthz": async (response) => answerJson(response, 200, { status: "ok" }),
    "/readyz": async (response) => {
      const parts = await checkParts(platform);
      const isReady = isComplete(parts);
      const status = isReady ? "ready" : "not ready";
      answerJson(response, isReady ? 200 : 503, { status, ...parts });
    },
  };
  const server = createServer((request, response) => {
    const route = Object.hasOwn(routes, request.url ?? "") ? routes[request.url ?? ""] : undefined;
    if (!route) response.writeHead(404).end();
    else route(response).catch(() => response.writeHead(500).end());
  });
  server.listen(port, host);
  await once(server, "listening");
  const { port: chosen } = server.address() as AddressInfo;
  platform.log.info(`Metrics at http://${host}:${chosen}/metrics`);
  return server;
};
