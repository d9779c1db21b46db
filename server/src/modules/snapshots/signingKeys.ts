import { createPrivateKey, generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { snapshotHoursMax, snapshotType } from "@purser/contract/entitlements/snapshots";
import { openSealed, type SecretKeys, seal } from "#platform/auth/secrets.ts";
import type { Db } from "#platform/db/db.ts";
import { endKeys, findCurrentKey, insertKey } from "./queries.ts";

const ownerOf = (id: string) => ({ purpose: "signing key", id });

/** Creates the key that signs from now on. */
const createKey = async (db: Db, keys: SecretKeys) => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const id = randomUUID();
  const { x = "" } = publicKey.export({ format: "jwk" });
  const secret = privateKey.export({ format: "der", type: "pkcs8" }).toString("base64");
  await insertKey(db, { id, publicKey: x, secret: seal(keys, secret, ownerOf(id)) });
};

// A day more than the longest snapshot, for caches of the public keys.
const listedMs = (snapshotHoursMax + 24) * 3_600_000;

/** Replaces the current key. Older snapshots are verified until they expire, or with `force` not any more. */
export const rotateKeys = async (
  db: Db,
  { keys, now, force }: { keys: SecretKeys; now: Date; force: boolean },
) => {
  await endKeys(db, force ? now : new Date(now.getTime() + listedMs), force);
  await createKey(db, keys);
};

const readCurrent = async (db: Db, keys: SecretKeys) => {
  const found = await findCurrentKey(db);
  if (!found) return null;
  const der = Buffer.from(openSealed(keys, found.secret, ownerOf(found.id)), "base64");
  return { id: found.id, key: createPrivateKey({ key: der, format: "der", type: "pkcs8" }) };
};

type Change = <T>(work: (db: Db) => Promise<T>) => Promise<T>;

/** The key that signs. The first snapshot creates it. */
export const currentKey = async (db: Db, keys: SecretKeys, change: Change) => {
  const found = await readCurrent(db, keys);
  if (found) return found;
  const created = await change(async (inside) => {
    await createKey(inside, keys);
    return readCurrent(inside, keys);
  });
  if (!created) throw new Error("There is no signing key.");
  return created;
};

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A compact JWS. */
export const signSnapshot = (
  { id, key }: Awaited<ReturnType<typeof currentKey>>,
  payload: object,
) => {
  const signed = `${encoded({ alg: "EdDSA", typ: snapshotType, kid: id })}.${encoded(payload)}`;
  return `${signed}.${sign(null, Buffer.from(signed), key).toString("base64url")}`;
};
