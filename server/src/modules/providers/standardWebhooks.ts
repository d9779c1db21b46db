import { signedNews } from "@purser/contract/transactions/providerEvents";
import { Webhook } from "standardwebhooks";
import { invalidAt, Problem } from "#platform/http/problem.ts";
import { message, ruleMessage } from "#platform/messages.ts";
import type { PaymentNotification, Provider } from "./provider.ts";

export const refusedSignature = () =>
  new Problem(
    "signature_wrong",
    message(
      "signature_invalid",
      "The signature is invalid or older than five minutes. Check the signing secret and the server's clock.",
    ),
  );

/** Several secrets are valid while one replaces another. */
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
  throw invalidAt(`/${issue?.path.join("/") ?? ""}`, ruleMessage(issue?.message ?? ""));
};

const notificationOf = (body: string): PaymentNotification => {
  const event = parse(body);
  const about = {
    payment: event.payment,
    number: event.transaction ?? null,
    subscriptionId: event.subscription ?? null,
    at: event.at,
  };
  if (event.type === "dispute")
    return { ...about, kind: "dispute", outcome: event.outcome, dueAt: event.dueAt ?? null };
  const money = { amount: event.amount, currency: event.currency };
  return event.type === "refund"
    ? { ...about, kind: "refund", reference: event.refund, money }
    : { ...about, kind: "payment", outcome: event.outcome, money, sale: event.sale ?? null };
};

/** Any provider that sends our JSON format, signed by the Standard Webhooks scheme. */
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
  notificationOf,
});
