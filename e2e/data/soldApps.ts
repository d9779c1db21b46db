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
  defaultValue: 10,
};

/** An app with ten exports a month for everyone and a switch for no one, a key, and a customer. */
export const makeSoldApp = async (page: Page) => {
  const app = await activateApp(page, await makeApp(page));
  await activateFeature(page, await makeFeature(page, metered, app));
  const maps = await activateFeature(page, await makeFeature(page, { code: "maps" }, app));
  const scopes = ["entitlements:read", "usage:write"];
  const { id, secret } = await callApi<{ id: string; secret: string }>(page, {
    method: "POST",
    path: `/apps/${app.id}/keys`,
    body: { name: "Server", kind: "server", scopes },
  });
  const customer = await makeUser(page);
  return {
    app,
    key: secret,
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
