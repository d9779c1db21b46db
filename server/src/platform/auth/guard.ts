import type { KeyScope } from "@purser/contract/auth/keyScopes";
import { type Access, allows, type Permission } from "@purser/contract/auth/permissions";
import type { Endpoint } from "@purser/contract/http/endpoint";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { message } from "#platform/messages.ts";
import type { Platform } from "#platform/platform.ts";
import { Problem } from "../http/problem.ts";
import type { Turns } from "../turns.ts";
import { admitKey, type KeySettings } from "./admitKey.ts";
import { admitService } from "./admitService.ts";
import { assertScope, type CallingKey } from "./apiKeys.ts";
import { bearerOf } from "./bearer.ts";
import { assertRecentProof } from "./confirmation/proof.ts";
import { varyByOrigin } from "./crossOrigin.ts";
import { isServiceKey } from "./serviceKeys.ts";
import { type Session, tokenOf } from "./sessions/sessions.ts";
import { isTwoFactorOverdue } from "./twoFactor/requirement.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    permission?: Access;
    /** Also answers publishable keys, and browsers of their origins. */
    publishable?: boolean;
    /** Also answers server keys of apps that have this scope. */
    keyScope?: KeyScope;
    /** Also answers users who must set up two-factor authentication first. */
    beforeTwoFactor?: boolean;
    /** Knows the user if there is one, and answers without a session too. */
    optionalSession?: boolean;
    /** Also answers service accounts that have the permission. */
    serviceAccounts?: boolean;
    proof?: Endpoint["proof"];
    /** The allowed methods, on a route that refuses all others. */
    allow?: string;
  }
  interface FastifyRequest {
    session: Session | null;
    callingKey: CallingKey | null;
    /** The body as received, if it is signed. */
    signed: Buffer | null;
    /** The time of the request, read once, so that one reply never has two times. */
    now: Date;
  }
}

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/** Whether a request changes nothing, by its method. */
export const isSafe = ({ method }: Pick<FastifyRequest, "method">) => safeMethods.has(method);

/** Browsers send the origin in two headers. Neither may name another site, and one must be present. */
const isSameSite = ({ headers }: FastifyRequest, origin: string) => {
  const { origin: named, "sec-fetch-site": site } = headers;
  if (named === undefined && site === undefined) return false;
  return (named ?? origin) === origin && (site ?? "same-origin") === "same-origin";
};

type Settings = KeySettings &
  Pick<Platform, "sessions" | "testMode" | "now"> & {
    /** Key lookups in progress, by key. */
    turns: Turns;
    origin: string;
  };

const assertTwoFactor = (session: Session, now: Date) => {
  if (isTwoFactorOverdue(session, now))
    throw new Problem(
      "two_factor_required",
      message(
        "two_factor_setup_required",
        "Your role requires two-factor authentication. Set it up in your profile.",
      ),
    );
};

const assertAllowed = (session: Session, permission: Permission | "signed in") => {
  if (permission === "signed in" || allows(session, permission)) return;
  throw new Problem(
    "forbidden",
    session.key
      ? message(
          "service_permission_missing",
          "This service account doesn't have the permission {permission}. Add it in the settings.",
          { permission },
        )
      : message("permission_missing", "Your role doesn't allow this. Ask an owner for access."),
  );
};

const admitUser = async (
  request: FastifyRequest,
  permission: Permission | "signed in" | "anyone",
  settings: Settings,
) => {
  const { origin } = settings;
  if (!isSafe(request) && !isSameSite(request, origin))
    throw new Problem(
      "cross_site",
      message("cross_site", "Purser is hosted at {origin}. Open it there and try again.", {
        origin,
      }),
    );
  const { beforeTwoFactor, optionalSession, proof } = request.routeOptions.config;
  if (permission === "anyone" && !optionalSession) return;

  const token = tokenOf(request);
  request.session = token ? await settings.sessions.find(token, request.now) : null;
  if (permission === "anyone") return;
  if (!request.session)
    throw new Problem("unauthenticated", message("signed_out", "Sign in and try again."));
  if (!beforeTwoFactor) assertTwoFactor(request.session, request.now);
  assertAllowed(request.session, permission);
  if (proof === "recent") assertRecentProof(request);
};

const admit = async (
  request: FastifyRequest,
  reply: FastifyReply,
  { permission, settings }: { permission: Exclude<Access, "app key">; settings: Settings },
) => {
  // Authenticated by the signature of the body, which the handler checks.
  if (permission === "provider") return;
  const secret = bearerOf(request);
  const { keyScope } = request.routeOptions.config;
  if (keyScope && secret !== null && !isServiceKey(secret)) {
    const key = await admitKey(request, reply, settings);
    assertScope(key, keyScope);
    request.callingKey = key;
    return;
  }
  // Signing in is for people, so a key changes nothing about it.
  if (permission === "anyone" || secret === null || !isServiceKey(secret))
    return admitUser(request, permission, settings);
  request.session = await admitService(request, secret, settings);
  assertAllowed(request.session, permission);
};

/** Runs before every route. A route without a permission can not be registered. */
export const guard = (app: FastifyInstance, settings: Settings) => {
  app.decorateRequest("session", null);
  app.decorateRequest("callingKey", null);
  app.decorateRequest("signed", null);
  app.decorateRequest("now");
  app.addHook("onRoute", ({ config, method, url }) => {
    if (!config?.permission) throw new Error(`${String(method)} ${url} has no permission.`);
  });
  app.addHook("onRequest", async (request, reply) => {
    if (settings.testMode) await settings.testMode.admit(request);
    request.now = settings.now();
    const { permission, publishable, allow } = request.routeOptions.config;
    if (allow) {
      reply.header("allow", allow);
      throw new Problem(
        "method_not_allowed",
        message("method_not_allowed", "This URL only supports {methods}.", { methods: allow }),
      );
    }
    if (publishable) varyByOrigin(reply);
    if (permission === "app key") request.callingKey = await admitKey(request, reply, settings);
    else if (permission) await admit(request, reply, { permission, settings });
  });
};
