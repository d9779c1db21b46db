import { confirmTotp, removeTotp, startTotp } from "@purser/contract/auth/twoFactor";
import type { FastifyInstance } from "fastify";
import { Problem } from "#platform/http/problem.ts";
import { serveInSteps } from "#platform/http/serve.ts";
import { message } from "#platform/messages.ts";
import { clearAttempts, countAttempt, limits } from "../attempts.ts";
import { lockUser } from "../sessions/sessions.ts";
import { assertNotLastFactor } from "./requirement.ts";
import {
  beginAuthenticator,
  confirmAuthenticator,
  deleteAuthenticator,
  findAuthenticator,
  replaceRecoveryCodes,
  useTotpCode,
} from "./totp.ts";

export const totpRoutes = (app: FastifyInstance) => {
  const { SECRET_KEYS: keys } = app.platform.config;

  serveInSteps(app, startTotp, async ({ session: { userId, email }, change }) => {
    const begun = await change((inside) => beginAuthenticator(inside, { userId, email, keys }));
    if (!begun)
      throw new Problem(
        "wrong_state",
        message("authenticator_exists", "An authenticator app is already set up. Remove it first."),
      );
    return begun;
  });

  serveInSteps(
    app,
    confirmTotp,
    async ({ db, body: { code }, session: { userId }, now, change }) => {
      const authenticator = await findAuthenticator(db, userId);
      if (!authenticator || authenticator.confirmedAt)
        throw new Problem(
          "wrong_state",
          message(
            "authenticator_not_started",
            "The setup of your authenticator app has expired. Start again.",
          ),
        );
      await countAttempt(db, `code:${userId}`, limits.code, now);
      if (!(await useTotpCode(db, { userId, code, keys, now })))
        throw new Problem(
          "wrong_code",
          message(
            "setup_code_wrong",
            "Incorrect code. Check your phone's clock and enter the next code.",
          ),
        );
      await clearAttempts(db, `code:${userId}`);
      return change(async (inside) => {
        await confirmAuthenticator(inside, userId, now);
        return { recoveryCodes: await replaceRecoveryCodes(inside, userId) };
      });
    },
  );

  serveInSteps(app, removeTotp, async ({ session, change }) => {
    await change(async (inside) => {
      await lockUser(inside, session.userId);
      await assertNotLastFactor(inside, session.userId);
      if (!(await deleteAuthenticator(inside, session.userId)))
        throw new Problem(
          "wrong_state",
          message("authenticator_missing", "No authenticator app is set up."),
        );
    });
  });
};
