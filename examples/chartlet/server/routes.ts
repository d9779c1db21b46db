import type { IncomingMessage, ServerResponse } from "node:http";
import { verifyWebhook } from "@purser/client/webhooks";
import { defaultColor, drawChart, readBars } from "../chart.ts";
import type { Entitlements } from "./entitlements.ts";
import { readBody, readFields, send, sessionOf, setSession } from "./requests.ts";
import { Refusal, type Sales } from "./sales.ts";
import type { Store, User } from "./store.ts";

type Parts = { store: Store; entitlements: Entitlements; sales: Sales; webhookSecret: string };
type Route = (request: IncomingMessage, response: ServerResponse, url: URL) => Promise<void>;
type OwnRoute = (user: User, ...rest: Parameters<Route>) => Promise<void>;

/** Tells Purser about a user. While it can't be reached, `introduceAll` does so later. */
const introduce = async ({ store, entitlements }: Parts, user: User) => {
  const { ok } = await entitlements.introduce(user).catch(() => ({ ok: false }));
  if (!ok) return;
  store.setKnown(user.id);
  await entitlements.renew(user.id);
};

export const introduceAll = async (parts: Parts) => {
  for (const user of parts.store.unknownUsers()) await introduce(parts, user);
};

const accountRoutes = (parts: Parts): Record<string, Route> => {
  const { store } = parts;
  return {
    "POST /sign-up": async (request, response) => {
      const { email = "", name = "", password = "" } = await readFields(request);
      if (!/^\S+@\S+\.\S+$/.test(email) || name.trim() === "" || password.length < 8)
        return send(response, 400, {
          detail: "Enter a name, an email address and a password of at least 8 characters.",
        });
      // A real product verifies the address first: packages of a customer come with it.
      const user = store.addUser(email.toLowerCase(), name.trim(), password);
      if (!user)
        return send(response, 409, { detail: "This email address has an account. Sign in." });
      await introduce(parts, user);
      setSession(response, store.startSession(user.id));
      send(response, 201, user);
    },
    "POST /sign-in": async (request, response) => {
      const { email = "", password = "" } = await readFields(request);
      const user = store.findUser(email.toLowerCase(), password);
      if (!user) return send(response, 401, { detail: "Email address or password is wrong." });
      setSession(response, store.startSession(user.id));
      send(response, 200);
    },
    "POST /sign-out": async (request, response) => {
      store.endSession(sessionOf(request));
      setSession(response, "");
      send(response, 200);
    },
    "GET /me": async (request, response) => {
      const user = store.userOfSession(sessionOf(request));
      send(response, 200, user ?? null);
    },
  };
};

const shopRoutes = ({ sales, entitlements }: Parts): Record<string, OwnRoute> => {
  /** The answers of this user include the change that was made at that moment. */
  const follow = async (user: User, changedAt: number) => {
    await entitlements.renew(user.id);
    await entitlements.check(user.id, "exports", changedAt);
    await entitlements.check(user.id, "brand-color", changedAt);
  };
  return {
    "GET /subscription": async ({ id }, _request, response) =>
      send(response, 200, await sales.subscription(id)),
    "POST /orders": async (user, request, response) => {
      const { packageId = "" } = await readFields(request);
      send(response, 201, await sales.startOrder(user, packageId));
    },
    "POST /payments": async (user, request, response) => {
      const { order = "" } = await readFields(request);
      await follow(user, await sales.pay(user, order));
      send(response, 201);
    },
    "POST /cancellations": async (user, _request, response) => {
      await follow(user, await sales.cancel(user.id));
      send(response, 201);
    },
  };
};

const chartRoutes = ({ entitlements }: Parts): Record<string, OwnRoute> => ({
  "POST /exports": async ({ id: user }, request, response) => {
    const { title = "", rows = "", color = "" } = await readFields(request);
    const bars = readBars(rows);
    if (!bars) return send(response, 400, { detail: "Enter a label and a number in each line." });
    const { allowed, source } = await entitlements.countExport(user);
    // A customer that Purser has never answered for.
    if (!allowed && source === "fallback") throw new Error("The exports of a user are unknown.");
    if (!allowed) return send(response, 402, { detail: "You have no exports left this month." });
    const mayColor = (await entitlements.check(user, "brand-color")).allowed;
    const isColor = /^#[0-9a-f]{6}$/.test(color);
    send(response, 201, {
      svg: drawChart(title, bars, mayColor && isColor ? color : defaultColor),
    });
  },
  // The page has the SDK too. It asks this server, which knows who is signed in and answers without Purser as well.
  "GET /api/v1/check": async ({ id }, _request, response, { searchParams }) => {
    const feature = searchParams.get("feature") === "exports" ? "exports" : "brand-color";
    send(response, 200, await entitlements.check(id, feature));
  },
  "GET /api/v1/check/all": async ({ id }, _request, response) =>
    send(response, 200, { items: await entitlements.checkAll(id) }),
});

const webhookRoute =
  ({ store, entitlements, webhookSecret }: Parts): Route =>
  async (request, response) => {
    const received = { body: await readBody(request), headers: request.headers };
    const verified = await verifyWebhook({ ...received, secret: webhookSecret }).catch(() => null);
    if (!verified) return send(response, 400);
    const { id, event } = verified;
    const user = event.data.user?.externalId;
    if (store.addWebhook(id) && user) void entitlements.renew(user);
    send(response, 204);
  };

/** Answers the requests of the page and the webhooks of Purser. Returns false for anything else. */
export const createRoutes = (parts: Parts) => {
  const routes: Record<string, Route> = {
    ...accountRoutes(parts),
    "GET /packages": async (_request, response) => {
      send(response, 200, (await parts.sales.packages()) ?? []);
    },
    "POST /webhooks/purser": webhookRoute(parts),
  };
  const ownRoutes: Record<string, OwnRoute> = { ...shopRoutes(parts), ...chartRoutes(parts) };

  const answer = async (name: string, ...given: Parameters<Route>) => {
    const [request, response] = given;
    const route = routes[name];
    if (route) return route(...given);
    const user = parts.store.userOfSession(sessionOf(request));
    if (!user) return send(response, 401, { detail: "Sign in first." });
    return ownRoutes[name]?.(user, ...given);
  };

  return async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    const name = `${request.method} ${url.pathname}`;
    if (!Object.hasOwn(routes, name) && !Object.hasOwn(ownRoutes, name)) return false;
    try {
      await answer(name, request, response, url);
    } catch (error) {
      const isRefused = error instanceof Refusal;
      const detail = isRefused ? error.message : "This isn't possible right now. Try again soon.";
      if (!isRefused) process.stderr.write(`${name}: ${error}\n`);
      send(response, isRefused ? 409 : 503, { detail });
    }
    return true;
  };
};
