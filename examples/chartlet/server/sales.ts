import { randomUUID } from "node:crypto";
import type { Store, User } from "./store.ts";

type Price = { currency: string; amount: number; interval: string };
type Package = { id: string; name: string; description: string; prices: Price[] };
type Subscription = {
  id: string;
  version: number;
  status: string;
  periodEnd: string;
  package: { id: string; name: string };
};
type Order = {
  id: string;
  user: string;
  packageId: string;
  at: string;
  total: number;
  due: number;
};

/** Purser refused the request, with a text for the customer. */
export class Refusal extends Error {}

type Backend = { url: string; key: string };
type Sent = { body?: unknown; version?: number; order?: string };

const caller =
  ({ url, key }: Backend) =>
  async (method: string, path: string, { body, version, order }: Sent = {}) => {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(method === "POST" && { "idempotency-key": order ?? randomUUID() }),
        ...(version !== undefined && { "if-match": `"${version}"` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(5000),
    });
    const reply = await response.json();
    if (response.status < 500 && !response.ok) throw new Refusal(reply.detail ?? reply.title);
    if (!response.ok) throw new Error(`Purser answered ${response.status}.`);
    return { reply, changedAt: Number(response.headers.get("purser-version")) };
  };

/** The newest reply, or the last one while Purser can't be reached. */
const keeper =
  (store: Store) =>
  async <Reply>(name: string, load: () => Promise<Reply>) => {
    try {
      const reply = await load();
      store.kept.setItem(name, JSON.stringify(reply));
      return reply;
    } catch {
      return JSON.parse(store.kept.getItem(name) ?? "null") as Reply | null;
    }
  };

/** What Chartlet's backend does with its service account: prices, sales and cancellations. */
export const createSales = (backend: Backend, store: Store) => {
  const send = caller(backend);
  const kept = keeper(store);

  const loadSubscription = async (user: string): Promise<Subscription | null> => {
    const { reply } = await send("GET", `/customers/${user}?app=chartlet`);
    const subscriptions: Subscription[] = reply.subscriptions;
    return subscriptions.find(({ status }) => status !== "ended") ?? null;
  };

  const saleOf = (email: string, { packageId, at }: { packageId: string; at: string }) => ({
    email,
    packageId,
    currency: "EUR",
    interval: "month",
    occurredAt: at,
  });

  return {
    packages: () =>
      kept("packages", async (): Promise<Package[]> => {
        const query = "f=group:is:chartlet&f=status:any:active&sort=sort";
        const { reply } = await send("GET", `/packages?${query}`);
        return reply.items.map(({ id, name, description, prices }: Package) => {
          return { id, name, description, prices };
        });
      }),
    subscription: (user: string) => kept(`subscription:${user}`, () => loadSubscription(user)),
    /** What a package costs this user now, with credit for the unused part of another one. */
    startOrder: async ({ id: user, email }: User, packageId: string) => {
      const at = new Date().toISOString();
      const body = saleOf(email, { packageId, at });
      const { reply } = await send("POST", "/transactions/quote", { body });
      const [{ total, currency }, { due }] = [reply.quote, reply.payment];
      const order: Order = { id: randomUUID(), user, packageId, at, total, due };
      store.kept.setItem(`order:${order.id}`, JSON.stringify(order));
      return { order: order.id, total, due, currency };
    },
    /** Takes the payment and records the sale, once. Returns when entitlements changed. */
    pay: async ({ id: user, email }: User, orderId: string) => {
      const order: Order | null = JSON.parse(store.kept.getItem(`order:${orderId}`) ?? "null");
      if (order?.user !== user) throw new Refusal("There is no such order.");
      // A real shop charges a card here, and its reference is the payment's.
      const reference = `Chartlet ${order.id}`;
      const { total, due } = order;
      const body = { ...saleOf(email, order), state: "succeeded", reference, total, due };
      return (await send("POST", "/transactions", { body, order: order.id })).changedAt;
    },
    /** Cancels at the end of the paid period. */
    cancel: async (user: string) => {
      const subscription = await loadSubscription(user);
      if (!subscription) throw new Refusal("There is no subscription.");
      const body = { when: "period end", reason: "Canceled by the customer" };
      const path = `/subscriptions/${subscription.id}/cancel`;
      const { version } = subscription;
      return (await send("POST", path, { body, version })).changedAt;
    },
  };
};
export type Sales = ReturnType<typeof createSales>;
