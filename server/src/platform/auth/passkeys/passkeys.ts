import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import type { Db } from "#platform/db/db.ts";
import { Problem } from "#platform/http/problem.ts";
import { startChallenge, takeChallenge } from "../signIn/challenges.ts";

/** The site that passkeys belong to: fixed by configuration, never taken from a request. */
const knownTransports = ["usb", "nfc", "ble", "internal", "cable", "hybrid", "smart-card"];

const siteOf = (origin: string) => ({ rpID: new URL(origin).hostname, origin });

export const passkeyRefused = () =>
  new Problem("passkey_refused", "The passkey was not accepted. Try again, or use your password.");

export const startAdding = async (
  db: Db,
  { origin, userId, email, now }: { origin: string; userId: string; email: string; now: Date },
) => {
  const existing = await db
    .selectFrom("passkeys")
    .select("credentialId")
    .where("userId", "=", userId)
    .execute();
  const options = await generateRegistrationOptions({
    rpName: "Purser",
    rpID: siteOf(origin).rpID,
    userName: email,
    userID: new TextEncoder().encode(userId),
    excludeCredentials: existing.map(({ credentialId }) => ({ id: credentialId })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  const webauthn = options.challenge;
  const { challenge } = await startChallenge(db, {
    purpose: "passkey adding",
    userId,
    webauthn,
    now,
  });
  return { challenge, options: { ...options } };
};

type Answer = { origin: string; challenge: string; response: unknown; now: Date };

export const finishAdding = async (
  db: Db,
  { origin, challenge, response, now }: Answer,
  { userId, name }: { userId: string; name: string },
) => {
  const taken = await takeChallenge(db, challenge, "passkey adding", now);
  if (!taken?.webauthn || taken.userId !== userId) throw passkeyRefused();
  const site = siteOf(origin);
  const verified = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge: taken.webauthn,
    expectedOrigin: site.origin,
    expectedRPID: site.rpID,
    requireUserVerification: true,
  }).catch(() => null);
  if (!verified?.verified) throw passkeyRefused();
  const { credential } = verified.registrationInfo;
  // As the browser said, and so as anybody may say: only words that we know are kept.
  const given: unknown[] = Array.isArray(credential.transports) ? credential.transports : [];
  return {
    userId,
    name,
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: knownTransports.filter((one) => given.includes(one)),
    createdAt: now,
  };
};

export const startSigningIn = async (db: Db, origin: string, now: Date) => {
  const options = await generateAuthenticationOptions({
    rpID: siteOf(origin).rpID,
    userVerification: "required",
  });
  const webauthn = options.challenge;
  const { challenge } = await startChallenge(db, {
    purpose: "passkey sign-in",
    userId: null,
    webauthn,
    now,
  });
  return { challenge, options: { ...options } };
};

const findPasskey = (db: Db, credentialId: string) =>
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
    .executeTakeFirst();

/** Whose passkey somebody says this is, for the log of sign-ins: nothing is proven yet. */
export const findPasskeyOwner = async (db: Db, credentialId: string) =>
  (
    await db
      .selectFrom("passkeys")
      .select("userId")
      .where("credentialId", "=", credentialId)
      .executeTakeFirst()
  )?.userId;

/** Who signed in. The authenticator must have verified the person, so this is both factors at once. */
export const finishSigningIn = async (db: Db, { origin, challenge, response, now }: Answer) => {
  const taken = await takeChallenge(db, challenge, "passkey sign-in", now);
  const given = response as AuthenticationResponseJSON;
  const passkey = taken?.webauthn ? await findPasskey(db, given.id) : undefined;
  if (!taken?.webauthn || !passkey) throw passkeyRefused();
  const site = siteOf(origin);
  const verified = await verifyAuthenticationResponse({
    response: given,
    expectedChallenge: taken.webauthn,
    expectedOrigin: site.origin,
    expectedRPID: site.rpID,
    requireUserVerification: true,
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(passkey.publicKey),
      counter: Number(passkey.counter),
    },
  }).catch(() => null);
  if (!verified?.verified) throw passkeyRefused();
  const { newCounter } = verified.authenticationInfo;
  // A counter that stands still is a copied authenticator, except for those that never count.
  const moved = await db
    .updateTable("passkeys")
    .set({ counter: newCounter, lastUsedAt: now })
    .where("id", "=", passkey.id)
    .where((where) =>
      newCounter === 0 ? where("counter", "=", "0") : where("counter", "<", String(newCounter)),
    )
    .returning(["userId", "id as passkeyId"])
    .executeTakeFirst();
  if (!moved) throw passkeyRefused();
  return moved;
};

/** Whether the passkey was not removed since its answer was checked. */
export const isStillPasskey = async (db: Db, id: string) =>
  Boolean(await db.selectFrom("passkeys").select("id").where("id", "=", id).executeTakeFirst());
