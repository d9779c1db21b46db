import type { Role } from "@purser/contract/auth/permissions";
import type { Message } from "@purser/contract/messages/message";
import type { SettingsDetails } from "@purser/contract/workspace/settings";
import { type Db, first, run } from "#platform/db/db.ts";
import { type RowOf, statement } from "#platform/db/statement.ts";
import { message } from "#platform/messages.ts";
import { endSessionsOf } from "../sessions/sessions.ts";
import type { SsoIdentity } from "./identityProvider.ts";

/** The role of the first matching group, in the order of the settings. */
export const roleOf = (groups: readonly string[], mapping: SettingsDetails["signInGroups"]) =>
  mapping.find(({ group }) => groups.includes(group))?.role ?? null;

const columns = `u.id, u.role, u.status, i.subject, u.is_service as "isService"`;

const lockBySubjectSql = statement(
  "auth.lockBySubject",
  `select ${columns} from identities i join users u on u.id = i.user_id
   where i.issuer = $1 and i.subject = $2 for update of u`,
);

const lockByEmailSql = statement(
  "auth.lockByEmail",
  `select ${columns} from users u left join identities i on i.user_id = u.id and i.issuer = $1
   where u.email = $2 for update of u`,
);

/** `subject` is the user's identity at this issuer, or null if none is stored yet. */
type Known = RowOf<typeof lockByEmailSql>;

/** By the identity at the provider, or at the first sign-in by the verified address. */
const lockKnown = async (db: Db, { issuer, subject, email }: SsoIdentity) => {
  const bySubject = await first(db, lockBySubjectSql, [issuer, subject]);
  if (bySubject || email === null) return bySubject;
  return first(db, lockByEmailSql, [issuer, email]);
};

/** The last owner keeps the role, so that a group at the identity provider can not lock the workspace. */
const isLastOwner = async (db: Db, { id, role, status }: Known) => {
  if (role !== "owner" || status !== "active") return false;
  await run(db, "select pg_advisory_xact_lock(hashtext('owners'))", []);
  const others = await run(
    db,
    "select from users where role = 'owner' and status = 'active' and id <> $1 limit 1",
    [id],
  );
  return others.length === 0;
};

const insertUser = async (db: Db, { name }: SsoIdentity, email: string, role: Role) => {
  const { id } = await db
    .insertInto("users")
    .values({ email, name, role, status: "active" })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
};

const link = async (db: Db, userId: string, { issuer, subject }: SsoIdentity, now: Date) => {
  await db.insertInto("identities").values({ userId, issuer, subject, createdAt: now }).execute();
};

const groupMissing = () =>
  message("sso_group_missing", "None of your groups has access to Purser. Contact an owner.");

const refusalOf = (known: Known | undefined, identity: SsoIdentity) => {
  if (!known && identity.email === null)
    return message(
      "sso_email_unverified",
      "Your email address isn't verified at the identity provider. Ask its administrator to verify it.",
    );
  if (known?.status === "suspended" || known?.status === "erased" || known?.isService)
    return message("sso_suspended", "Your account is suspended. Contact an owner.");
  if (known?.subject && known.subject !== identity.subject)
    return message(
      "sso_email_taken",
      "Your email address is linked to a different SSO account. Contact an owner.",
    );
  return null;
};

type Resolved = { userId: string; refusal: null } | { userId: string | null; refusal: Message };

/**
 * Finds or creates the user of an identity, and updates the role. It returns a refusal instead of throwing it,
 * because the sessions that it ended must stay ended.
 */
export const resolveSsoUser = async (
  db: Db,
  identity: SsoIdentity,
  { role, now }: { role: Role | null; now: Date },
): Promise<Resolved> => {
  const known = await lockKnown(db, identity);
  const refusal = refusalOf(known, identity);
  if (refusal || !role) {
    // Only for the stored identity: a matching address alone must not end the sessions of a user.
    if (known && known.subject === identity.subject && !role) await endSessionsOf(db, known.id);
    return { userId: known?.id ?? null, refusal: refusal ?? groupMissing() };
  }
  if (!known) {
    const userId = await insertUser(db, identity, identity.email ?? "", role);
    await link(db, userId, identity, now);
    return { userId, refusal: null };
  }
  if (!known.subject) await link(db, known.id, identity, now);
  const given = known.role !== role && !(await isLastOwner(db, known)) ? role : known.role;
  if (given !== known.role || known.status !== "active")
    await db
      .updateTable("users")
      .set({ role: given, status: "active" })
      .where("id", "=", known.id)
      .execute();
  return { userId: known.id, refusal: null };
};

export const isStillLinked = async (db: Db, userId: string, { issuer, subject }: SsoIdentity) =>
  (
    await run(db, "select from identities where user_id = $1 and issuer = $2 and subject = $3", [
      userId,
      issuer,
      subject,
    ])
  ).length > 0;
