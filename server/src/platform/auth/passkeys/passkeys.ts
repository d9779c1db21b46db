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
import { message } from "#platform/messages.ts";
import { startChallenge, takeChallenge } from "../signIn/challenges.ts";
import { advanceCounter, findCredentialIds, findPasskey } from "./passkeyQueries.ts";

const knownTransports = ["usb", "nfc", "ble", "internal", "cable", "hybrid", "smart-card"];

/** The site of the passkeys comes from the configuration and never from a request. */
const siteOf = (origin: string) => ({ rpID: new URL(origin).hostname, origin });

export const passkeyRefused = () =>
  new Problem(
    "passkey_refused",
    message(
      "passkey_refused",
      "Purser couldn't verify this passkey. Try again, or sign in another way.",
    ),
  );

export const startRegistration = async (
  db: Db,
  { origin, userId, email, now }: { origin: string; userId: string; email: string; now: Date },
) => {
  const existing = await findCredentialIds(db, userId);
  const options = await generateRegistrationOptions({
    rpName: "Purser",
    rpID: siteOf(origin).rpID,
    userName: email,
    userID: new TextEncoder().encode(userId),
    excludeCredentials: existing.map((id) => ({ id })),
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

type Response = { origin: string; challenge: string; response: unknown; now: Date };

export const finishRegistration = async (
  db: Db,
  { origin, challenge, response, now }: Response,
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
  // The browser can send anything here, so only known transports are stored.
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

/** For a user who signs in, or for the signed-in user, who can only use a passkey of their own. */
export const startAuthentication = async (
  db: Db,
  { origin, userId, now }: { origin: string; userId: string | null; now: Date },
) => {
  const own = userId === null ? [] : await findCredentialIds(db, userId);
  const options = await generateAuthenticationOptions({
    rpID: siteOf(origin).rpID,
    userVerification: "required",
    allowCredentials: own.map((id) => ({ id })),
  });
  const webauthn = options.challenge;
  const { challenge } = await startChallenge(db, {
    purpose: "passkey sign-in",
    userId,
    webauthn,
    now,
  });
  return { challenge, options: { ...options } };
};

/**
 * The user of the passkey. The authenticator must have verified them, so a passkey is both factors. A challenge of a
 * signed-in user only accepts a passkey of theirs.
 */
export const finishAuthentication = async (
  db: Db,
  { origin, challenge, response, now }: Response,
  userId: string | null,
) => {
  const taken = await takeChallenge(db, challenge, "passkey sign-in", now);
  const given = response as AuthenticationResponseJSON;
  const passkey = taken?.webauthn ? await findPasskey(db, given.id) : undefined;
  if (!taken?.webauthn || taken.userId !== userId || !passkey) throw passkeyRefused();
  if (userId !== null && passkey.userId !== userId) throw passkeyRefused();
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
  const moved = await advanceCounter(db, passkey.id, { newCounter, now });
  if (!moved) throw passkeyRefused();
  return moved;
};
