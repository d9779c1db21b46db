import { reportIncident } from "@purser/contract/pages/incidents";
import type { FastifyInstance } from "fastify";
import { serveInSteps } from "./serve.ts";

/** What broke in somebody's browser stands in the log by the number that the person was shown. */
export const incidentRoutes = (app: FastifyInstance) => {
  serveInSteps(app, reportIncident, async ({ body, request }) => {
    app.platform.incidents[body.kind] += 1;
    request.log.warn(
      { incident: body },
      body.kind === "error" ? "a page broke" : "a page reloaded",
    );
  });
};
