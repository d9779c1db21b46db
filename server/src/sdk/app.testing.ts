import { createAppKey } from "@purser/contract/apps/keys";
import { expect } from "vitest";
import { grantsIn } from "../modules/entitlements/testing/testing.ts";
import { catalogIn } from "../modules/packages/testing/testing.ts";
import { testProduct } from "../testing.ts";
import { openProxy } from "./proxy.testing.ts";

/** A product that listens, with an app of two features, a package with both, and a proxy before it. */
export const soldApp = async () => {
  const product = await testProduct();
  const admin = await product.signIn("admin");
  const catalog = catalogIn(product, admin);
  const grants = grantsIn(product, admin);
  const app = await catalog.newApp();
  const metered = { kind: "metered", reset: "month", combining: "sum", defaultValue: 0 };
  const exported = await catalog.newLimit(app.id, "Exports", { ...metered, code: "exports" });
  const onOff = { kind: "switch", unit: null, defaultValue: false };
  const maps = await catalog.newLimit(app.id, "Offline maps", { ...onOff, code: "offline-maps" });
  const pro = await catalog.newPackage({ name: "Pro" });
  await catalog.give(pro.id, exported, 20_000);
  await catalog.give(pro.id, maps, true);
  await catalog.publish(pro.id);

  const newKey = async (more: object = {}) => {
    const scopes = ["entitlements:read" as const, "usage:write" as const];
    const body = { name: "Server", kind: "server" as const, scopes, ...more };
    const made = await product.call(admin, createAppKey, { params: { id: app.id }, body });
    expect(made.status, made.text).toBe(201);
    return { id: made.body.id, key: made.body.secret };
  };

  const newSubscriber = async (email?: string) => {
    const customer = await grants.newCustomer(email ? { email } : {});
    const granted = await grants.grantTo(customer.email, { packageId: pro.id });
    expect(granted.status, granted.text).toBe(201);
    return { ...customer, grantId: granted.body.id };
  };

  const address = await product.app.listen({ host: "127.0.0.1", port: 0 });
  const proxy = await openProxy(address);
  return {
    product,
    admin,
    app,
    exported,
    maps,
    pro,
    newKey,
    newSubscriber,
    proxy,
    address,
    grants,
  };
};
