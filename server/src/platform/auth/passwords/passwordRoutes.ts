import {
  changePassword,
  forgotPassword,
  getLink,
  setPassword,
} from "@purser/contract/auth/passwords";
import type { FastifyInstance } from "fastify";
import type { Db } from "#platform/db/db.ts";
import { Problem } from "#platform/http/problem.ts";
import { serveInSteps } from "#platform/http/serve.ts";
import { message } from "#platform/messages.ts";
import { findSettings } from "#platform/settings.ts";
import { countAttempt, limits } from "../attempts.ts";
import { findAnswer, storeAnswer } from "../oneTimeAnswers.ts";
import { forgetKnownDevices } from "../sessions/knownDevices.ts";
import { endSessionsOf, replaceToken } from "../sessions/sessions.ts";
import { findProof } from "../twoFactor/requirement.ts";
import { checkOwnPassword, passwordsOff } from "./credentials.ts";
import { findLink, type sendLinkJob, takeLink } from "./passwordLinks.ts";
import { activateInvited, storePassword } from "./passwordQueries.ts";
import { hashPassword, refuseWeakPassword } from "./passwords.ts";

const unusable = () =>
  new Problem(
    "link_unusable",
    message("link_unusable", "This link has expired or was already used. Request a new one."),
  );

const assertPasswordsAllowed = async (db: Db) => {
  if (!(await findSettings(db)).passwordsAllowed) throw passwordsOff();
};

export const passwordRoutes = (app: FastifyInstance, sendLink: ReturnType<typeof sendLinkJob>) => {
  // An unknown address creates the same job as a known one, so that the reply takes equally long.
  serveInSteps(app, forgotPassword, async ({ db, body: { email }, now, enqueue }) => {
    await assertPasswordsAllowed(db);
    await countAttempt(db, `mail:${email}`, limits.mail, now);
    await enqueue(sendLink, { email, purpose: "reset" });
  });

  serveInSteps(app, getLink, async ({ db, body: { token }, now }) => {
    const link = await findLink(db, token, now);
    if (!link) throw unusable();
    return link;
  });

  const { SECRET_KEYS: keys } = app.platform.config;

  serveInSteps(app, setPassword, async ({ db, body, now, change }) => {
    const { token, password } = body;
    // A lost answer must not cost the link, so the same request is answered again for some minutes.
    const action = { keys, operation: setPassword.path, key: token, request: body, now };
    const assertRepeated = async (at: Db) => {
      if ((await findAnswer(at, action)) === null) throw unusable();
    };
    const link = await findLink(db, token, now);
    if (!link) return assertRepeated(db);
    // The link of an operator works even without passwords, for when single sign-on is down.
    const byOperator = link.purpose === "operator";
    if (!byOperator) await assertPasswordsAllowed(db);
    refuseWeakPassword(password, [link.email, link.name]);
    // Hashed before the transaction, so that no connection is held during the slow hash.
    const hash = await hashPassword(password);
    const { id, name } = link;
    await change(
      async (inside) => {
        const userId = await takeLink(inside, token, now);
        if (!userId) return assertRepeated(inside);
        await storePassword(inside, { userId, hash, now, byOperator });
        await activateInvited(inside, userId);
        await endSessionsOf(inside, userId);
        await forgetKnownDevices(inside, userId);
        await storeAnswer(inside, action, "");
      },
      { kind: "user", id, name },
    );
  });

  serveInSteps(app, changePassword, async ({ db, body, session, now, request, reply, change }) => {
    if ((await findProof(db, session.userId)) !== "password") throw passwordsOff();
    await checkOwnPassword(db, request, session, body.current);
    refuseWeakPassword(body.password, [session.email, session.name]);
    const hash = await hashPassword(body.password);
    await change(async (inside) => {
      await storePassword(inside, { userId: session.userId, hash, now });
      await endSessionsOf(inside, session.userId, session.tokenHash);
      await replaceToken(inside, session, { reply, now });
    });
  });
};
