import type { FastifyRequest } from "fastify";
import type { Db } from "#platform/db/db.ts";
import { invalidAt, Problem } from "#platform/http/problem.ts";
import { findSettings } from "#platform/settings.ts";
import { countTry, forgive, limits, networkOf, uncount } from "../attempts.ts";
import { hashToken } from "../secrets.ts";
import { deviceTokenOf, type Session } from "../sessions/sessions.ts";
import { findProof } from "../twoFactor/requirement.ts";
import { verifyPassword } from "./passwords.ts";

/** An active member of staff with a password, or nothing: customers and the suspended look like strangers. */
const findAccount = (db: Db, email: string) =>
  db
    .selectFrom("users")
    .innerJoin("passwords", "passwords.id", "users.id")
    .leftJoin("authenticators", "authenticators.id", "users.id")
    .select(["users.id", "passwords.hash", "passwords.byOperator", "authenticators.confirmedAt"])
    .where("users.email", "=", email)
    .where("users.status", "=", "active")
    .where("users.role", "is not", null)
    .executeTakeFirst();

const ownsDevice = async (db: Db, token: string, email: string) =>
  Boolean(
    await db
      .selectFrom("knownDevices")
      .innerJoin("users", "users.id", "knownDevices.userId")
      .select("users.id")
      .where("knownDevices.tokenHash", "=", hashToken(token))
      .where("users.email", "=", email)
      .executeTakeFirst(),
  );

/** A device that the person used before is counted apart, so that a stranger's guesses do not lock it out. */
const subjectOf = async (db: Db, request: FastifyRequest, email: string) => {
  const device = deviceTokenOf(request);
  return device && (await ownsDevice(db, device, email))
    ? `device:${device}:${email}`
    : `account:${email}`;
};

export const wrongCredentials = () =>
  new Problem("wrong_credentials", "Mail or password is wrong. Check both and try again.");

export const passwordsOff = () =>
  new Problem(
    "passwords_off",
    "This office does not use passwords. Sign in with your company account or a passkey.",
  );

/** Whether the password is still the one that was checked. */
export const isStillPassword = async (db: Db, id: string, hash: string) =>
  Boolean(
    await db
      .selectFrom("passwords")
      .select("id")
      .where("id", "=", id)
      .where("hash", "=", hash)
      .executeTakeFirst(),
  );

/** Who this is, by mail and password. The same answer after the same work, whether or not there is such an account. */
export const checkCredentials = async (
  db: Db,
  request: FastifyRequest,
  { email, password }: { email: string; password: string },
) => {
  const { now } = request;
  const account = await subjectOf(db, request, email);
  const address = `address:${networkOf(request.ip)}`;
  await countTry(db, address, limits.address, now);
  await countTry(db, account, limits.account, now);
  const { passwordsAllowed } = await findSettings(db);
  const found = await findAccount(db, email);
  const isRight = await verifyPassword(password, found?.hash ?? null);
  // A password that no longer counts is judged like a wrong one, so that nobody learns that it is right.
  if (!isRight || !found || !(passwordsAllowed || found.byOperator)) {
    request.log.warn({ event: "sign-in refused" }, "wrong mail or password");
    throw passwordsAllowed ? wrongCredentials() : passwordsOff();
  }
  await forgive(db, account);
  await uncount(db, address);
  const { id, hash } = found;
  return { id, hash, secondFactor: found.confirmedAt !== null };
};

const recentMinutes = 10;

/**
 * Asks a signed-in person to prove again who they are, before something that a stolen session must not
 * do: by the password, or where they have none by having signed in just now.
 */
export const confirmPerson = async (
  db: Db,
  request: FastifyRequest,
  session: Session,
  password: string | undefined,
) => {
  if ((await findProof(db, session.userId)) === "recent sign-in") {
    if (request.now.getTime() - session.createdAt.getTime() <= recentMinutes * 60_000) return;
    throw new Problem(
      "sign_in_again",
      `Sign out and in again, then do this within ${recentMinutes} minutes.`,
    );
  }
  if (password === undefined) throw invalidAt("/password", "invalid_type", "must be your password");
  await checkCredentials(db, request, { email: session.email, password });
};
