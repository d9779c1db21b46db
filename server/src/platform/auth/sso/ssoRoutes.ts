import { getWaysIn, signInWithCompany, startCompanySignIn } from "@purser/contract/auth/sso";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Db } from "#platform/db/db.ts";
import { Problem } from "#platform/http/problem.ts";
import { serve, serveInSteps } from "#platform/http/serve.ts";
import { findSettings } from "#platform/settings.ts";
import { openSealed, seal } from "../secrets.ts";
import { startSession } from "../sessions/sessions.ts";
import { recordRefusal, recordSignIn } from "../sessions/signInLog.ts";
import { startChallenge, takeChallenge } from "../signIn/challenges.ts";
import { assertPasswordIsEnough, hasAuthenticator } from "../twoFactor/requirement.ts";
import {
  expectation,
  type IdentityProvider,
  openIdentityProvider,
  type SsoIdentity,
} from "./identityProvider.ts";
import { isStillLinked, resolveSsoUser, roleOf } from "./ssoUsers.ts";

// Lax, so that it is also sent when the provider redirects the browser back.
const bindingCookie = "__Host-purser-company";
const cookieOptions = { path: "/", secure: true, httpOnly: true, sameSite: "lax" } as const;
const cookieSeconds = 600;

const actor = { kind: "system", id: null, name: "company sign-in" } as const;

const refused = (detail: string) => new Problem("company_refused", detail);

const notAnswered = (name: string) =>
  refused(`The sign-in with ${name} was used, took too long or was not finished. Start again.`);

type Entering = { request: FastifyRequest; reply: FastifyReply; now: Date };

/** What the reply to this browser must match. It is deleted, so that it works only once. */
const takeExpectation = async (db: Db, secretKey: string, { request, reply, now }: Entering) => {
  const token = request.cookies[bindingCookie];
  reply.clearCookie(bindingCookie, cookieOptions);
  const taken = token ? await takeChallenge(db, token, "company sign-in", now) : undefined;
  return taken?.sealed ? expectation.parse(JSON.parse(openSealed(secretKey, taken.sealed))) : null;
};

/** The session, or the second step for users with an authenticator if the provider did not vouch for one. */
const enter = async (db: Db, userId: string, identity: SsoIdentity, exchange: Entering) => {
  const { secondFactor } = identity;
  if (!secondFactor && (await hasAuthenticator(db, userId))) {
    const challenge = await startChallenge(db, { purpose: "code", userId, now: exchange.now });
    return { state: "second factor" as const, ...challenge };
  }
  if (!secondFactor) await assertPasswordIsEnough(db, userId);
  const stillProven = (inside: Db) => isStillLinked(inside, userId, identity);
  const proof = { how: "company", secondFactor, stillProven } as const;
  const me = await startSession(db, userId, exchange, proof);
  if (!me) throw refused("Your account here changed at this moment. Sign in again.");
  return { state: "signed in" as const, me };
};

const finishRoute = (app: FastifyInstance, provider: IdentityProvider | null) => {
  const { SECRET_KEY: secretKey } = app.platform.config;
  serveInSteps(
    app,
    signInWithCompany,
    async ({ db, body: { answer }, now, request, reply, change }) => {
      if (!provider) throw noProvider();
      const exchange = { request, reply, now };
      const expected = await takeExpectation(db, secretKey, exchange);
      const identity = expected && (await provider.finish(answer, expected));
      if (!identity) {
        const outcome = "wrong credentials";
        await recordSignIn(db, request, { meant: null, how: "company", outcome });
        throw notAnswered(provider.name);
      }
      const { signInGroups } = await findSettings(db);
      const role = roleOf(identity.groups, signInGroups);
      const resolved = await change(
        (inside) => resolveSsoUser(inside, identity, { role, now }),
        actor,
      );
      const { userId, refusal } = resolved;
      const meant = userId ? { userId } : identity.email ? { email: identity.email } : null;
      const entered = await recordRefusal(db, request, { meant, how: "company" }, () => {
        if (refusal !== null || !userId) throw refused(refusal ?? "");
        return enter(db, userId, identity, exchange);
      });
      return { entered, redirect: expected.redirect };
    },
  );
};

const noProvider = () =>
  new Problem("wrong_state", "This office has no company sign-in. Use another way.");

/** Single sign-on, and which ways to sign in are available. */
export const ssoRoutes = (app: FastifyInstance) => {
  const { config } = app.platform;
  const provider = openIdentityProvider(config);

  serve(app, getWaysIn, async ({ db }) => ({
    passwords: (await findSettings(db)).passwordsAllowed,
    company: provider?.name ?? null,
  }));

  serveInSteps(app, startCompanySignIn, async ({ db, body, now, reply }) => {
    if (!provider) throw noProvider();
    const { address, expected } = await provider.start(body.redirect ?? null);
    const sealed = seal(config.SECRET_KEY, JSON.stringify(expected));
    const purpose = "company sign-in";
    const { challenge } = await startChallenge(db, { purpose, userId: null, sealed, now });
    reply.setCookie(bindingCookie, challenge, { ...cookieOptions, maxAge: cookieSeconds });
    return { address };
  });

  finishRoute(app, provider);
};
