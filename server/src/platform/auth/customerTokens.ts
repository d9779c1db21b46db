import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { Problem } from "../http/problem.ts";
import { message } from "../messages.ts";
import { derive, newestOf, type SecretKeys } from "./secrets.ts";

/** Who a token names, for which app, and the server key that requested it. */
const claims = z.object({
  app: z.uuid(),
  key: z.uuid(),
  user: z.string(),
  /** Seconds since 1970. */
  expires: z.int(),
});
type Claims = z.output<typeof claims>;

/** Derived, so that a signature doesn't depend on the key that seals stored secrets. */
const signingKeyOf = (secret: string) => {
  const key = derive(secret, "purser customer token", 32);
  return { id: createHash("sha256").update(key).digest("base64url").slice(0, 8), key };
};

const macOf = (key: Buffer, signed: string) =>
  createHmac("sha256", key).update(signed).digest("base64url");

const isEqual = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

const format =
  /^purser_ct_(?<signed>(?<id>[\w-]{8})\.(?<payload>[\w-]{1,4000}))\.(?<mac>[\w-]{43})$/;

/** Tokens are signed with the first secret and accepted with any of them, so that it can be rotated. */
export const openCustomerTokens = (secrets: SecretKeys) => {
  const signer = signingKeyOf(newestOf(secrets));
  const keys = new Map(secrets.map(signingKeyOf).map(({ id, key }) => [id, key]));

  const read = (token: string): Claims | null => {
    const { signed = "", id = "", payload = "", mac = "" } = format.exec(token)?.groups ?? {};
    const key = keys.get(id);
    if (!key || !isEqual(mac, macOf(key, signed))) return null;
    return claims.parse(JSON.parse(Buffer.from(payload, "base64url").toString("utf8")));
  };

  return {
    sign: (given: Claims) => {
      const payload = Buffer.from(JSON.stringify(given)).toString("base64url");
      const signed = `${signer.id}.${payload}`;
      return `purser_ct_${signed}.${macOf(signer.key, signed)}`;
    },
    /** The claims of a token for this app. Its signature is checked without the database. */
    verify: (token: string, appId: string, now: Date): Claims => {
      const found = read(token);
      if (found?.app !== appId) throw tokenInvalid();
      if (found.expires * 1000 <= now.getTime())
        throw new Problem(
          "unauthenticated",
          message(
            "customer_token_expired",
            "The customer token has expired. Request a new one from your server.",
          ),
        );
      return found;
    },
  };
};
export type CustomerTokens = ReturnType<typeof openCustomerTokens>;

export const tokenInvalid = () =>
  new Problem(
    "unauthenticated",
    message(
      "customer_token_invalid",
      "The customer token isn't valid for this app. Request a new one from your server.",
    ),
  );
