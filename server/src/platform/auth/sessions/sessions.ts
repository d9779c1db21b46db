import type {} from "@fastify/cookie";
import type { SignInMethod } from "@purser/contract/auth/activeSessions";
import { type Holder, permissionsOf } from "@purser/contract/auth/permissions";
import type { Me } from "@purser/contract/auth/session";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Db, first } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import { currentPosition } from "#platform/events/recentChanges.ts";
import { findPreferences } from "../preferences/preferences.ts";
import { hashToken, newToken } from "../secrets.ts";
import { findProof, isTwoFactorOverdue, startGracePeriod } from "../twoFactor/requirement.ts";
import { deviceTokenOf, isKnownDevice, rememberDevice } from "./knownDevices.ts";
import { recordSignIn, userAgentOf } from "./signInLog.ts";
import { describeUserAgent } from "./userAgent.ts";

/** Who makes a request: a team member who signed in, or a service account with one of its keys. */
export type Session = Holder & {
  tokenHash: Buffer;
  userId: string;
  name: string;
  email: string;
  /** The key of a service account. Null for team members. */
  key: { id: string; expiresAt: Date } | null;
  createdAt: Date;
  lastSeenAt: Date;
  /** When the user last confirmed their identity in this session; see `confirmation/`. */
  provenAt: Date | null;
  twoFactor: boolean;
  hasPasskey: boolean;
  /** The end of the time in which a user with a passkey can still use the password alone; see `requirement.ts`. */
  passkeyRequiredFrom: Date | null;
  /** When the grace period ends; null if two-factor authentication is not required or already set up. */
  twoFactorDueAt: Date | null;
};

// The prefix makes the browser refuse the cookie without Secure, with a domain or another path.
const cookieName = "__Host-purser";
const cookieOptions = { path: "/", secure: true, httpOnly: true, sameSite: "strict" } as const;

const idleMinutes = 30;
export const absoluteHours = 12;

export const tokenOf = (request: FastifyRequest) => request.cookies[cookieName];

const lookUp = statement(
  "auth.findSession",
  `
  select s.user_id as "userId", u.name, u.email, u.role, s.created_at as "createdAt",
    s.last_seen_at as "lastSeenAt", has.authenticator as "twoFactor", has.passkey as "hasPasskey",
    -- Users who have neither a factor nor a password sign in again, with single sign-on.
    case when has.authenticator or has.passkey or has.password then s.proven_at
      else greatest(s.proven_at, coalesce(s.authenticated_at, s.created_at)) end as "provenAt",
    d.met_at is null as "isUnmet",
    case when has.passkey and not has.authenticator and not u.role = any (o.second_factor_roles)
      and o.passkeys_required_from > $4::timestamptz then o.passkeys_required_from end as "passkeyRequiredFrom",
    case when u.role = any (o.second_factor_roles)
      and not (s.second_factor or has.authenticator or has.passkey)
      then coalesce(d.met_at, $4::timestamptz) + make_interval(days => o.second_factor_grace_days)
    end as "twoFactorDueAt"
  from sessions s join users u on u.id = s.user_id
  cross join settings o
  left join second_factor_duties d on d.user_id = u.id
  cross join lateral (
    select
      exists (select from authenticators a where a.id = u.id and a.confirmed_at is not null) as authenticator,
      exists (select from passkeys p where p.user_id = u.id) as passkey,
      exists (select from passwords w where w.id = u.id and (o.passwords_allowed or w.by_operator)) as password
  ) has
  where s.token_hash = $1 and u.status = 'active' and u.role is not null and not u.is_service
    and s.last_seen_at > $2 and s.created_at > $3`,
)
  .present<"role">()
  .narrow<{ twoFactor: boolean; hasPasskey: boolean; isUnmet: boolean }>();

/** A session that was last seen, or created, before these times has ended. */
const limitsAt = (now: Date) => [
  new Date(now.getTime() - idleMinutes * 60_000),
  new Date(now.getTime() - absoluteHours * 3_600_000),
];

/** Read from the database on every request and never cached, so that a changed role or a suspension applies at once. */
export const findSession = async (db: Db, token: string, now: Date): Promise<Session | null> => {
  const tokenHash = hashToken(token);
  const found = await first(db, lookUp, [tokenHash, ...limitsAt(now), now]);
  if (!found) return null;
  const { isUnmet, ...session } = found;
  if (session.twoFactorDueAt && isUnmet) await startGracePeriod(db, session.userId, now);
  return { ...session, tokenHash, permissions: null, key: null };
};

/** Extends the idle time of the session. Once a minute is exact enough. */
export const keepAlive = async (db: Db, { tokenHash, lastSeenAt }: Session, now: Date) => {
  if (now.getTime() - lastSeenAt.getTime() < 60_000) return;
  await db
    .updateTable("sessions")
    .set({ lastSeenAt: now })
    .where("tokenHash", "=", tokenHash)
    .execute();
};

/** Requests that were sent before the browser had the new token are still answered. */
const overlapMs = 10_000;

const oldestAt = (now: Date) => new Date(now.getTime() - absoluteHours * 3_600_000 + overlapMs);

/** Gives the session a new token. False if another request did so. */
export const replaceToken = async (
  db: Db,
  { tokenHash }: Session,
  { reply, now, provenAt }: { reply: FastifyReply; now: Date; provenAt?: Date },
) => {
  const token = newToken();
  const replaced = await db
    .updateTable("sessions")
    .set({ tokenHash: hashToken(token), ...(provenAt && { provenAt }) })
    .where("tokenHash", "=", tokenHash)
    .where("createdAt", ">", oldestAt(now))
    .returning(["userId", "lastSeenAt", "address", "device", "secondFactor"])
    .executeTakeFirst();
  if (replaced) reply.setCookie(cookieName, token, cookieOptions);
  return replaced;
};

/**
 * The user of the session confirmed their identity. The session gets a new token, and the old one, which may be
 * stolen, ends within seconds and isn't proven.
 */
export const markProven = async (
  pool: Db,
  session: Session,
  { reply, now }: { reply: FastifyReply; now: Date },
) => {
  const createdAt = oldestAt(now);
  // The old token of another confirmation, whose new one the browser has.
  if (session.createdAt <= createdAt) return;
  await pool.transaction().execute(async (db) => {
    const replaced = await replaceToken(db, session, { reply, now, provenAt: now });
    if (!replaced) return;
    const { tokenHash } = session;
    await db
      .insertInto("sessions")
      .values({ ...replaced, tokenHash, createdAt, authenticatedAt: createdAt })
      .execute();
  });
};

export const describeSession = async (db: Db, session: Session, now: Date): Promise<Me> => ({
  // First, so that changes while the rest is read are announced.
  position: currentPosition(),
  id: session.userId,
  name: session.name,
  email: session.email,
  role: session.role,
  permissions: permissionsOf(session),
  twoFactor: session.twoFactor,
  hasPasskey: session.hasPasskey,
  passkeyRequiredFrom: session.passkeyRequiredFrom,
  twoFactorRequirement: session.twoFactorDueAt && {
    dueAt: session.twoFactorDueAt,
    isDue: isTwoFactorOverdue(session, now),
  },
  proof: await findProof(db, session.userId),
  preferences: await findPreferences(db, session.userId),
  endsAt:
    session.key?.expiresAt ?? new Date(session.createdAt.getTime() + absoluteHours * 3_600_000),
});

type Exchange = { request: FastifyRequest; reply: FastifyReply; now: Date };

type Proof = {
  how: SignInMethod;
  /** Whether the proof was more than a password, or the identity provider vouched for more. */
  twoFactor: boolean;
  /** When the user signed in at the identity provider, which may be before now. */
  authenticatedAt?: Date;
  /** Checked again while the row of the user is locked. */
  stillProven: (db: Db) => Promise<boolean>;
};

/**
 * Signs in with a new token, and ends the session that the browser presented. The user's row is locked and
 * `stillProven` checked again: a suspension or a new password at the same time either ends this session or
 * prevents it, and then this returns null.
 */
export const startSession = async (
  pool: Db,
  userId: string,
  { request, reply, now }: Exchange,
  { how, twoFactor, authenticatedAt = now, stillProven }: Proof,
) => {
  const token = newToken();
  const tokenHash = hashToken(token);
  const presented = tokenOf(request);
  const started = await pool.transaction().execute(async (db) => {
    const person = await db
      .selectFrom("users")
      .select("id")
      .where("id", "=", userId)
      .where("status", "=", "active")
      .where("role", "is not", null)
      .where("isService", "=", false)
      .forShare()
      .executeTakeFirst();
    if (!person || !(await stillProven(db))) return false;
    if (presented) await endSession(db, hashToken(presented));
    const seen = {
      createdAt: now,
      lastSeenAt: now,
      address: request.ip,
      device: userAgentOf(request),
    };
    // A password alone proves nothing more than the session does.
    const provenAt = twoFactor ? authenticatedAt : null;
    await db
      .insertInto("sessions")
      .values({ tokenHash, userId, secondFactor: twoFactor, provenAt, authenticatedAt, ...seen })
      .execute();
    const known = deviceTokenOf(request);
    const isNewDevice = !known || !(await isKnownDevice(db, known, userId));
    const meant = { userId };
    await recordSignIn(db, request, { meant, how, outcome: "ok", isNewDevice });
    return true;
  });
  const session = started ? await findSession(pool, token, now) : null;
  if (!session) return null;
  reply.setCookie(cookieName, token, cookieOptions);
  await rememberDevice(pool, userId, { request, reply, now });
  return describeSession(pool, session, now);
};

/** Before a password changes, so that a concurrent sign-in comes either before or after it. */
export const lockUser = async (db: Db, userId: string) => {
  await db.selectFrom("users").select("id").where("id", "=", userId).forUpdate().execute();
};

export const endSession = async (db: Db, tokenHash: Buffer) => {
  await db.deleteFrom("sessions").where("tokenHash", "=", tokenHash).execute();
};

type Shown = { now: Date; own: Buffer };

/** The active sessions of a user, the latest first. */
export const findSessionsOf = async (db: Db, userId: string, { now, own }: Shown) => {
  const [idle = now] = limitsAt(now);
  const rows = await db
    .selectFrom("sessions")
    .select(["id", "tokenHash", "createdAt", "lastSeenAt", "address", "device"])
    .where("userId", "=", userId)
    .where("lastSeenAt", ">", idle)
    .where("createdAt", ">", oldestAt(now))
    .orderBy("lastSeenAt", "desc")
    .orderBy("id", "desc")
    .limit(200)
    .execute();
  return rows.map(({ tokenHash, device, ...row }) => ({
    ...row,
    device: describeUserAgent(device),
    current: tokenHash.equals(own),
  }));
};

/** Ends one session of a user and returns the hash of its token. */
export const endSessionOf = async (db: Db, userId: string, id: string) =>
  (
    await db
      .deleteFrom("sessions")
      .where("id", "=", id)
      .where("userId", "=", userId)
      .returning("tokenHash")
      .executeTakeFirst()
  )?.tokenHash;

/** Ends all sessions of a user, and sign-ins that wait for their second step. */
export const endSessionsOf = async (db: Db, userId: string, except: Buffer | null = null) => {
  let ending = db.deleteFrom("sessions").where("userId", "=", userId);
  if (except) ending = ending.where("tokenHash", "!=", except);
  await ending.execute();
  await db.deleteFrom("challenges").where("userId", "=", userId).execute();
};

/** A team member who is not erased. */
export const isTeamMember = async (db: Db, id: string) =>
  Boolean(
    await db
      .selectFrom("users")
      .select("id")
      .where("id", "=", id)
      .where("role", "is not", null)
      .where("isService", "=", false)
      .where("status", "!=", "erased")
      .executeTakeFirst(),
  );

export const updateOwnName = async (db: Db, userId: string, name: string) => {
  await db.updateTable("users").set({ name }).where("id", "=", userId).execute();
};

export const clearSessionCookie = (reply: FastifyReply) =>
  reply.clearCookie(cookieName, cookieOptions).header("clear-site-data", '"cache", "storage"');
