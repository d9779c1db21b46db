import { randomUUID } from "node:crypto";
import {
  cancelSubscription,
  extendSubscription,
  listSubscriptions,
  pauseSubscription,
  resumeSubscription,
} from "@purser/contract/subscriptions/endpoints";
import { type TestProduct, testProduct } from "#testing.ts";
import { shopIn } from "../../transactions/testing/testing.ts";
import { appCallsIn, keyIn } from "../../usage/testing/testing.ts";

/** What a team member does with the subscriptions of customers. */
const actionsIn = ({ call }: TestProduct, admin: { cookie: string }) => {
  const findSubscription = async (user: string, packageId: string) => {
    const { body } = await call(admin, listSubscriptions, { params: { id: user } });
    return body.items.find((one) => one.package.id === packageId && one.status !== "ended");
  };

  const subscriptionOf = async (user: string, packageId: string) => {
    const found = await findSubscription(user, packageId);
    if (!found) throw new Error("The customer has no such subscription.");
    return { params: { id: found.id }, version: found.version };
  };

  const reason = "A rest.";
  const change = async (changed: Promise<{ status: number; text: string }>) => {
    const { status, text } = await changed;
    if (status !== 200) throw new Error(text);
  };

  return {
    findSubscription,
    subscriptionOf,
    pause: async (user: string, packageId: string) =>
      change(
        call(admin, pauseSubscription, {
          ...(await subscriptionOf(user, packageId)),
          body: { reason },
        }),
      ),
    resume: async (user: string, packageId: string) =>
      change(
        call(admin, resumeSubscription, {
          ...(await subscriptionOf(user, packageId)),
          body: { reason },
        }),
      ),
    end: async (user: string, packageId: string) =>
      change(
        call(admin, cancelSubscription, {
          ...(await subscriptionOf(user, packageId)),
          body: { when: "now", reason },
        }),
      ),
    extend: async (user: string, packageId: string, days: number) =>
      change(
        call(admin, extendSubscription, {
          ...(await subscriptionOf(user, packageId)),
          body: { days, reason },
        }),
      ),
  };
};

/** A shop whose clock is moved, with metered features that follow the paid period. */
export const openAllowances = async (start: number) => {
  let now = start;
  const product = await testProduct({ clock: { now: () => now } });
  const shop = await shopIn(product);
  const { admin } = shop;

  const app = await shop.newApp();
  const shape = { kind: "metered", combining: "sum", defaultValue: 0, anchor: "subscription" };
  const monthly = await shop.newLimit(app.id, "Exports", { ...shape, reset: "month" });
  const weekly = await shop.newLimit(app.id, "Renders", { ...shape, reset: "week" });
  const daily = await shop.newLimit(app.id, "Calls", { ...shape, reset: "day" });
  const yearly = await shop.newLimit(app.id, "Reports", { ...shape, reset: "year" });
  const prices = [
    { currency: "EUR", amount: 1000, interval: "month" },
    { currency: "EUR", amount: 9000, interval: "year" },
  ];
  const metered = [monthly, weekly, daily, yearly];
  const newPackage = async (value: number, details: object = {}, { perUnit = false } = {}) => {
    const own = prices.map((price) => ({ ...price, perUnit }));
    const pack = await shop.newPackage({ prices: own, ...details });
    for (const one of metered) await shop.give(pack.id, one, value);
    if (perUnit)
      await shop.edit(pack.id, { perUnit: metered.map(({ id }) => ({ featureId: id, perUnit })) });
    await shop.publish(pack.id);
    return pack;
  };
  const calls = appCallsIn(product, await keyIn(product, admin, app.id));

  /** Sessions end sooner than paid periods. */
  const at = async (date: string) => {
    now = Date.parse(date);
    admin.cookie = (await product.signIn("owner")).cookie;
  };

  const use = async (user: string, feature: string, amount: number) => {
    const { body, text } = await calls.consume({ user, feature, amount });
    if (body.result !== "recorded") throw new Error(text);
  };

  const newEmail = () => `${randomUUID()}@example.com`;

  const buy = async (email: string, packageId: string, details: object = {}) => {
    const occurredAt = new Date(now - 1000).toISOString();
    const { user } = await shop.sell(shop.saleOf(packageId, { email, occurredAt, ...details }));
    return user?.id ?? "";
  };

  return {
    product,
    shop,
    app,
    features: {
      month: monthly.code,
      week: weekly.code,
      day: daily.code,
      year: yearly.code,
    },
    monthly,
    newPackage,
    ...calls,
    use,
    at,
    nowIso: () => new Date(now).toISOString(),
    newEmail,
    buy,
    ...actionsIn(product, admin),
  };
};
