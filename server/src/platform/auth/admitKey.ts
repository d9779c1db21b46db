import { customerTokenHeader } from "@purser/contract/entitlements/customerTokens";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Db } from "../db/db.ts";
import { Problem } from "../http/problem.ts";
import { message } from "../messages.ts";
import type { CallingKey, Keys } from "./apiKeys.ts";
import { networkOf } from "./attempts.ts";
import { bearerOf } from "./bearer.ts";
import { allowListedOrigin } from "./crossOrigin.ts";
import { type CustomerTokens, tokenInvalid } from "./customerTokens.ts";
import type { KeyLimits } from "./keyLimits.ts";
import { assertOwnMode } from "./keyModes.ts";
import { hashToken } from "./secrets.ts";

export type KeySettings = {
  db: Db;
  isTest: boolean;
  keys: Keys;
  keyLimits: KeyLimits;
  customerTokens: CustomerTokens;
};

const keyInvalid = () =>
  new Problem(
    "unauthenticated",
    message("app_key_invalid", "Send a valid API key as a bearer token."),
  );

const readKey = async (request: FastifyRequest, { keys, keyLimits, isTest }: KeySettings) => {
  const secret = bearerOf(request);
  if (secret === null) throw keyInvalid();
  const hash = hashToken(secret);
  const caller = { hash: hash.toString("hex"), network: networkOf(request.ip) };
  keyLimits.assertMayTry(caller);
  const key = await keys.find(hash, request.now);
  if (!key) {
    keyLimits.countWrongKey(caller);
    assertOwnMode(secret, isTest);
    throw keyInvalid();
  }
  return { key, caller };
};

/** The customer of the token. A token ends early if the server key that requested it is revoked. */
const readCustomer = async (
  { headers, now }: FastifyRequest,
  appId: string,
  { keys, customerTokens }: KeySettings,
) => {
  const token = headers[customerTokenHeader];
  if (token === undefined) return null;
  const { key, user } = customerTokens.verify(String(token), appId, now);
  if (!(await keys.isValid({ id: key, appId, now }))) throw tokenInvalid();
  return user;
};

/** Admits the API key of a sold app, and the customer token that a publishable key comes with. */
export const admitKey = async (
  request: FastifyRequest,
  reply: FastifyReply,
  settings: KeySettings,
): Promise<CallingKey> => {
  const { key, caller } = await readKey(request, settings);
  const { keyLimits } = settings;
  if (key.kind === "server") {
    keyLimits.countKey(caller, key.kind);
    return { ...key, customer: null };
  }
  // First, so that the page can read every further refusal.
  allowListedOrigin(request, reply, key);
  keyLimits.countKey(caller, key.kind);
  if (!request.routeOptions.config.publishable)
    throw new Problem(
      "forbidden",
      message("server_key_required", "Use a server key for this, and only on your server."),
    );
  const customer = await readCustomer(request, key.appId, settings).catch((error: unknown) => {
    if (error instanceof Problem) keyLimits.countWrongToken(caller.network);
    throw error;
  });
  return { ...key, customer };
};
