import type { FastifyRequest } from "fastify";
import type { Db } from "../db/db.ts";
import { Problem } from "../http/problem.ts";
import { verifyPassword } from "./passwords.ts";
import { hashToken } from "./secrets.ts";
import { deviceTokenOf, type Session } from "./sessions.ts";
import { countTry, forgive, limits, networkOf, uncount } from "./tries.ts";

/** An active member of staff with a password, or nothing: customers and the suspended look like strangers. */
const findAccount = (db: Db, email: string) =>
  db
    .selectFrom("users")
    .innerJoin("passwords", "passwords.id", "users.id")
    .leftJoin("authenticators", "authenticators.id", "users.id")
    .select(["users.id", "passwords.hash", "authenticators.confirmedAt"])
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
  const found = await findAccount(db, email);
  if (!(await verifyPassword(password, found?.hash ?? null)) || !found) {
    request.log.warn({ event: "sign-in refused" }, "wrong mail or password");
    throw wrongCredentials();
  }
  await forgive(db, account);
  await uncount(db, address);
  const { id, hash } = found;
  return { id, hash, secondFactor: found.confirmedAt !== null };
};

/** Asks a signed-in person for the password again, before something that a stolen session must not do. */
export const confirmPassword = async (
  db: Db,
  request: FastifyRequest,
  session: Session,
  password: string,
) => {
  await checkCredentials(db, request, { email: session.email, password });
};
