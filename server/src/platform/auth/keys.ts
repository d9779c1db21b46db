import type { keyKinds, keyScopes } from "@purser/contract/apps";
import { type Db, run } from "../db/db.ts";
import { hashToken, newToken } from "./secrets.ts";

/** A sold app that calls us, and the key it calls with. */
export type CallingKey = {
  id: string;
  kind: (typeof keyKinds)[number];
  scopes: (typeof keyScopes)[number][];
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  appId: string;
};

/** The kind is readable in the secret, so that a server key in a web page is noticed at a glance. */
export const newKeySecret = (kind: CallingKey["kind"]) => {
  const secret = `purser_${kind === "server" ? "sk" : "pk"}_${newToken()}`;
  return { secret, prefix: secret.slice(0, 14), secretHash: hashToken(secret) };
};

const lookUp = `
  select id, kind, scopes, expires_at as "expiresAt", last_used_at as "lastUsedAt", app_id as "appId"
  from app_keys
  where secret_hash = $1 and revoked_at is null and (expires_at is null or expires_at > $2)`;

export const findKey = async (db: Db, secret: string, now: Date): Promise<CallingKey | null> => {
  const [key] = await run<CallingKey>(db, lookUp, [hashToken(secret), now]);
  if (!key) return null;
  // Once a minute is enough to see that a key lives, and costs a busy key nothing.
  if (!key.lastUsedAt || now.getTime() - key.lastUsedAt.getTime() > 60_000)
    await db.updateTable("appKeys").set({ lastUsedAt: now }).where("id", "=", key.id).execute();
  return key;
};
