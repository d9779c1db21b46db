import type { FastifyRequest } from "fastify";
import type { Db } from "#platform/db/db.ts";
import { Problem } from "#platform/http/problem.ts";
import { message } from "#platform/messages.ts";
import { findSettings } from "#platform/settings.ts";
import { clearAttempts, countAttempt, limits, networkOf, undoAttempt } from "../attempts.ts";
import { deviceTokenOf, isKnownDeviceOf } from "../sessions/knownDevices.ts";
import { findAccount } from "./passwordQueries.ts";
import { verifyPassword } from "./passwords.ts";

/** A known device is counted separately, so that the guesses of others don't lock its user out. */
const subjectOf = async (db: Db, request: FastifyRequest, email: string) => {
  const device = deviceTokenOf(request);
  return device && (await isKnownDeviceOf(db, device, email))
    ? `device:${device}:${email}`
    : `account:${email}`;
};

export const wrongCredentials = () =>
  new Problem("wrong_credentials", message("credentials_wrong", "Incorrect email or password."));

export const passwordsOff = () =>
  new Problem(
    "password_sign_in_off",
    message(
      "password_sign_in_off",
      "Password sign-in is turned off. Use single sign-on or a passkey.",
    ),
  );

type Given = {
  email: string;
  password: string;
  /** What wrong passwords are counted for. */
  account: string;
};

const check = async (db: Db, request: FastifyRequest, { email, password, account }: Given) => {
  const { now } = request;
  const address = `address:${networkOf(request.ip)}`;
  await countAttempt(db, address, limits.address, now);
  await countAttempt(db, account, limits.account, now);
  const { passwordsAllowed } = await findSettings(db);
  const found = await findAccount(db, email);
  const isRight = await verifyPassword(password, found?.hash ?? null);
  // A password that may not be used is refused like a wrong one, so that the reply does not confirm it.
  if (!isRight || !found || !(passwordsAllowed || found.byOperator)) {
    request.log.warn({ event: "sign-in refused" }, "incorrect email or password");
    throw passwordsAllowed ? wrongCredentials() : passwordsOff();
  }
  await clearAttempts(db, account);
  await undoAttempt(db, address);
  const { id, hash } = found;
  return { id, hash, twoFactor: found.confirmedAt !== null };
};

/** The account of an email and password. An unknown email gets the same reply after the same work. */
export const checkCredentials = async (
  db: Db,
  request: FastifyRequest,
  given: Pick<Given, "email" | "password">,
) => check(db, request, { ...given, account: await subjectOf(db, request, given.email) });

/** Counted separately from sign-ins, so that a stolen session can't lock its user out. */
export const checkOwnPassword = (
  db: Db,
  request: FastifyRequest,
  { userId, email }: { userId: string; email: string },
  password: string,
) => check(db, request, { email, password, account: `own password:${userId}` });
