import { type Db, first } from "../db/db.ts";
import { type RowOf, statement } from "../db/statement.ts";
import { Problem } from "../http/problem.ts";
import { message } from "../messages.ts";
import { noteUse } from "./keyUse.ts";
import { hashToken, newToken } from "./secrets.ts";

/** The prefix shows the kind, so that a server key in a web page is noticed at a glance. */
export const newKeySecret = (kind: CallingKey["kind"]) => {
  const secret = `purser_${kind === "server" ? "sk" : "pk"}_${newToken()}`;
  return { secret, prefix: secret.slice(0, 14), secretHash: hashToken(secret) };
};

const lookUp = statement(
  "auth.findKey",
  `
  select id, kind, scopes, origins, expires_at as "expiresAt", last_used_at as "lastUsedAt", app_id as "appId"
  from app_keys
  where secret_hash = $1 and revoked_at is null and (expires_at is null or expires_at > $2)`,
);

/** The API key of the sold app that calls, and with a publishable key the customer of its token. */
export type CallingKey = RowOf<typeof lookUp> & { customer: string | null };

export const assertScope = ({ scopes }: CallingKey, scope: CallingKey["scopes"][number]) => {
  if (!scopes.includes(scope))
    throw new Problem(
      "forbidden",
      message(
        "key_scope_missing",
        "This API key doesn't have the {scope} scope. Use a key that has it.",
        { scope },
      ),
    );
};

/** Not cached, so that a revoked key is refused from the next request on. */
export const findKey = async (db: Db, secretHash: Buffer, now: Date) => {
  const key = await first(db, lookUp, [secretHash, now]);
  if (key) noteUse(db, "appKeys", key, now);
  return key;
};

const validKey = statement(
  "auth.findValidKey",
  `
  select from app_keys
  where id = $1 and app_id = $2 and revoked_at is null and (expires_at is null or expires_at > $3)`,
);

export const isKeyValid = async (db: Db, key: { id: string; appId: string; now: Date }) =>
  (await first(db, validKey, [key.id, key.appId, key.now])) !== undefined;
