import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import {
  paymentIntent,
  productWithProviders,
  stripeEvent,
} from "#modules/providers/testing/testing.ts";
import { moneyIn, monthly } from "./testing.ts";

const product = await productWithProviders();
const { postStripe, settleAll } = product;
const { putOnSale, newCustomer, buy, read, salesOf, requestRenewal } = await moneyIn(product);

const post = async (type: string, object: object) => {
  const posted = await postStripe(stripeEvent(type, object));
  expect(posted.statusCode).toBe(202);
  await settleAll();
};

/** A renewal for 12.00 that Stripe bills with an invoice, and Stripe's IDs of its payment. */
const requestPayment = async () => {
  const customer = await newCustomer();
  const { subscriptionId } = await buy(customer, await putOnSale([monthly(1200)]));
  await requestRenewal(subscriptionId);
  const [renewal] = await salesOf(customer, "renewal");
  const ids = { invoice: `in_${randomUUID()}`, intent: `pi_${randomUUID()}` };
  return { id: renewal?.id ?? "", subscriptionId, ...ids, charge: `ch_${randomUUID()}` };
};
type Requested = Awaited<ReturnType<typeof requestPayment>>;

const paidWith = {
  intent: ({ intent }: Requested) => ({ type: "payment_intent", payment_intent: intent }),
  // Only for charges without a payment intent.
  charge: ({ charge }: Requested) => ({ type: "charge", charge }),
} as const;

const invoicePayment = (requested: Requested, by: keyof typeof paidWith) => ({
  id: `inpay_${randomUUID()}`,
  object: "invoice_payment",
  invoice: requested.invoice,
  status: "paid",
  currency: "eur",
  amount_requested: 1200,
  amount_paid: 1200,
  is_default: true,
  payment: paidWith[by](requested),
});

/** Stripe leaves out the payments unless the endpoint includes them. */
const invoice = ({ invoice: id, subscriptionId }: Requested, payments: object[] | null = null) => ({
  id,
  object: "invoice",
  currency: "eur",
  amount_due: 1200,
  amount_paid: 1200,
  metadata: {},
  parent: {
    type: "subscription_details",
    subscription_details: { metadata: { purser_subscription: subscriptionId } },
  },
  ...(payments && { payments: { object: "list", data: payments, has_more: false } }),
});

const refundOf = (references: { payment_intent: string | null; charge: string | null }) => ({
  id: `re_${randomUUID()}`,
  object: "refund",
  amount: 500,
  currency: "eur",
  status: "succeeded",
  ...references,
});

const disputeOf = (references: { payment_intent: string | null; charge: string }) => ({
  id: `dp_${randomUUID()}`,
  object: "dispute",
  amount: 1200,
  currency: "eur",
  status: "needs_response",
  ...references,
});

test("M6 a refund finds the invoice that lists its payment intent", async () => {
  const requested = await requestPayment();
  const { id, intent } = requested;
  await post("invoice.paid", invoice(requested, [invoicePayment(requested, "intent")]));
  expect((await read(id)).state).toBe("succeeded");
  await post("refund.created", refundOf({ payment_intent: intent, charge: null }));
  expect(await read(id)).toMatchObject({ state: "partially refunded", refunded: 500 });
  expect(await read(id)).toMatchObject({
    references: expect.arrayContaining([requested.invoice, intent]),
  });
});

const sent = {
  invoice: (requested: Requested) => post("invoice.paid", invoice(requested)),
  payment: (requested: Requested) =>
    post("invoice_payment.paid", invoicePayment(requested, "intent")),
  refund: ({ intent }: Requested) =>
    post("refund.created", refundOf({ payment_intent: intent, charge: null })),
} as const;

test.each([
  [["invoice", "payment", "refund"]],
  [["payment", "invoice", "refund"]],
  [["refund", "payment", "invoice"]],
] as const)(
  "M6 a refund finds the invoice of its payment, received in the order %j",
  async (order) => {
    const requested = await requestPayment();
    for (const name of order) await sent[name](requested);
    // The refund may wait for the payment, and the payment for the invoice.
    for (const _ of order) await settleAll();
    expect(await read(requested.id)).toMatchObject({ state: "partially refunded", refunded: 500 });
  },
);

test("M6 a refund that names only the charge finds an invoice paid with it", async () => {
  const requested = await requestPayment();
  const { id, charge } = requested;
  await post("invoice.paid", invoice(requested));
  await post("invoice_payment.paid", invoicePayment(requested, "charge"));
  await post("refund.created", refundOf({ payment_intent: null, charge }));
  expect(await read(id)).toMatchObject({ state: "partially refunded", refunded: 500 });
});

test("M6 a dispute finds the invoice and takes its payment back", async () => {
  const requested = await requestPayment();
  const { id, intent, charge } = requested;
  await post("invoice.paid", invoice(requested));
  await post("invoice_payment.paid", invoicePayment(requested, "intent"));
  const dispute = disputeOf({ payment_intent: intent, charge });
  await post("charge.dispute.created", dispute);
  expect((await read(id)).state).toBe("disputed");
  await post("charge.dispute.closed", { ...dispute, status: "lost" });
  const details = await read(id);
  expect(details.state).toBe("charged back");
  expect(details.refunds).toMatchObject([{ kind: "chargeback", total: 1200 }]);
});

test("M6 a dispute that names only the charge finds the payment intent that created it", async () => {
  const { id, subscriptionId, intent, charge } = await requestPayment();
  const metadata = { purser_subscription: subscriptionId };
  const paid = paymentIntent(intent, 1200, { metadata, latest_charge: charge });
  await post("payment_intent.succeeded", paid);
  expect((await read(id)).state).toBe("succeeded");
  await post("charge.dispute.created", disputeOf({ payment_intent: null, charge }));
  expect((await read(id)).state).toBe("disputed");
});
