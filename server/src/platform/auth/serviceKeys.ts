import type { Permission } from "@purser/contract/auth/permissions";
import { type Db, first } from "../db/db.ts";
import { statement } from "../db/statement.ts";
import { testMark } from "./keyModes.ts";
import { noteUse } from "./keyUse.ts";
import { newSecret } from "./secrets.ts";
import type { Session } from "./sessions/sessions.ts";

/** Tells these keys apart from those of sold apps, also for tools that look for secrets in source code. */
const servicePrefix = "purser_sa_";

export const isServiceKey = (secret: string) => secret.startsWith(servicePrefix);

export const newServiceSecret = (isTest = false) =>
  newSecret(`${servicePrefix}${isTest ? testMark : ""}`);

const lookUp = statement(
  "auth.findServiceKey",
  `
  select k.id, k.expires_at as "expiresAt", k.last_used_at as "lastUsedAt", k.created_at as "createdAt",
    u.id as "userId", u.name, u.email, u.role, a.permissions
  from service_keys k join service_accounts a on a.id = k.account_id join users u on u.id = a.id
  where k.secret_hash = $1 and k.revoked_at is null and k.expires_at > $2
    and u.is_service and u.status = 'active' and u.role <> 'owner'`,
)
  .present<"role">()
  .narrow<{ permissions: Permission[] | null }>();

/** Not cached, so that a revoked key, a suspension or fewer permissions apply from the next request on. */
export const findServiceSession = async (
  db: Db,
  tokenHash: Buffer,
  now: Date,
): Promise<Session | null> => {
  const found = await first(db, lookUp, [tokenHash, now]);
  if (!found) return null;
  noteUse(db, "serviceKeys", found, now);
  const { id, expiresAt, lastUsedAt: _, ...account } = found;
  return {
    ...account,
    tokenHash,
    key: { id, expiresAt },
    lastSeenAt: now,
    // It has no identity that a person could confirm, so it never passes what requires a proof.
    provenAt: null,
    twoFactor: false,
    hasPasskey: false,
    passkeyRequiredFrom: null,
    twoFactorDueAt: null,
  };
};
