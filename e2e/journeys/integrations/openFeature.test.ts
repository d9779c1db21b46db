import { type Browser, expect, type Page } from "@playwright/test";
import { callApi } from "../../data/api.ts";
import { activateApp, makeApp } from "../../data/apps.ts";
import { makeUser } from "../../data/customers.ts";
import { activateFeature, makeFeature, seats } from "../../data/features.ts";
import { startOpenFeaturePage } from "../../environment/openFeaturePage.ts";
import { test } from "../../fixtures/test.ts";

// @nightly: The gate tests the protocol with the published provider for Node.js, and CORS over HTTP.

type Key = { secret: string };
type Details = { value: unknown; reason?: string; flagMetadata: Record<string, unknown> };
type Client = Record<
  "getBooleanDetails" | "getNumberDetails",
  (key: string, other: unknown) => Details
>;
type Sdk = {
  OpenFeature: {
    setProviderAndWait: (provider: object, context: object) => Promise<void>;
    getClient: () => Client;
  };
  OFREPWebProvider: new (options: object) => object;
};

const makeKey = (page: Page, appId: string, more: object) =>
  callApi<Key>(page, {
    method: "POST",
    path: `/apps/${appId}/keys`,
    body: { name: "web", scopes: ["entitlements:read"], ...more },
  });

type Settings = { baseUrl: string; headers: [string, string][]; user: string };

/** Opens a page of a sold app and connects its SDK. Returns why that failed, or null. */
const connect = async (browser: Browser, url: string, settings: Settings) => {
  const page = await (await browser.newContext()).newPage();
  await page.goto(url);
  await page.waitForFunction("window.openFeature");
  const failure = await page.evaluate(async ({ baseUrl, headers, user }) => {
    const { OpenFeature, OFREPWebProvider } = (window as unknown as { openFeature: Sdk })
      .openFeature;
    const provider = new OFREPWebProvider({ baseUrl, headers, pollInterval: 500 });
    return OpenFeature.setProviderAndWait(provider, { targetingKey: user }).then(
      () => null,
      (error: Error) => error.message,
    );
  }, settings);
  return { page, failure };
};

const ask = (page: Page, kind: keyof Client, code: string, other: unknown) =>
  page.evaluate(
    ([method, key, value]) =>
      (window as unknown as { openFeature: Sdk }).openFeature.OpenFeature.getClient()[
        method as keyof Client
      ](key as string, value),
    [kind, code, other] as const,
  );

test("the published web provider of OpenFeature gets the flags of a customer, and their changes @nightly", async ({
  ownerPage,
  browser,
  product,
}) => {
  using listed = await startOpenFeaturePage();
  using other = await startOpenFeaturePage();
  const app = await activateApp(ownerPage, await makeApp(ownerPage));
  const maps = await activateFeature(ownerPage, await makeFeature(ownerPage, {}, app));
  const crew = await activateFeature(ownerPage, await makeFeature(ownerPage, seats, app));
  const customer = await makeUser(ownerPage);
  const server = await makeKey(ownerPage, app.id, { kind: "server" });
  const web = await makeKey(ownerPage, app.id, { kind: "publishable", origins: [listed.origin] });
  const response = await fetch(`${product.origin}/api/customer-tokens`, {
    method: "POST",
    headers: { authorization: `Bearer ${server.secret}`, "content-type": "application/json" },
    body: JSON.stringify({ user: customer.email }),
  });
  const { token } = (await response.json()) as { token: string };
  const settings: Settings = {
    baseUrl: product.origin,
    headers: [
      ["Authorization", `Bearer ${web.secret}`],
      ["Purser-Customer-Token", token],
    ],
    user: customer.email,
  };

  const { page, failure } = await connect(browser, listed.origin, settings);
  expect(failure).toBeNull();
  expect(await ask(page, "getBooleanDetails", maps.code, true)).toMatchObject({
    value: false,
    reason: "DISABLED",
    flagMetadata: { allowed: false, reason: "not included" },
  });
  expect(await ask(page, "getNumberDetails", crew.code, -1)).toMatchObject({
    value: 3,
    reason: "DEFAULT",
    flagMetadata: { limit: 3, remaining: 3 },
  });
  expect(await ask(page, "getBooleanDetails", `${crew.code}.allowed`, false)).toMatchObject({
    value: true,
  });
  await callApi(ownerPage, {
    method: "POST",
    path: "/grants",
    body: { userId: customer.id, featureId: maps.id, value: true, endsAt: null, reason: "Test" },
  });
  await expect
    .poll(async () => (await ask(page, "getBooleanDetails", maps.code, false)).value)
    .toBe(true);

  // The browser doesn't let a page of another origin read the reply.
  const refused = await connect(browser, other.origin, settings);
  expect(refused.failure).not.toBeNull();
  expect((await ask(refused.page, "getBooleanDetails", maps.code, false)).value).toBe(false);
  for (const one of [page, refused.page]) await one.context().close();
});
