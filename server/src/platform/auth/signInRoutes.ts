import {
  getSession,
  listSessions,
  signIn,
  signInWithCode,
  signInWithPasskey,
  signOut,
  signOutEverywhere,
  startPasskeySignIn,
} from "@purser/contract/session";
import type { FastifyInstance } from "fastify";
import type { Db } from "../db/db.ts";
import { Problem } from "../http/problem.ts";
import { serve, serveInSteps } from "../http/serve.ts";
import { endChallenge, startChallenge, tryChallenge } from "./challenges.ts";
import { checkCredentials, isStillPassword, wrongCredentials } from "./credentials.ts";
import { finishSigningIn, isStillPasskey, passkeyRefused, startSigningIn } from "./passkeys.ts";
import {
  clearSessionCookie,
  describeSession,
  endSession,
  endSessionsOf,
  startSession,
} from "./sessions.ts";
import { useRecoveryCode, useTotpCode } from "./totp.ts";
import { countTry, forgive, limits } from "./tries.ts";

const wrongCode = () =>
  new Problem(
    "wrong_code",
    "The code is wrong or was already used. Wait for the next one, or sign in again.",
  );

/** Every way in. A test compares this list with the routes that set the session's cookie. */
export const signInRoutes = (app: FastifyInstance) => {
  const { PUBLIC_URL: origin, SECRET_KEY: secretKey } = app.platform.config;

  serveInSteps(app, signIn, async ({ db, body, now, request, reply }) => {
    const { id, hash, secondFactor } = await checkCredentials(db, request, body);
    const stillProven = (inside: Db) => isStillPassword(inside, id, hash);
    if (secondFactor) {
      const challenge = await startChallenge(db, {
        purpose: "code",
        userId: id,
        webauthn: null,
        now,
      });
      // Asked after it is stored: a new password that comes later finds the challenge and ends it.
      if (!(await stillProven(db))) throw wrongCredentials();
      return { state: "second factor" as const, ...challenge };
    }
    const me = await startSession(db, id, { request, reply, now }, stillProven);
    if (!me) throw wrongCredentials();
    return { state: "signed in" as const, me };
  });

  serveInSteps(app, signInWithCode, async ({ db, body, now, request, reply }) => {
    const waiting = await tryChallenge(db, body.challenge, now);
    if (!waiting?.userId) throw wrongCode();
    const { userId } = waiting;
    const subject = `code:${userId}`;
    await countTry(db, subject, limits.code, now);
    const { code } = body;
    const right = code.includes("-")
      ? await useRecoveryCode(db, { userId, code, now })
      : await useTotpCode(db, { userId, code, secretKey, now });
    if (!right) throw wrongCode();
    await forgive(db, subject);
    const me = await startSession(db, userId, { request, reply, now }, (inside) =>
      endChallenge(inside, body.challenge),
    );
    if (!me) throw wrongCode();
    return { state: "signed in" as const, me };
  });

  serveInSteps(app, startPasskeySignIn, ({ db, now }) => startSigningIn(db, origin, now));

  serveInSteps(app, signInWithPasskey, async ({ db, body, now, request, reply }) => {
    const { userId, passkeyId } = await finishSigningIn(db, { origin, ...body, now });
    const me = await startSession(db, userId, { request, reply, now }, (inside) =>
      isStillPasskey(inside, passkeyId),
    );
    if (!me) throw passkeyRefused();
    return { state: "signed in" as const, me };
  });

  serve(app, getSession, ({ db, session }) => describeSession(db, session));

  serve(app, signOut, async ({ db, session, reply }) => {
    await endSession(db, session.tokenHash);
    clearSessionCookie(reply);
  });

  serve(app, listSessions, async ({ db, session }) => {
    const rows = await db
      .selectFrom("sessions")
      .select(["tokenHash", "createdAt", "lastSeenAt", "address", "device"])
      .where("userId", "=", session.userId)
      .orderBy("lastSeenAt", "desc")
      .execute();
    return {
      items: rows.map(({ tokenHash, ...row }) => ({
        ...row,
        current: tokenHash.equals(session.tokenHash),
      })),
    };
  });

  serve(app, signOutEverywhere, async ({ db, session, reply }) => {
    await endSessionsOf(db, session.userId);
    clearSessionCookie(reply);
  });
};
