import type { IncomingHttpHeaders } from "node:http";
import type { PaidFor, paymentOutcomes } from "@purser/contract/transactions/providerEvents";

export type Money = { amount: number; currency: string };

/** What a provider says about a payment, in Purser's terms. */
export type PaymentNotification = {
  /** The provider's ID of the payment. */
  payment: string;
  /** Its other names, such as the charge and the invoice. Each of them finds the transaction. */
  references?: readonly string[];
  /** Our transaction's number or our subscription, if the provider knows it. */
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
  | {
      kind: "dispute";
      outcome: "disputed" | "dispute won" | "dispute lost";
      /** Until when evidence can be sent, if the provider says so. */
      dueAt: Date | null;
    }
  /** Only says which names belong to the same payment. */
  | { kind: "names" }
  /** Says who bills the renewals of a subscription, or that they ended. */
  | { kind: "billing"; reference: string; isOver: boolean }
  /** Something that a team member has to look at. */
  | { kind: "notice"; words: string }
);

export type Provider = {
  name: string;
  /** Identifies the event. Throws a problem unless the event is signed and recent. */
  verify: (
    signed: Buffer,
    headers: IncomingHttpHeaders,
  ) => { eventId: string; type: string; at: Date };
  /** Returns null for events that don't concern a payment. */
  notificationOf: (body: string) => PaymentNotification | null;
  /** Requests the current state of a payment. */
  lookUp?: (payment: string) => Promise<PaymentNotification | null>;
};
