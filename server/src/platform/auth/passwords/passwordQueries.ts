import type { Db } from "#platform/db/db.ts";
import { lockUser } from "../sessions/sessions.ts";

/** An active team member with a password. Customers and suspended members look like unknown addresses. */
export const findAccount = (db: Db, email: string) =>
  db
    .selectFrom("users")
    .innerJoin("passwords", "passwords.id", "users.id")
    .leftJoin("authenticators", "authenticators.id", "users.id")
    .select(["users.id", "passwords.hash", "passwords.byOperator", "authenticators.confirmedAt"])
    .where("users.email", "=", email)
    .where("users.status", "=", "active")
    .where("users.role", "is not", null)
    .where("users.isService", "=", false)
    .executeTakeFirst();

/** Whether the password is still the one that was verified. */
export const isStillPassword = async (db: Db, id: string, hash: string) =>
  Boolean(
    await db
      .selectFrom("passwords")
      .select("id")
      .where("id", "=", id)
      .where("hash", "=", hash)
      .executeTakeFirst(),
  );

type Stored = { userId: string; hash: string; now: Date; byOperator?: boolean };

/** Also deletes the user's links, which could set another password. */
export const storePassword = async (db: Db, { userId, hash, now, byOperator }: Stored) => {
  const stored = { hash, changedAt: now, ...(byOperator !== undefined && { byOperator }) };
  await lockUser(db, userId);
  await db.deleteFrom("links").where("userId", "=", userId).execute();
  await db
    .insertInto("passwords")
    .values({ id: userId, ...stored })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(stored))
    .execute();
};

export const activateInvited = async (db: Db, userId: string) => {
  await db
    .updateTable("users")
    .set({ status: "active" })
    .where("id", "=", userId)
    .where("status", "=", "invited")
    .execute();
};
