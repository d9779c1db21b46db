import { PurserError } from "./error.ts";

const toleranceSeconds = 5 * 60;

type Headers =
  | { get: (name: string) => string | null }
  | Record<string, string | string[] | undefined>;

const headerOf = (headers: Headers, name: string) =>
  typeof headers.get === "function"
    ? (headers.get(name) ?? "")
    : String(Reflect.get(headers, name) ?? "");

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));

const keyOf = (secret: string) =>
  crypto.subtle.importKey(
    "raw",
    bytesOf(secret.replace(/^whsec_/, "")),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["verify"],
  );

const invalid = (why: string) => new PurserError("signature_wrong", `Webhook refused: ${why}`);

export type WebhookEvent = {
  type: "entitlements.changed" | "subscription.changed" | "transaction.changed" | "test";
  timestamp: string;
  data: Record<string, unknown> & { user?: { id: string; externalId: string | null } };
};

type Received = {
  /** The body as received, before it is parsed. */
  body: string;
  headers: Headers;
  /** The secret of the endpoint, or two while it is rotated. */
  secret: string | readonly string[];
  /** Milliseconds since 1970. */
  now?: number;
};

const isSignedWith = async (
  secret: string,
  signed: Uint8Array<ArrayBuffer>,
  signatures: string[],
) => {
  const key = await keyOf(secret);
  for (const signature of signatures)
    if (await crypto.subtle.verify("HMAC", key, bytesOf(signature), signed)) return true;
  return false;
};

/** The event of a webhook. Rejects if Purser didn't send it, or not within the last five minutes. */
export const verifyWebhook = async ({ body, headers, secret, now = Date.now() }: Received) => {
  const [id, timestamp, given] = ["id", "timestamp", "signature"].map((name) =>
    headerOf(headers, `webhook-${name}`),
  );
  const ageSeconds = Math.abs(now / 1000 - Number(timestamp || Number.NaN));
  if (!(ageSeconds <= toleranceSeconds)) throw invalid("its time is more than five minutes off");
  const signatures = (given ?? "").split(" ").flatMap((one) => /^v1,(\S+)$/.exec(one)?.[1] ?? []);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const one of [secret].flat())
    if (await isSignedWith(one, signed, signatures).catch(() => false))
      return { id: id ?? "", event: JSON.parse(body) as WebhookEvent };
  throw invalid("its signature is not valid");
};
