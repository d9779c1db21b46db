import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";

const keyOf = (secret: string) =>
  Buffer.from(hkdfSync("sha256", secret, "", "purser sealed value", 32));

/** Encrypts a value that must be readable again later. */
export const seal = (secret: string, value: string) => {
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", keyOf(secret), nonce);
  const sealed = Buffer.concat([cipher.update(value, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
};

export const openSealed = (secret: string, sealed: Buffer) => {
  const decipher = createDecipheriv("aes-256-gcm", keyOf(secret), sealed.subarray(0, 12));
  decipher.setAuthTag(sealed.subarray(12, 28));
  return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]).toString("utf8");
};

/** 256 random bits. Only the hash is stored. */
export const newToken = () => randomBytes(32).toString("base64url");

/** Fast on purpose: a token of 256 bits can not be guessed, so a slow hash would not help. */
export const hashToken = (token: string) => createHash("sha256").update(token).digest();
