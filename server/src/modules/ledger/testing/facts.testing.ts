import type { DiscountTerms, Item } from "./history.testing.ts";

// The engine and the oracle get the same facts. A fact has no amount that one of them calculates.

export type ChargedItem = Item & { id: string; thing: string };

export type ChargeFact = {
  fact: "charge";
  id: string;
  customer: string;
  currency: string;
  at: Date;
  kind: "purchase" | "renewal" | "change";
  /** What is renewed or changed. */
  subscription: string | null;
  items: readonly ChargedItem[];
  freeDays: number;
  discount: DiscountTerms | null;
  /** Counted from 1, for discounts that last. */
  payment: number;
  useBalance: boolean;
  rest: "balance" | "payment method";
  /** Another quantity for the rest of the current period, at a price in proportion. */
  keepsPeriod?: boolean;
};

export type RefundFact = {
  fact: "refund";
  id: string;
  transaction: string;
  at: Date;
  of: "full" | "unused" | "amount";
  /** By line. */
  amounts: readonly number[];
  to: "balance" | "payment method";
};

export type Fact =
  | ChargeFact
  | RefundFact
  | { fact: "payment"; transaction: string; at: Date }
  | { fact: "withdrawal"; transaction: string }
  | { fact: "pause" | "resume" | "end"; subscription: string; at: Date }
  /** The bank or the provider took the money back: all that was paid if the amount is null. */
  | { fact: "money back"; id: string; transaction: string; amount: number | null }
  | { fact: "fee"; id: string; customer: string; currency: string; amount: number }
  /** Limited to the balance if it is negative. */
  | { fact: "team credit"; id: string; customer: string; currency: string; amount: number }
  /** Limited to what the customer owes. */
  | { fact: "write-off"; id: string; customer: string; currency: string; amount: number };

/** What follows from a fact, in the form in which engine and oracle are compared. */
export type Outcome = {
  /** Net and tax by line. */
  lines: Record<string, readonly [number, number]>;
  payment: { fromCredits: number; fromBalance: number; due: number; toBalance: number } | null;
  /** Such as "T1.1 2027-03-01T00:00:00.000Z/2027-04-01T00:00:00.000Z 100 + 19". */
  credits: readonly string[];
  /** Amounts by account, by kind and source of the entry. */
  entries: Record<string, Record<string, number>>;
};

export const providerOf = (customer: string) => (customer === "A" ? "stripe" : "manual");

export const walletOf = ({ customer, currency }: { customer: string; currency: string }) =>
  `${customer} ${currency}`;

type Taken = { line: string; from: number | null; until: number; net: number; tax: number };

export const shownCredit = ({ line, from, until, net, tax }: Taken) => {
  const time = from === null ? "" : `${new Date(from).toJSON()}/${new Date(until).toJSON()} `;
  return `${line} ${time}${net} + ${tax}`;
};

/** Sorted, so that it can be compared as text. */
export const sorted = <T>(entries: Iterable<readonly [string, T]>): Record<string, T> =>
  Object.fromEntries([...entries].sort(([one], [other]) => (one < other ? -1 : 1)));
