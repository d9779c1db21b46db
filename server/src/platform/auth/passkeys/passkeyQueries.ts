import type { Insertable } from "kysely";
import type { Db } from "#platform/db/db.ts";
import type { Database } from "#platform/db/schema.ts";

const shownColumns = ["id", "name", "createdAt", "lastUsedAt"] as const;

export const findPasskeysOf = (db: Db, userId: string) =>
  db
    .selectFrom("passkeys")
    .select(shownColumns)
    .where("userId", "=", userId)
    .orderBy("id")
    .execute();

export const findCredentialIds = async (db: Db, userId: string) => {
  const rows = await db
    .selectFrom("passkeys")
    .select("credentialId")
    .where("userId", "=", userId)
    .execute();
  return rows.map(({ credentialId }) => credentialId);
};

export const insertPasskey = (db: Db, passkey: Insertable<Database["passkeys"]>) =>
  db.insertInto("passkeys").values(passkey).returning(shownColumns).executeTakeFirstOrThrow();

type Own = { id: string; userId: string };

export const updatePasskeyName = (db: Db, { id, userId }: Own, name: string) =>
  db
    .updateTable("passkeys")
    .set({ name })
    .where("id", "=", id)
    .where("userId", "=", userId)
    .returning(shownColumns)
    .executeTakeFirst();

/** False if the user has no such passkey. */
export const deletePasskey = async (db: Db, { id, userId }: Own) => {
  const { numDeletedRows } = await db
    .deleteFrom("passkeys")
    .where("id", "=", id)
    .where("userId", "=", userId)
    .executeTakeFirst();
  return numDeletedRows > 0n;
};

/** The passkey of an active team member. */
export const findPasskey = (db: Db, credentialId: string) =>
  db
    .selectFrom("passkeys")
    .innerJoin("users", "users.id", "passkeys.userId")
    .select([
      "passkeys.id",
      "passkeys.userId",
      "passkeys.credentialId",
      "passkeys.publicKey",
      "passkeys.counter",
    ])
    .where("passkeys.credentialId", "=", credentialId)
    .where("users.status", "=", "active")
    .where("users.role", "is not", null)
    .where("users.isService", "=", false)
    .executeTakeFirst();

/** The user whose passkey is named, for the sign-in log. Nothing is proven yet. */
export const findPasskeyOwner = async (db: Db, credentialId: string) =>
  (
    await db
      .selectFrom("passkeys")
      .select("userId")
      .where("credentialId", "=", credentialId)
      .executeTakeFirst()
  )?.userId;

/**
 * Stores the counter of a successful sign-in. A counter that doesn't grow means a copied authenticator, and is
 * refused with undefined, except for authenticators that never count.
 */
export const advanceCounter = (
  db: Db,
  id: string,
  { newCounter, now }: { newCounter: number; now: Date },
) =>
  db
    .updateTable("passkeys")
    .set({ counter: newCounter, lastUsedAt: now })
    .where("id", "=", id)
    .where((where) =>
      newCounter === 0 ? where("counter", "=", "0") : where("counter", "<", String(newCounter)),
    )
    .returning(["userId", "id as passkeyId"])
    .executeTakeFirst();

/** Whether the passkey still exists since its response was verified. */
export const isStillPasskey = async (db: Db, id: string) =>
  Boolean(await db.selectFrom("passkeys").select("id").where("id", "=", id).executeTakeFirst());
