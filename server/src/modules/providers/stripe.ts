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
    quantity: Number(metadata?.["purser_quantity"] ?? 1),
    tax: metadata?.["purser_tax"] === undefined ? null : Number(metadata["purser_tax"]),
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

type PaymentOutcome = Extract<PaymentNotification, { kind: "payment" }>["outcome"];

const namesOf = (...linked: (string | { id: string } | null | undefined)[]) =>
  linked.flatMap((one) => idOf(one) ?? []);

const ofPayment = (
  payment: Stripe.PaymentIntent,
  outcome: PaymentOutcome,
  at: Date,
): PaymentNotification => ({
  kind: "payment",
  payment: payment.id,
  references: namesOf(payment.latest_charge),
  ...aboutOf(payment.metadata),
  at,
  outcome,
  money: moneyOf(
    outcome === "succeeded" ? payment.amount_received : payment.amount,
    payment.currency,
  ),
  sale: saleOf(payment.metadata),
});

/** The payment intents and charges that paid an invoice. Stripe lists them only if the endpoint asks for it. */
const paymentsOf = ({ payments }: Stripe.Invoice) =>
  payments?.data.flatMap(({ payment }) => namesOf(payment.payment_intent, payment.charge)) ?? [];

const ofInvoice = (
  invoice: Stripe.Invoice,
  outcome: PaymentOutcome,
  at: Date,
): PaymentNotification => {
  const metadata = { ...invoice.parent?.subscription_details?.metadata, ...invoice.metadata };
  return {
    kind: "payment",
    payment: invoice.id ?? "",
    references: paymentsOf(invoice),
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

const ofInvoicePayment = (
  { invoice, payment }: Stripe.InvoicePayment,
  at: Date,
): PaymentNotification => ({
  kind: "names",
  payment: idOf(invoice) ?? "",
  references: namesOf(payment.payment_intent, payment.charge),
  ...aboutOf(null),
  at,
});

/** A charge tells its payment intent. One without was made directly, so it is the payment. */
const ofCharge = (
  charge: Stripe.Charge,
  outcome: PaymentOutcome | null,
  at: Date,
): PaymentNotification | null => {
  const intent = idOf(charge.payment_intent);
  if (intent)
    return { kind: "names", payment: intent, references: [charge.id], ...aboutOf(null), at };
  if (!outcome) return null;
  const { id, metadata, amount, currency } = charge;
  const money = moneyOf(amount, currency);
  const sale = saleOf(metadata);
  return { kind: "payment", payment: id, ...aboutOf(metadata), at, outcome, money, sale };
};

const ofCheckout = (session: Stripe.Checkout.Session, at: Date): PaymentNotification | null => {
  const [payment, ...references] = namesOf(session.payment_intent, session.invoice, session.id);
  const about = aboutOf({
    purser_transaction: session.client_reference_id ?? "",
    ...session.metadata,
  });
  // A free session has no payment.
  if (payment === undefined || payment === session.id) return null;
  return { kind: "names", payment, references, ...about, at };
};

/** Only for subscriptions that an app created for one of ours. */
const ofBilling = (
  { id, metadata }: Stripe.Subscription,
  isOver: boolean,
  at: Date,
): PaymentNotification | null => {
  const about = aboutOf(metadata);
  return about.subscriptionId === null
    ? null
    : { kind: "billing", payment: id, ...about, at, reference: id, isOver };
};

const ofPayout = (
  { id, failure_message: cause }: Stripe.Payout,
  at: Date,
): PaymentNotification => ({
  kind: "notice",
  payment: id,
  ...aboutOf(null),
  at,
  words: `Stripe couldn't pay out to your bank account${cause ? `: ${cause}` : ""}. Check the account at Stripe.`,
});

const failedRefund = (refund: Stripe.Refund, payment: string, at: Date): PaymentNotification => ({
  kind: "notice",
  payment,
  ...aboutOf(null),
  at,
  words: `Refund ${refund.id} failed, so the customer didn't receive the money. Pay it back in another way.`,
});

const ofRefund = (refund: Stripe.Refund, at: Date): PaymentNotification | null => {
  const [payment, ...references] = namesOf(refund.payment_intent, refund.charge);
  const money = moneyOf(refund.amount, refund.currency);
  if (!payment || !money) return null;
  if (refund.status === "failed") return failedRefund(refund, payment, at);
  if (refund.status !== "succeeded") return null;
  const { id: reference } = refund;
  return { kind: "refund", payment, references, ...aboutOf(null), at, reference, money };
};

// Other statuses mean that the dispute is still open, or was only a warning.
const endings: Readonly<Record<string, "dispute won" | "dispute lost" | undefined>> = {
  won: "dispute won",
  lost: "dispute lost",
};

/** Stripe has no date if evidence isn't accepted, and 0 in old versions of its API. */
const evidenceDue = ({ evidence_details: details }: Stripe.Dispute) =>
  details?.due_by ? new Date(details.due_by * 1000) : null;

const ofDispute = (
  dispute: Stripe.Dispute,
  isClosed: boolean,
  at: Date,
): PaymentNotification | null => {
  const [payment, ...references] = namesOf(dispute.payment_intent, dispute.charge);
  const outcome = isClosed ? (endings[dispute.status] ?? null) : "disputed";
  return payment && outcome
    ? {
        kind: "dispute",
        payment,
        references,
        ...aboutOf(null),
        at,
        outcome,
        dueAt: isClosed ? null : evidenceDue(dispute),
      }
    : null;
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
    case "invoice.marked_uncollectible":
      return ofInvoice(event.data.object, "failed", at);
    case "invoice.voided":
      return ofInvoice(event.data.object, "canceled", at);
    case "invoice_payment.paid":
      return ofInvoicePayment(event.data.object, at);
    case "charge.succeeded":
      return ofCharge(event.data.object, "succeeded", at);
    case "charge.failed":
      return ofCharge(event.data.object, "failed", at);
    case "charge.pending":
    case "charge.captured":
    case "charge.updated":
      return ofCharge(event.data.object, null, at);
    case "checkout.session.completed":
      return ofCheckout(event.data.object, at);
    case "customer.subscription.created":
    case "customer.subscription.updated":
      return ofBilling(event.data.object, false, at);
    case "customer.subscription.deleted":
      return ofBilling(event.data.object, true, at);
    case "payout.failed":
      return ofPayout(event.data.object, at);
    case "refund.created":
    case "refund.updated":
    case "refund.failed":
      return ofRefund(event.data.object, at);
    case "charge.dispute.created":
      return ofDispute(event.data.object, false, at);
    case "charge.dispute.closed":
      return ofDispute(event.data.object, true, at);
    default:
      return null;
  }
};

const toleranceMs = 300_000;

/** Whether a signature is from the future. Stripe's library refuses only old ones. */
const isAhead = (signature: string) =>
  Number(/(?:^|,)t=(\d+)/.exec(signature)?.[1]) * 1000 > Date.now() + toleranceMs;

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
      if (typeof signature !== "string" || !isSignedWith(secrets, check) || isAhead(signature))
        throw refusedSignature();
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
