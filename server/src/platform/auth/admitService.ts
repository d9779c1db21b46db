import type { FastifyRequest } from "fastify";
import { Problem } from "../http/problem.ts";
import { message } from "../messages.ts";
import type { Turns } from "../turns.ts";
import type { KeySettings } from "./admitKey.ts";
import { networkOf } from "./attempts.ts";
import { assertOwnMode } from "./keyModes.ts";
import { hashToken } from "./secrets.ts";
import { findServiceSession } from "./serviceKeys.ts";
import type { Session } from "./sessions/sessions.ts";

type Settings = Pick<KeySettings, "db" | "keyLimits" | "isTest"> & { turns: Turns };

/** Browsers add these headers and don't let a page remove them. */
const isFromBrowser = ({ headers }: FastifyRequest) =>
  headers.origin !== undefined || headers["sec-fetch-site"] !== undefined;

export const teamMemberRequired = () =>
  new Problem(
    "forbidden",
    message(
      "service_account_refused",
      "Service accounts can't do this. A team member has to do it in the dashboard.",
    ),
  );

const lookUp = async (tokenHash: Buffer, now: Date, { db, turns }: Settings) => {
  const leave = await turns.enter(tokenHash.toString("hex"));
  try {
    return await findServiceSession(db, tokenHash, now);
  } finally {
    leave();
  }
};

/**
 * Admits the key of a service account as a session without a cookie. There is no cross-site check, because a browser
 * never adds a key by itself.
 */
export const admitService = async (
  request: FastifyRequest,
  secret: string,
  settings: Settings,
): Promise<Session> => {
  const { keyLimits, isTest } = settings;
  if (isFromBrowser(request))
    throw new Problem(
      "forbidden",
      message(
        "service_key_in_browser",
        "Keys of service accounts only work on servers. If a web page has this key, revoke it.",
      ),
    );
  const tokenHash = hashToken(secret);
  const caller = { hash: tokenHash.toString("hex"), network: networkOf(request.ip) };
  keyLimits.assertMayTry(caller);
  const session = await lookUp(tokenHash, request.now, settings);
  if (!session) {
    keyLimits.countWrongKey(caller);
    assertOwnMode(secret, isTest);
    throw new Problem(
      "unauthenticated",
      message(
        "service_key_invalid",
        "This key isn't valid. It may have expired, or was revoked, or its service account is suspended.",
      ),
    );
  }
  keyLimits.countKey(caller, "service");
  if (!request.routeOptions.config.serviceAccounts) throw teamMemberRequired();
  return session;
};
