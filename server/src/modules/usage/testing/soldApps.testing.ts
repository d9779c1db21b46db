import { appKeysIn } from "#modules/entitlements/testing/appKeys.testing.ts";
import { grantsIn } from "#modules/entitlements/testing/testing.ts";
import { catalogIn } from "#modules/packages/testing/testing.ts";
import type { TestProduct } from "#testing.ts";
import { appCallsIn } from "./testing.ts";

export const metered = { kind: "metered", reset: "month", combining: "sum", defaultValue: 0 };

type Admin = Parameters<typeof catalogIn>[1];

/** Makes apps with one metered feature, a key, and a customer who has 3 of it. */
export const soldAppsIn = (product: TestProduct, admin: Admin) => {
  const { newApp, newLimit, newPackage, give, publish } = catalogIn(product, admin);
  const { newCustomer, grantTo } = grantsIn(product, admin);
  const { newServerKey } = appKeysIn(product, admin);
  return async () => {
    const app = await newApp();
    const feature = await newLimit(app.id, "Exports", metered);
    const studio = await newPackage();
    await give(studio.id, feature, 3);
    await publish(studio.id);
    const customer = await newCustomer();
    await grantTo(customer.email, { packageId: studio.id });
    const other = await newCustomer();
    const { id: keyId, headers } = await newServerKey(app.id);
    return { app, feature, customer, other, keyId, headers, ...appCallsIn(product, headers) };
  };
};
