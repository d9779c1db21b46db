import { confirmTotp, removeTotp, startTotp } from "@purser/contract/auth/twoFactor";
import type { Reply } from "@purser/contract/http/endpoint";
import type { FastifyInstance } from "fastify";
import type { Db } from "#platform/db/db.ts";
import { Problem } from "#platform/http/problem.ts";
import { serveInSteps } from "#platform/http/serve.ts";
import { message } from "#platform/messages.ts";
import { clearAttempts, countAttempt, limits } from "../attempts.ts";
import { findAnswer, storeAnswer } from "../oneTimeAnswers.ts";
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

const notStarted = () =>
  new Problem(
    "wrong_state",
    message(
      "authenticator_not_started",
      "The setup of your authenticator app has expired. Start again.",
    ),
  );

/** The reply to the same request, unless the authenticator app was set up again since. */
const findConfirmed = async (
  db: Db,
  userId: string,
  action: Parameters<typeof findAnswer>[1],
): Promise<Reply<typeof confirmTotp> | null> => {
  const authenticator = await findAuthenticator(db, userId);
  if (!authenticator?.confirmedAt) return null;
  const answer = await findAnswer(db, action, authenticator.confirmedAt);
  return answer === null ? null : confirmTotp.reply.parse(JSON.parse(answer));
};

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

  serveInSteps(app, confirmTotp, async ({ db, body, session, now, change }) => {
    const { userId, tokenHash } = session;
    const { code } = body;
    const action = {
      keys,
      operation: confirmTotp.path,
      key: `${tokenHash.toString("hex")}:${code}`,
      request: body,
      now,
    };
    const authenticator = await findAuthenticator(db, userId);
    if (!authenticator) throw notStarted();
    if (authenticator.confirmedAt) {
      // The answer may have been lost, and with it the only copy of the recovery codes.
      await countAttempt(db, `repeated:${userId}`, limits.code, now);
      const answered = await findConfirmed(db, userId, action);
      if (!answered) throw notStarted();
      await clearAttempts(db, `repeated:${userId}`);
      return answered;
    }
    await countAttempt(db, `code:${userId}`, limits.code, now);
    const confirmed = await change(async (inside) => {
      // False also if the same request has just been answered.
      if (!(await useTotpCode(inside, { userId, code, keys, now })))
        return findConfirmed(inside, userId, action);
      await confirmAuthenticator(inside, userId, now);
      const reply = { recoveryCodes: await replaceRecoveryCodes(inside, userId) };
      await storeAnswer(inside, action, JSON.stringify(reply));
      return reply;
    });
    if (!confirmed)
      throw new Problem(
        "wrong_code",
        message(
          "setup_code_wrong",
          "Incorrect code. Check your phone's clock and enter the next code.",
        ),
      );
    await clearAttempts(db, `code:${userId}`);
    return confirmed;
  });

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
