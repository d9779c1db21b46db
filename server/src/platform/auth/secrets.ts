import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from "node:crypto";
import { Problem } from "../http/problem.ts";
import { message } from "../messages.ts";

/** The secret keys of this installation, newest first. The older ones only open what they sealed. */
export type SecretKeys = readonly string[];

/** The column and row that a value belongs to, so that it can't be opened after it was copied to another one. */
export type SealedFor = { purpose: string; id: string };

export const derive = (key: string, what: string, length: number) =>
  Buffer.from(hkdfSync("sha256", key, "", what, length));

const keyOf = (key: string) => derive(key, "purser sealed value", 32);

// Values that were sealed before there were several keys begin with a random nonce instead.
const mark = Buffer.from("PS01");

/** What a value begins with if this key sealed it. */
export const beginningOf = (key: string) => Buffer.concat([mark, derive(key, "purser key id", 4)]);

const beginningLength = 8;
const nonceLength = 12;
const tagLength = 16;

const boundTo = ({ purpose, id }: SealedFor) => Buffer.from(`${purpose}\0${id}`);

export const newestOf = ([newest]: SecretKeys) => {
  if (newest === undefined) throw new Error("There is no secret key.");
  return newest;
};

/** Encrypts a value that must be readable again later. */
export const seal = (keys: SecretKeys, value: string, owner: SealedFor) => {
  const key = newestOf(keys);
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv("aes-256-gcm", keyOf(key), nonce).setAAD(boundTo(owner));
  const sealed = Buffer.concat([cipher.update(value, "utf8"), cipher.final()]);
  return Buffer.concat([beginningOf(key), nonce, cipher.getAuthTag(), sealed]);
};

const decrypt = (key: string, sealed: Buffer, owner: SealedFor | null) => {
  const decipher = createDecipheriv("aes-256-gcm", keyOf(key), sealed.subarray(0, nonceLength));
  if (owner) decipher.setAAD(boundTo(owner));
  decipher.setAuthTag(sealed.subarray(nonceLength, nonceLength + tagLength));
  const text = sealed.subarray(nonceLength + tagLength);
  return Buffer.concat([decipher.update(text), decipher.final()]).toString("utf8");
};

/** Undefined if none of the keys sealed it, or if it was sealed for another row. */
export const tryToOpen = (keys: SecretKeys, sealed: Buffer, owner: SealedFor) => {
  const isMarked = sealed.subarray(0, mark.length).equals(mark);
  const beginning = sealed.subarray(0, beginningLength);
  for (const key of keys)
    try {
      if (!isMarked) return decrypt(key, sealed, null);
      if (beginning.equals(beginningOf(key)))
        return decrypt(key, sealed.subarray(beginningLength), owner);
    } catch {
      // Another key may open it.
    }
  return undefined;
};

/** The value, or a refusal that says what the operator can do. */
export const openSealed = (keys: SecretKeys, sealed: Buffer, owner: SealedFor) => {
  const value = tryToOpen(keys, sealed, owner);
  if (value === undefined)
    throw new Problem(
      "unavailable",
      message(
        "secret_unreadable",
        "A stored secret can't be read, because its key isn't in SECRET_KEYS. Ask the operator to add the key.",
      ),
    );
  return value;
};

/** 256 random bits. Only the hash is stored. */
/** Keys that also need a secret of the caller, so that no one else can open what they seal. */
export const keysWith = (keys: SecretKeys, callerSecret: string) =>
  keys.map((key) => `${key}:${callerSecret}`);

export const newToken = () => randomBytes(32).toString("base64url");

/** Fast on purpose: a token of 256 bits can not be guessed, so a slow hash would not help. */
export const hashToken = (token: string) => hash("sha256", token, "buffer");

/** The secret of a key, with the prefix by which it is recognized and the hash by which it is found. */
export const newSecret = (kind: string) => {
  const secret = `${kind}${newToken()}`;
  return { secret, prefix: secret.slice(0, 14), secretHash: hashToken(secret) };
};
