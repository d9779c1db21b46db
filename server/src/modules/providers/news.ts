import type { IncomingHttpHeaders } from "node:http";
import type { PaidFor, paymentOutcomes } from "@purser/contract/providers";

export type Money = { amount: number; currency: string };

/** What a provider tells of a payment, in our words. */
export type News = {
  /** The payment, as the provider calls it. */
  payment: string;
  /** Our transaction's number, or our subscription, where the provider knows them. */
  number: string | null;
  subscriptionId: string | null;
  at: Date;
} & (
  | {
      kind: "payment";
      outcome: (typeof paymentOutcomes)[number];
      money: Money | null;
      sale: PaidFor | null;
    }
  | { kind: "refund"; reference: string; money: Money }
  | { kind: "dispute"; outcome: "disputed" | "dispute won" | "dispute lost" }
);

export type Provider = {
  name: string;
  /** What of it names the event, or a refusal: it must be signed, and new. */
  verify: (
    signed: Buffer,
    headers: IncomingHttpHeaders,
  ) => { eventId: string; type: string; at: Date };
  /** What an event says; null where it is none of our concern. */
  newsOf: (body: string) => News | null;
  /** Asks what became of a payment. */
  ask?: (payment: string) => Promise<News | null>;
};
