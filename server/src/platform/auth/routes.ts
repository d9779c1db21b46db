import type { FastifyInstance } from "fastify";
import { companyRoutes } from "./companyRoutes.ts";
import { deviceRoutes } from "./deviceRoutes.ts";
import { authenticatorRoutes, passkeyRoutes } from "./factorRoutes.ts";
import type { sendLinkJob } from "./links.ts";
import { passwordRoutes } from "./passwordRoutes.ts";
import { preferenceRoutes } from "./preferenceRoutes.ts";
import { signInRoutes } from "./signInRoutes.ts";

/** Signing in, and what people decide about their own account. */
export const authRoutes = (app: FastifyInstance, sendLink: ReturnType<typeof sendLinkJob>) => {
  signInRoutes(app);
  companyRoutes(app);
  passwordRoutes(app, sendLink);
  authenticatorRoutes(app);
  passkeyRoutes(app);
  deviceRoutes(app);
  preferenceRoutes(app);
};
