import { getSignInMethods, signInWithSso, startSso } from "@purser/contract/auth/sso";
import type { Message } from "@purser/contract/messages/message";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Db } from "#platform/db/db.ts";
import { Problem } from "#platform/http/problem.ts";
import { serve, serveInSteps } from "#platform/http/serve.ts";
import { message } from "#platform/messages.ts";
import { findSettings } from "#platform/settings.ts";
import { openSealed, type SecretKeys, seal } from "../secrets.ts";
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
const bindingCookie = "__Host-purser-sso";
const cookieOptions = { path: "/", secure: true, httpOnly: true, sameSite: "lax" } as const;
const cookieSeconds = 600;

const sealedFor = { purpose: "sso", id: "expectation" };

const actor = { kind: "system", id: null, name: "single sign-on" } as const;

const refused = (detail: Message) => new Problem("sso_refused", detail);

const notAnswered = (name: string) =>
  refused(
    message(
      "sso_not_finished",
      "Sign-in with {provider} wasn't completed or has expired. Start again.",
      { provider: name },
    ),
  );

type Entering = { request: FastifyRequest; reply: FastifyReply; now: Date };

/** What the reply to this browser must match. It is deleted, so that it works only once. */
const takeExpectation = async (db: Db, keys: SecretKeys, { request, reply, now }: Entering) => {
  const token = request.cookies[bindingCookie];
  reply.clearCookie(bindingCookie, cookieOptions);
  const taken = token ? await takeChallenge(db, token, "sso", now) : undefined;
  return taken?.sealed
    ? expectation.parse(JSON.parse(openSealed(keys, taken.sealed, sealedFor)))
    : null;
};

/** The session, or the second step for users with an authenticator if the provider did not vouch for one. */
const enter = async (db: Db, userId: string, identity: SsoIdentity, exchange: Entering) => {
  const { twoFactor, signedInMsAgo } = identity;
  if (!twoFactor && (await hasAuthenticator(db, userId))) {
    const challenge = await startChallenge(db, { purpose: "code", userId, now: exchange.now });
    return { state: "second factor" as const, ...challenge };
  }
  if (!twoFactor) await assertPasswordIsEnough(db, userId, exchange.now);
  const stillProven = (inside: Db) => isStillLinked(inside, userId, identity);
  const authenticatedAt = new Date(exchange.now.getTime() - (signedInMsAgo ?? 0));
  const proof = { how: "sso", twoFactor, authenticatedAt, stillProven } as const;
  const me = await startSession(db, userId, exchange, proof);
  if (!me)
    throw refused(
      message("sso_account_changed", "Your account was changed during sign-in. Sign in again."),
    );
  return { state: "signed in" as const, me };
};

const finishRoute = (app: FastifyInstance, provider: IdentityProvider | null) => {
  const { SECRET_KEYS: keys } = app.platform.config;
  serveInSteps(
    app,
    signInWithSso,
    async ({ db, body: { answer }, now, request, reply, change }) => {
      if (!provider) throw noProvider();
      const exchange = { request, reply, now };
      const expected = await takeExpectation(db, keys, exchange);
      const identity = expected && (await provider.finish(answer, expected));
      if (!identity) {
        const outcome = "wrong credentials";
        await recordSignIn(db, request, { meant: null, how: "sso", outcome });
        throw notAnswered(provider.name);
      }
      const { signInGroups } = await findSettings(db);
      const role = roleOf(identity.groups, signInGroups);
      const resolved = await change(
        (inside) => resolveSsoUser(inside, identity, { role, now }),
        actor,
      );
      const { userId } = resolved;
      const meant = userId ? { userId } : identity.email ? { email: identity.email } : null;
      const entered = await recordRefusal(db, request, { meant, how: "sso" }, () => {
        if (resolved.refusal) throw refused(resolved.refusal);
        return enter(db, resolved.userId, identity, exchange);
      });
      return { entered, redirect: expected.redirect };
    },
  );
};

const noProvider = () =>
  new Problem(
    "wrong_state",
    message("sso_off", "Single sign-on isn't set up. Sign in another way."),
  );

/** Single sign-on, and which ways to sign in are available. */
export const ssoRoutes = (app: FastifyInstance) => {
  const { config } = app.platform;
  const provider = openIdentityProvider(config);

  serve(app, getSignInMethods, async ({ db }) => ({
    passwords: (await findSettings(db)).passwordsAllowed,
    sso: provider?.name ?? null,
  }));

  serveInSteps(app, startSso, async ({ db, body, now, reply }) => {
    if (!provider) throw noProvider();
    const { address, expected } = await provider.start(body.redirect ?? null);
    const sealed = seal(config.SECRET_KEYS, JSON.stringify(expected), sealedFor);
    const purpose = "sso";
    const { challenge } = await startChallenge(db, { purpose, userId: null, sealed, now });
    reply.setCookie(bindingCookie, challenge, { ...cookieOptions, maxAge: cookieSeconds });
    return { address };
  });

  finishRoute(app, provider);
};
