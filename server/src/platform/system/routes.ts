import { getDiagnostics, getStorageGrowth, getSystem } from "@purser/contract/workspace/system";
import type { FastifyInstance } from "fastify";
import { serve } from "../http/serve.ts";
import { serveDocument } from "../lists/export.ts";
import { diagnose } from "./diagnostics.ts";
import { findInstances } from "./instances.ts";
import { findDatabase, findGrowth, findQueues, findStorage } from "./queries.ts";
import { version } from "./version.ts";

export const systemRoutes = (app: FastifyInstance) => {
  serve(app, getSystem, async ({ db, now }) => ({
    version,
    checkedAt: now,
    instances: await findInstances(app.platform),
    queues: await findQueues(db),
    database: await findDatabase(db),
    storage: await findStorage(db, now),
  }));

  serve(app, getStorageGrowth, ({ db, now }) => findGrowth(db, now));

  serveDocument(app, getDiagnostics, "diagnostics", async ({ db, now }) =>
    JSON.stringify(await diagnose(app.platform, db, now), null, 2),
  );
};
