import { currencies, exponentOf } from "@purser/contract/fields/amounts";
import { paidFor } from "@purser/contract/transactions/providerEvents";
import Stripe from "stripe";
import { Problem } from "#platform/http/problem.ts";
import { message } from "#platform/messages.ts";
import type { Money, PaymentNotification, Provider } from "./provider.ts";
import { isSignedWith, refusedSignature } from "./standardWebhooks.ts";

// Currencies whose minor unit at Stripe differs from ISO 4217.
const stripeExponents: Readonly<Record<string, number>> = { ISK: 2, UGX: 2, MGA: 0 };

/** Converts an amount to ISO 4217 minor units. Returns null if it isn't a whole number of them. */
export const moneyOf = (units: number, named: string): Money | null => {
  const currency = named.toUpperCase();
  if (!currencies.includes(currency)) return null;
  const exponent = exponentOf(currency);
  const shift = exponent - (stripeExponents[currency] ?? exponent);
  const amount = shift >= 0 ? units * 10 ** shift : units / 10 ** -shift;
  return Number.isSafeInteger(amount) ? { amount, currency } : null;
};

type Metadata = Stripe.Metadata | null | undefined;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const aboutOf = (metadata: Metadata) => {
  const subscription = metadata?.["purser_subscription"];
  return {
    number: metadata?.["purser_transaction"]?.slice(0, 200) ?? null,
    subscriptionId: subscription && uuid.test(subscription) ? subscription : null,
  };
};

/** What was bought, if the app that created the payment stored it in the metadata. */
const saleOf = (metadata: Metadata) => {
  const parsed = paidFor.safeParse({
    email: metadata?.["purser_email"],
    package: metadata?.["purser_package"],
    interval: metadata?.["purser_interval"],
    intervalCount: Number(metadata?.["purser_interval_count"] ?? 1),
    codes: metadata?.["purser_codes"]?.split(",").map((code) => code.trim()) ?? [],
    tax: Number(metadata?.["purser_tax"] ?? 0),
  });
  return parsed.success ? parsed.data : null;
};

const idOf = (linked: string | { id: string } | null | undefined) =>
  typeof linked === "string" ? linked : (linked?.id ?? null);

const outcomes = {
  "payment_intent.succeeded": "succeeded",
  "payment_intent.payment_failed": "failed",
  "payment_intent.canceled": "canceled",
  "payment_intent.processing": "authorized",
} as const;

/** The outcome of a payment that was looked up. Null while it is undecided. */
const outcomeOf = ({ status, last_payment_error: error }: Stripe.PaymentIntent) => {
  if (status === "succeeded") return "succeeded" as const;
  if (status === "canceled") return "canceled" as const;
  if (status === "requires_payment_method" && error) return "failed" as const;
  return null;
};

const ofPayment = (
  payment: Stripe.PaymentIntent,
  outcome: Extract<PaymentNotification, { kind: "payment" }>["outcome"],
  at: Date,
): PaymentNotification => ({
  kind: "payment",
  payment: payment.id,
  ...aboutOf(payment.metadata),
  at,
  outcome,
  money: moneyOf(
    outcome === "succeeded" ? payment.amount_received : payment.amount,
    payment.currency,
  ),
  sale: saleOf(payment.metadata),
});

const ofInvoice = (
  invoice: Stripe.Invoice,
  outcome: "succeeded" | "failed",
  at: Date,
): PaymentNotification => {
  const metadata = { ...invoice.parent?.subscription_details?.metadata, ...invoice.metadata };
  return {
    kind: "payment",
    payment: invoice.id ?? "",
    ...aboutOf(metadata),
    at,
    outcome,
    sale: null,
    money: moneyOf(
      outcome === "succeeded" ? invoice.amount_paid : invoice.amount_due,
      invoice.currency,
    ),
  };
};

const ofRefund = (refund: Stripe.Refund, at: Date): PaymentNotification | null => {
  const payment = idOf(refund.payment_intent);
  const money = moneyOf(refund.amount, refund.currency);
  if (refund.status !== "succeeded" || !payment || !money) return null;
  return { kind: "refund", payment, ...aboutOf(null), at, reference: refund.id, money };
};

// Other statuses mean that the dispute is still open, or was only a warning.
const endings: Readonly<Record<string, "dispute won" | "dispute lost" | undefined>> = {
  won: "dispute won",
  lost: "dispute lost",
};

const ofDispute = (
  dispute: Stripe.Dispute,
  isClosed: boolean,
  at: Date,
): PaymentNotification | null => {
  const payment = idOf(dispute.payment_intent);
  const outcome = isClosed ? (endings[dispute.status] ?? null) : "disputed";
  return payment && outcome ? { kind: "dispute", payment, ...aboutOf(null), at, outcome } : null;
};

const notificationOf = (body: string): PaymentNotification | null => {
  const event = JSON.parse(body) as Stripe.Event;
  const at = new Date(event.created * 1000);
  switch (event.type) {
    case "payment_intent.succeeded":
    case "payment_intent.payment_failed":
    case "payment_intent.canceled":
    case "payment_intent.processing":
      return ofPayment(event.data.object, outcomes[event.type], at);
    case "invoice.paid":
      return ofInvoice(event.data.object, "succeeded", at);
    case "invoice.payment_failed":
      return ofInvoice(event.data.object, "failed", at);
    case "refund.created":
    case "refund.updated":
      return ofRefund(event.data.object, at);
    case "charge.dispute.created":
      return ofDispute(event.data.object, false, at);
    case "charge.dispute.closed":
      return ofDispute(event.data.object, true, at);
    default:
      return null;
  }
};

type Settings = { secrets: readonly string[]; apiKey: string | undefined; apiUrl: string };

const clientOf = (apiKey: string, apiUrl: string) => {
  const { hostname, port, protocol } = new URL(apiUrl);
  const secure = protocol === "https:";
  return new Stripe(apiKey, {
    host: hostname,
    port: port || (secure ? "443" : "80"),
    protocol: secure ? "https" : "http",
    maxNetworkRetries: 1,
    timeout: 5000,
    telemetry: false,
  });
};

export const stripeProvider = ({ secrets, apiKey, apiUrl }: Settings): Provider => {
  const client = apiKey === undefined ? null : clientOf(apiKey, apiUrl);
  return {
    name: "stripe",
    verify: (signed, { "stripe-signature": signature }) => {
      const body = signed.toString("utf8");
      const check = (secret: string) =>
        Stripe.webhooks.constructEvent(body, String(signature), secret);
      if (typeof signature !== "string" || !isSignedWith(secrets, check)) throw refusedSignature();
      const { id, type, created } = JSON.parse(body) as Stripe.Event;
      if (typeof id !== "string" || typeof type !== "string" || !Number.isSafeInteger(created))
        throw new Problem(
          "malformed",
          message("stripe_event_malformed", "The request body isn't a Stripe event."),
        );
      return { eventId: id, type, at: new Date(created * 1000) };
    },
    notificationOf,
    ...(client && {
      lookUp: async (payment: string) => {
        if (!payment.startsWith("pi_")) return null;
        const found = await client.paymentIntents.retrieve(payment);
        const outcome = outcomeOf(found);
        return outcome && ofPayment(found, outcome, new Date());
      },
    }),
  };
};
