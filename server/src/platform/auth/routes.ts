import type { FastifyInstance } from "fastify";
import { confirmationRoutes } from "./confirmation/confirmationRoutes.ts";
import { passkeyRoutes } from "./passkeys/passkeyRoutes.ts";
import type { sendLinkJob } from "./passwords/passwordLinks.ts";
import { passwordRoutes } from "./passwords/passwordRoutes.ts";
import { preferenceRoutes } from "./preferences/preferenceRoutes.ts";
import { sessionRoutes } from "./sessions/sessionRoutes.ts";
import { signInRoutes } from "./signIn/signInRoutes.ts";
import { ssoRoutes } from "./sso/ssoRoutes.ts";
import { totpRoutes } from "./twoFactor/totpRoutes.ts";

/** Signing in, and the settings of one's own account. */
export const authRoutes = (app: FastifyInstance, sendLink: ReturnType<typeof sendLinkJob>) => {
  signInRoutes(app);
  ssoRoutes(app);
  passwordRoutes(app, sendLink);
  totpRoutes(app);
  passkeyRoutes(app);
  confirmationRoutes(app);
  sessionRoutes(app);
  preferenceRoutes(app);
};
