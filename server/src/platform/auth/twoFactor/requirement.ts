import type { Me } from "@purser/contract/auth/session";
import { type Db, first, run } from "#platform/db/db.ts";
import { type RowOf, statement } from "#platform/db/statement.ts";
import { Problem } from "#platform/http/problem.ts";
import { message } from "#platform/messages.ts";

/** Whether the grace period is over. Then only the endpoints that set up two-factor authentication answer. */
export const isTwoFactorOverdue = (
  { twoFactorDueAt }: { twoFactorDueAt: Date | null },
  now: Date,
) => twoFactorDueAt !== null && twoFactorDueAt <= now;

/** Starts the grace period of a user whom the requirement applies to. */
export const startGracePeriod = async (db: Db, userId: string, now: Date) => {
  await run(
    db,
    "insert into second_factor_duties (user_id, met_at) values ($1, $2) on conflict do nothing",
    [userId, now],
  );
};

/** Users whom the requirement no longer applies to get a new grace period if it applies again. */
export const deleteFulfilledRequirements = async (db: Db) => {
  await run(
    db,
    `delete from second_factor_duties d using users u, settings o
     where u.id = d.user_id and (
       not coalesce(u.role = any (o.second_factor_roles), false)
       or exists (select from authenticators a where a.id = u.id and a.confirmed_at is not null)
       or exists (select from passkeys p where p.user_id = u.id))`,
    [],
  );
};

const findFactorsSql = statement(
  "auth.findFactors",
  `select coalesce(u.role = any (o.second_factor_roles), false) as "isRequired",
     (select count(*)::integer from authenticators a where a.id = u.id and a.confirmed_at is not null)
       as authenticators,
     (select count(*)::integer from passkeys p where p.user_id = u.id) as passkeys,
     o.passkeys_required_from as "passkeysRequiredFrom"
   from users u, settings o where u.id = $1`,
).narrow<{ isRequired: boolean; authenticators: number; passkeys: number }>();

type Factors = RowOf<typeof findFactorsSql>;

const findFactors = async (db: Db, userId: string): Promise<Factors> => {
  const found = await first(db, findFactorsSql, [userId]);
  return found ?? { isRequired: false, authenticators: 0, passkeys: 0, passkeysRequiredFrom: null };
};

export const hasAuthenticator = async (db: Db, userId: string) =>
  (await findFactors(db, userId)).authenticators > 0;

/**
 * A user with a passkey can't sign in without it. After an update from a version that allowed it, they can for some
 * days, unless their role requires two-factor authentication.
 */
export const assertPasswordIsEnough = async (db: Db, userId: string, now: Date) => {
  const { isRequired, passkeys, passkeysRequiredFrom } = await findFactors(db, userId);
  if (passkeys === 0) return;
  if (isRequired || passkeysRequiredFrom === null || passkeysRequiredFrom <= now)
    throw new Problem(
      "two_factor_required",
      message(
        "passkey_sign_in_required",
        "Two-factor authentication is on for your account. Sign in with your passkey.",
      ),
    );
};

/** Where two-factor authentication is required, the last factor can't be removed. */
export const assertNotLastFactor = async (db: Db, userId: string) => {
  const { isRequired, authenticators, passkeys } = await findFactors(db, userId);
  if (isRequired && authenticators + passkeys <= 1)
    throw new Problem(
      "two_factor_required",
      message(
        "last_factor",
        "Your role requires two-factor authentication. Add another method before you remove this one.",
      ),
    );
};

/** How the user proves their identity again: with a usable password, or otherwise with a recent sign-in. */
export const findProof = async (db: Db, userId: string): Promise<Me["proof"]> => {
  const [usable] = await run(
    db,
    `select from passwords p, settings o
     where p.id = $1 and (o.passwords_allowed or p.by_operator)`,
    [userId],
  );
  return usable ? "password" : "recent sign-in";
};
