import { listActivity } from "@purser/contract/audit";
import type { FastifyInstance } from "fastify";
import { serve } from "../http/serve.ts";
import { findReadableActivity } from "./activity.ts";

export const activityRoutes = (app: FastifyInstance) => {
  serve(app, listActivity, ({ db, query, session }) => findReadableActivity(db, query, session));
};
