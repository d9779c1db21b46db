import { reportIncident } from "@purser/contract/pages/incidents";
import type { FastifyInstance } from "fastify";
import { serveInSteps } from "./serve.ts";

/** Logs errors of browsers with the number that the user sees. */
export const incidentRoutes = (app: FastifyInstance) => {
  serveInSteps(app, reportIncident, async ({ body, request }) => {
    app.platform.incidents[body.kind] += 1;
    request.log.warn({ incident: body }, body.kind === "error" ? "page failed" : "page reloaded");
  });
};
