import {
  checkConfirmation,
  confirmWithCode,
  confirmWithPasskey,
  confirmWithPassword,
  startPasskeyConfirmation,
} from "@purser/contract/auth/confirmation";
import type { FastifyInstance } from "fastify";
import { Problem } from "#platform/http/problem.ts";
import { serve, serveInSteps } from "#platform/http/serve.ts";
import { message } from "#platform/messages.ts";
import { isStillPasskey } from "../passkeys/passkeyQueries.ts";
import { finishAuthentication, passkeyRefused, startAuthentication } from "../passkeys/passkeys.ts";
import { checkOwnPassword } from "../passwords/credentials.ts";
import { markProven, type Session } from "../sessions/sessions.ts";
import { useCode } from "../twoFactor/useCode.ts";

const wrongCode = () =>
  new Problem(
    "wrong_code",
    message(
      "confirmation_code_wrong",
      "This code is incorrect or was already used. Wait for the next code and try again.",
    ),
  );

const requiresFactor = ({ twoFactor, hasPasskey, passkeyRequiredFrom }: Session) =>
  twoFactor || (hasPasskey && passkeyRequiredFrom === null);

/** Confirming one's identity again, before actions that a stolen session must not allow. */
export const confirmationRoutes = (app: FastifyInstance) => {
  const { PUBLIC_URL: origin, SECRET_KEYS: keys } = app.platform.config;

  // The guard has checked it.
  serve(app, checkConfirmation, async () => undefined);

  serveInSteps(app, startPasskeyConfirmation, ({ db, session: { userId }, now }) =>
    startAuthentication(db, { origin, userId, now }),
  );

  serveInSteps(app, confirmWithPasskey, async ({ db, body, session, now, reply }) => {
    const { userId } = session;
    const { passkeyId } = await finishAuthentication(db, { origin, ...body, now }, userId);
    if (!(await isStillPasskey(db, passkeyId))) throw passkeyRefused();
    await markProven(db, session, { reply, now });
  });

  serveInSteps(app, confirmWithCode, async ({ db, body: { code }, session, now, reply }) => {
    const { userId, twoFactor } = session;
    if (!twoFactor)
      throw new Problem(
        "wrong_state",
        message("authenticator_missing", "No authenticator app is set up."),
      );
    // Not the counter of sign-ins, so that a stolen session can't lock its user out.
    const counted = `confirmation:${userId}`;
    if (!(await useCode(db, { userId, code, keys, now, counted }))) throw wrongCode();
    await markProven(db, session, { reply, now });
  });

  serveInSteps(app, confirmWithPassword, async ({ db, body, session, now, request, reply }) => {
    if (requiresFactor(session))
      throw new Problem(
        "wrong_state",
        message(
          "confirmation_factor_required",
          "Two-factor authentication is on. Use your passkey or a code.",
        ),
      );
    await checkOwnPassword(db, request, session, body.password);
    await markProven(db, session, { reply, now });
  });
};
