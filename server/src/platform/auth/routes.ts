import type { FastifyInstance } from "fastify";
import type { sendLinkJob } from "./passwords/passwordLinks.ts";
import { passwordRoutes } from "./passwords/passwordRoutes.ts";
import { preferenceRoutes } from "./preferences/preferenceRoutes.ts";
import { deviceRoutes } from "./sessions/sessionRoutes.ts";
import { signInRoutes } from "./signIn/signInRoutes.ts";
import { companyRoutes } from "./sso/ssoRoutes.ts";
import { authenticatorRoutes, passkeyRoutes } from "./twoFactor/totpRoutes.ts";

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
