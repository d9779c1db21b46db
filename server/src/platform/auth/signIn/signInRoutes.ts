import { changeOwnName, getSession, getSignedInUser, signOut } from "@purser/contract/auth/session";
import {
  signIn,
  signInWithCode,
  signInWithPasskey,
  startPasskeySignIn,
} from "@purser/contract/auth/signIn";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Db } from "#platform/db/db.ts";
import { Problem } from "#platform/http/problem.ts";
import { serve, serveInSteps } from "#platform/http/serve.ts";
import { message } from "#platform/messages.ts";
import { findPasskeyOwner, isStillPasskey } from "../passkeys/passkeyQueries.ts";
import { finishAuthentication, passkeyRefused, startAuthentication } from "../passkeys/passkeys.ts";
import { checkCredentials, wrongCredentials } from "../passwords/credentials.ts";
import { isStillPassword } from "../passwords/passwordQueries.ts";
import type { SecretKeys } from "../secrets.ts";
import {
  clearSessionCookie,
  describeSession,
  endSession,
  startSession,
  updateOwnName,
} from "../sessions/sessions.ts";
import { recordRefusal } from "../sessions/signInLog.ts";
import { assertPasswordIsEnough } from "../twoFactor/requirement.ts";
import { isRecoveryCode, useCode } from "../twoFactor/useCode.ts";
import { countCodeAttempt, endChallenge, startChallenge } from "./challenges.ts";

const wrongCode = () =>
  new Problem(
    "wrong_code",
    message(
      "sign_in_code_wrong",
      "This code is incorrect or was already used. Wait for the next code, or start again.",
    ),
  );

type Entering = { request: FastifyRequest; reply: FastifyReply; now: Date };

/** After the password: the session, or the second step. */
const enterByPassword = async (
  db: Db,
  { id, hash, twoFactor }: Awaited<ReturnType<typeof checkCredentials>>,
  exchange: Entering,
) => {
  const stillProven = (inside: Db) => isStillPassword(inside, id, hash);
  if (twoFactor) {
    const challenge = await startChallenge(db, {
      purpose: "code",
      userId: id,
      webauthn: null,
      now: exchange.now,
    });
    // Checked after the challenge is stored, so that a new password set later finds the challenge and ends it.
    if (!(await stillProven(db))) throw wrongCredentials();
    return { state: "second factor" as const, ...challenge };
  }
  await assertPasswordIsEnough(db, id, exchange.now);
  const proof = { how: "password", twoFactor: false, stillProven } as const;
  const me = await startSession(db, id, exchange, proof);
  if (!me) throw wrongCredentials();
  return { state: "signed in" as const, me };
};

type Answered = { challenge: string; code: string; keys: SecretKeys };

/** The second step, for the user of the challenge of the first step. */
const enterByCode = async (
  db: Db,
  { challenge, code, keys }: Answered,
  { userId, how }: { userId: string; how: "code" | "recovery code" },
  exchange: Entering,
) => {
  const { now } = exchange;
  if (!(await useCode(db, { userId, code, keys, now, counted: `code:${userId}` })))
    throw wrongCode();
  const stillProven = (inside: Db) => endChallenge(inside, challenge);
  const me = await startSession(db, userId, exchange, { how, twoFactor: true, stillProven });
  if (!me) throw wrongCode();
  return { state: "signed in" as const, me };
};

/** Every way to sign in except single sign-on. A test compares them with the routes that set the session cookie. */
export const signInRoutes = (app: FastifyInstance) => {
  const { PUBLIC_URL: origin, SECRET_KEYS: keys } = app.platform.config;

  serveInSteps(app, signIn, ({ db, body, now, request, reply }) =>
    recordRefusal(db, request, { meant: { email: body.email }, how: "password" }, async () =>
      enterByPassword(db, await checkCredentials(db, request, body), { request, reply, now }),
    ),
  );

  serveInSteps(app, signInWithCode, async ({ db, body, now, request, reply }) => {
    const waiting = await countCodeAttempt(db, body.challenge, now);
    if (!waiting?.userId) throw wrongCode();
    const meant = { userId: waiting.userId };
    const how = isRecoveryCode(body.code) ? "recovery code" : "code";
    const exchange = { request, reply, now };
    return recordRefusal(db, request, { meant, how }, () =>
      enterByCode(db, { ...body, keys }, { ...meant, how }, exchange),
    );
  });

  serveInSteps(app, startPasskeySignIn, ({ db, now }) =>
    startAuthentication(db, { origin, userId: null, now }),
  );

  serveInSteps(app, signInWithPasskey, async ({ db, body, now, request, reply }) => {
    const owner = await findPasskeyOwner(db, body.response.id);
    const meant = owner ? { userId: owner } : null;
    return recordRefusal(db, request, { meant, how: "passkey" }, async () => {
      const { userId, passkeyId } = await finishAuthentication(db, { origin, ...body, now }, null);
      const stillProven = (inside: Db) => isStillPasskey(inside, passkeyId);
      const proof = { how: "passkey", twoFactor: true, stillProven } as const;
      const me = await startSession(db, userId, { request, reply, now }, proof);
      if (!me) throw passkeyRefused();
      return { state: "signed in" as const, me };
    });
  });

  serve(app, getSession, ({ db, session, now }) => describeSession(db, session, now));

  serve(app, getSignedInUser, async ({ db, now, request: { session } }) => ({
    user: session && (await describeSession(db, session, now)),
  }));

  serve(app, signOut, async ({ db, session, reply }) => {
    await endSession(db, session.tokenHash);
    clearSessionCookie(reply);
  });

  serve(app, changeOwnName, async ({ db, session, body: { name }, now }) => {
    await updateOwnName(db, session.userId, name);
    return describeSession(db, { ...session, name }, now);
  });
};
