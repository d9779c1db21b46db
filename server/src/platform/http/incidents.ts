import { type incidentKinds, reportIncident } from "@purser/contract/pages/incidents";
import type { FastifyInstance } from "fastify";
import { networkOf } from "../auth/attempts.ts";
import { serveInSteps } from "./serve.ts";

const networkPerMinute = 20;
const loggedPerMinute = 100;

const texts: Record<(typeof incidentKinds)[number], string> = {
  error: "page failed",
  reload: "page reloaded",
};

/** Counts the incidents of a minute that are too many for the log, and logs their number. */
const summarizeSkipped = (app: FastifyInstance) => {
  const { platform, log } = app;
  let skipped = 0;
  let timer: NodeJS.Timeout | undefined;
  const summarize = () => {
    clearTimeout(timer);
    timer = undefined;
    if (skipped > 0) log.warn({ incidents: skipped }, "page incidents not logged");
    skipped = 0;
  };
  app.addHook("onClose", async () => summarize());
  return {
    summarize,
    skip: () => {
      skipped += 1;
      timer ??= setTimeout(summarize, platform.networkLimits.secondsLeft() * 1000).unref();
    },
  };
};

/** Logs errors of browsers with the number that the user sees. Anyone can report one, so the log is protected. */
export const incidentRoutes = (app: FastifyInstance) => {
  const {
    counts: { incidents },
    networkLimits,
  } = app.platform;
  const skipped = summarizeSkipped(app);
  serveInSteps(app, reportIncident, async ({ body, request }) => {
    networkLimits.count("incident", networkOf(request.ip), networkPerMinute);
    incidents[body.kind] += 1;
    if (networkLimits.countAll("incident") > loggedPerMinute) return skipped.skip();
    skipped.summarize();
    request.log.warn({ incident: body }, texts[body.kind]);
  });
};
