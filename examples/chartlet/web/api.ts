import { createClient } from "@purser/client";

/** What the server says about a request that it refused. */
class Refused extends Error {}

export const call = async <Reply>(method: string, path: string, body?: object): Promise<Reply> => {
  const response = await fetch(path, {
    method,
    ...(body && {
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    }),
  }).catch(() => {
    throw new Refused("Chartlet can't be reached. Try again soon.");
  });
  const reply = await response.json().catch(() => null);
  if (!response.ok) throw new Refused(reply?.detail ?? "Something went wrong. Try again.");
  return reply;
};

/** Asks Chartlet's own server, which knows the signed-in user, so the page has no key. */
export const purser = createClient({ url: location.origin, key: "page" });

export type Me = { id: string; email: string; name: string };
export type Package = {
  id: string;
  name: string;
  description: string;
  prices: { currency: string; amount: number; interval: string }[];
};
export type Subscription = {
  status: string;
  periodEnd: string;
  package: { id: string; name: string };
};
export type Order = { order: string; total: number; due: number; currency: string };

export const money = (amount: number, currency: string) =>
  new Intl.NumberFormat("en-US", { style: "currency", currency }).format(amount / 100);
export const day = (iso: string) =>
  new Intl.DateTimeFormat("en-US", { dateStyle: "long" }).format(new Date(iso));
