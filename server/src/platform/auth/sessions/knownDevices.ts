import type {} from "@fastify/cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Db } from "#platform/db/db.ts";
import { hashToken, newToken } from "../secrets.ts";

const deviceCookieName = "__Host-purser-device";
const cookieOptions = { path: "/", secure: true, httpOnly: true, sameSite: "strict" } as const;

export const deviceDays = 180;

export const deviceTokenOf = (request: FastifyRequest) => request.cookies[deviceCookieName];

export const isKnownDevice = async (db: Db, token: string, userId: string) =>
  Boolean(
    await db
      .selectFrom("knownDevices")
      .select("userId")
      .where("tokenHash", "=", hashToken(token))
      .where("userId", "=", userId)
      .executeTakeFirst(),
  );

/** The same for an email address, whose user isn't known yet. */
export const isKnownDeviceOf = async (db: Db, token: string, email: string) =>
  Boolean(
    await db
      .selectFrom("knownDevices")
      .innerJoin("users", "users.id", "knownDevices.userId")
      .select("users.id")
      .where("knownDevices.tokenHash", "=", hashToken(token))
      .where("users.email", "=", email)
      .executeTakeFirst(),
  );

type Exchange = { request: FastifyRequest; reply: FastifyReply; now: Date };

export const rememberDevice = async (db: Db, userId: string, { request, reply, now }: Exchange) => {
  const known = deviceTokenOf(request);
  const token = known && (await isKnownDevice(db, known, userId)) ? known : newToken();
  await db
    .insertInto("knownDevices")
    .values({ tokenHash: hashToken(token), userId, seenAt: now })
    .onConflict((conflict) => conflict.column("tokenHash").doUpdateSet({ seenAt: now }))
    .execute();
  reply.setCookie(deviceCookieName, token, { ...cookieOptions, maxAge: deviceDays * 86_400 });
};

/** After a password reset, because someone who knew the old password may use a known device. */
export const forgetKnownDevices = async (db: Db, userId: string) => {
  await db.deleteFrom("knownDevices").where("userId", "=", userId).execute();
};
