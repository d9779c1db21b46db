import { randomBytes, randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import Stripe from "stripe";
import { type TestProduct, testProduct } from "../../../testing.ts";
import { configuredProviders } from "../configuredProviders.ts";
import { settleEvent } from "../jobs.ts";

export const stripeSecrets = ["whsec_first", "whsec_second"] as const;
const bankSecret = `whsec_${randomBytes(24).toString("base64")}`;
const zone = "Europe/Tallinn";

/** A product with Stripe and a bank as providers, and functions that send events as they would. */
export const productWithProviders = async (environment: Record<string, string> = {}) => {
  const product: TestProduct = await testProduct({
    environment: {
      STRIPE_WEBHOOK_SECRETS: stripeSecrets.join(","),
      PROVIDER_SECRETS: `bank:${bankSecret}`,
      COMPANY_TIME_ZONE: zone,
      ...environment,
    },
  });
  const { app, platform, owner, config } = product;
  const providers = configuredProviders(config);

  const post = (provider: string, payload: string, headers: Record<string, string>) =>
    app.inject({
      method: "POST",
      url: `/api/providers/${provider}/events`,
      headers: { "content-type": "application/json", ...headers },
      payload,
    });

  type Signed = { secret?: string; timestamp?: number };
  const postStripe = (event: object, { secret = stripeSecrets[0], timestamp }: Signed = {}) => {
    const payload = JSON.stringify(event);
    const signature = Stripe.webhooks.generateTestHeaderString({
      payload,
      secret,
      ...(timestamp !== undefined && { timestamp }),
    });
    return post("stripe", payload, { "stripe-signature": signature });
  };

  const postBank = (event: object, { id = randomUUID(), at = new Date() } = {}) => {
    const payload = JSON.stringify(event);
    return post("bank", payload, {
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(+at / 1000)),
      "webhook-signature": new Webhook(bankSecret).sign(id, at, payload),
    });
  };

  /** Settles every waiting event, as a worker would, including those that settling one enqueues. */
  const settleAll = async (now = new Date()) => {
    const { rows } = await owner.query<{ id: string }>(
      "select id from provider_events where outcome = 'waiting' order by received_at, id",
    );
    const waiting = rows.map(({ id }) => id);
    for (let id = waiting.shift(); id; id = waiting.shift())
      await platform.db.transaction().execute((db) =>
        settleEvent(db, id ?? "", {
          providers,
          when: { now, zone },
          again: async (other, at) => void (at ?? waiting.push(other)),
        }),
      );
  };

  return { ...product, providers, post, postStripe, postBank, settleAll, zone };
};

const seconds = () => Math.floor(Date.now() / 1000);

/** A Stripe event with the fields that Purser reads. */
export const stripeEvent = (type: string, object: object, created = seconds()) => ({
  id: `evt_${randomUUID()}`,
  object: "event",
  type,
  created,
  data: { object },
});

export const paymentIntent = (id: string, amount: number, more: object = {}) => ({
  id,
  object: "payment_intent",
  currency: "eur",
  amount,
  amount_received: amount,
  metadata: {},
  ...more,
});
