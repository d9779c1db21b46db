import type { Page } from "@playwright/test";
import { callApi } from "./api.ts";
import { activateApp, makeApp } from "./apps.ts";
import { makeUser } from "./customers.ts";
import { activateFeature, makeFeature } from "./features.ts";

const metered = {
  code: "exports",
  kind: "metered",
  unit: { one: "export", many: "exports" },
  reset: "month",
  combining: "sum",
};

/** An app with an API key and a customer. Everyone has a number of exports a month, and nobody has the switch. */
export const makeSoldApp = async (page: Page, exported = 10) => {
  const app = await activateApp(page, await makeApp(page));
  const exports = await activateFeature(
    page,
    await makeFeature(page, { ...metered, defaultValue: exported }, app),
  );
  const maps = await activateFeature(page, await makeFeature(page, { code: "maps" }, app));
  const scopes = ["entitlements:read", "usage:write"];
  const makeKey = (name: string) =>
    callApi<{ id: string; secret: string }>(page, {
      method: "POST",
      path: `/apps/${app.id}/keys`,
      body: { name, kind: "server", scopes },
    });
  const { id, secret } = await makeKey("Server");
  const customer = await makeUser(page);
  return {
    app,
    features: { exports, maps },
    key: secret,
    newKey: async (name = "Second") => (await makeKey(name)).secret,
    customer,
    newCustomer: () => makeUser(page),
    /** Gives the customer the switch. */
    grantMaps: (userId: string) =>
      callApi(page, {
        method: "POST",
        path: "/grants",
        body: { userId, featureId: maps.id, value: true, endsAt: null, reason: "Test" },
      }),
    revokeKey: () =>
      callApi(page, { method: "POST", path: `/apps/${app.id}/keys/${id}/revoke`, body: {} }),
  };
};
export type SoldApp = Awaited<ReturnType<typeof makeSoldApp>>;
