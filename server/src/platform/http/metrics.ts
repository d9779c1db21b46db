import { createServer, type Server } from "node:http";
import type { FastifyInstance } from "fastify";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { run } from "../db/db.ts";
import { statement } from "../db/statement.ts";
import type { Platform } from "../platform.ts";

const queueSizesSql = statement(
  "http.queueSizes",
  `select name, state::text, count(*)::int as jobs from pgboss.job
   where state in ('created', 'retry', 'active', 'failed') group by 1, 2`,
).narrow<{ state: string; jobs: number }>();

/** The metrics of this process, and the duration of requests by route and status. */
export const createMetrics = (platform: Platform) => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: "purser_http_request_seconds",
    help: "Response time by route",
    labelNames: ["method", "route", "status"],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  new Gauge({
    name: "purser_jobs",
    help: "Waiting, running and failed jobs by queue and state",
    labelNames: ["queue", "state"],
    registers: [registry],
    async collect() {
      this.reset();
      // Without the database there are no numbers of jobs, but all others.
      const rows = await run(platform.db, queueSizesSql).catch(() => []);
      for (const { name, state, jobs } of rows) this.set({ queue: name, state }, jobs);
    },
  });
  new Counter({
    name: "purser_page_incidents_total",
    help: "Incidents that pages reported: errors and reloads",
    labelNames: ["kind"],
    registers: [registry],
    collect() {
      this.reset();
      for (const [kind, times] of Object.entries(platform.incidents)) this.inc({ kind }, times);
    },
  });
  return { registry, requests };
};
export type Metrics = ReturnType<typeof createMetrics>;

export const measureRequests = (app: FastifyInstance, { requests }: Metrics) =>
  app.addHook("onResponse", async (request, reply) => {
    const { method = "?", url: route = "unknown" } = request.routeOptions;
    requests.observe(
      { method: String(method), route, status: reply.statusCode },
      reply.elapsedTime / 1000,
    );
  });

/** On a separate port, which must not be public. */
export const serveMetrics = (
  { registry }: Metrics,
  host: string,
  port: number,
): Promise<Server> => {
  const server = createServer(async (request, response) => {
    if (request.url !== "/metrics") {
      response.writeHead(404).end();
      return;
    }
    const text = await registry.metrics().catch(() => null);
    if (text === null) response.writeHead(500).end();
    else response.writeHead(200, { "content-type": registry.contentType }).end(text);
  });
  return new Promise((resolve) => server.listen(port, host, () => resolve(server)));
};
