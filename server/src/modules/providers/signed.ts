import { signedNews } from "@purser/contract/providers";
import { Webhook } from "standardwebhooks";
import { invalidAt, Problem } from "#platform/http/problem.ts";
import type { News, Provider } from "./news.ts";

export const refusedSignature = () =>
  new Problem(
    "signature_wrong",
    "The signature does not fit, or is older than five minutes. Compare the secret and the clocks.",
  );

/** True for the first secret that fits: two are in use while one replaces the other. */
export const isSignedWith = (secrets: readonly string[], verify: (secret: string) => unknown) =>
  secrets.some((secret) => {
    try {
      verify(secret);
      return true;
    } catch {
      return false;
    }
  });

const parse = (body: string) => {
  const parsed = signedNews.safeParse(JSON.parse(body));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalidAt(`/${issue?.path.join("/") ?? ""}`, "event", issue?.message ?? "is not an event");
};

const newsOf = (body: string): News => {
  const told = parse(body);
  const about = {
    payment: told.payment,
    number: told.transaction ?? null,
    subscriptionId: told.subscription ?? null,
    at: told.at,
  };
  if (told.type === "dispute") return { ...about, kind: "dispute", outcome: told.outcome };
  const money = { amount: told.amount, currency: told.currency };
  return told.type === "refund"
    ? { ...about, kind: "refund", reference: told.refund, money }
    : { ...about, kind: "payment", outcome: told.outcome, money, sale: told.sale ?? null };
};

/** Any provider that signs JSON of ours by the Standard Webhooks scheme. */
export const signedProvider = (name: string, secrets: readonly string[]): Provider => ({
  name,
  verify: (signed, headers) => {
    const body = signed.toString("utf8");
    const given = Object.fromEntries(
      Object.entries(headers).map(([header, value]) => [header, String(value)]),
    );
    const check = (secret: string) => new Webhook(secret).verify(body, given, { jsonParse: false });
    const eventId = given["webhook-id"] ?? "";
    if (eventId.length > 200 || !isSignedWith(secrets, check)) throw refusedSignature();
    const { type, at } = parse(body);
    return { eventId, type, at };
  },
  newsOf,
});
