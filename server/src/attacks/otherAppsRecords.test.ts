import { randomUUID } from "node:crypto";
import { getCallingApp } from "@purser/contract/apps/keys";
import { checkFeature, checkFeatures } from "@purser/contract/entitlements/explanation";
import { getSnapshot } from "@purser/contract/entitlements/snapshots";
import type { Endpoint } from "@purser/contract/http/endpoint";
import { consumeUsage, reserveUsage } from "@purser/contract/usage/endpoints";
import { expect, test } from "vitest";
import { appKeysIn } from "#modules/entitlements/testing/appKeys.testing.ts";
import { grantsIn } from "#modules/entitlements/testing/testing.ts";
import { catalogIn } from "#modules/packages/testing/testing.ts";
import { testProduct } from "../testing.ts";
import { placesOf } from "./testing/namedRecords.testing.ts";

const product = await testProduct();
const { call, signIn } = product;
const admin = await signIn("admin");
const shop = catalogIn(product, admin);
const { newCustomer, grantTo } = grantsIn(product, admin);
const keys = appKeysIn(product, admin);

const asksForFeature = (endpoint: Endpoint) =>
  endpoint === checkFeature || endpoint === consumeUsage || endpoint === reserveUsage;

/** A snapshot is a signed token, whose second part has the answers. */
const readable = (text: string) =>
  text + Buffer.from(/"token":"[^."]+\.([^."]+)/.exec(text)?.[1] ?? "", "base64url").toString();

// Reservations are named in the path (usage.test.ts).
const places = placesOf("app").filter(({ endpoint }) => !endpoint.params);

test.each(places)(
  "T24 D1 $name ($place): a key finds only what its app has, a token only its customer",
  async ({ name, endpoint }) => {
    const [mine, other] = [await shop.newApp(), await shop.newApp()];
    const seats = await shop.newLimit(mine.id, "Seats", { defaultValue: 0 });
    const sold = await shop.newPackage();
    await shop.give(sold.id, seats, 5);
    await shop.publish(sold.id);
    const [anna, bert] = [await newCustomer(), await newCustomer()];
    await grantTo(anna.email, { packageId: sold.id });
    const [server, foreign] = [await keys.newServerKey(mine.id), await keys.newServerKey(other.id)];
    const page = await keys.newPublishableKey(mine.id);
    const by = (headers: Record<string, string>, user?: string) =>
      call(null, endpoint, {
        ...(endpoint.query && {
          query: {
            ...(user && { user }),
            ...(asksForFeature(endpoint) && { feature: seats.code }),
          },
        }),
        ...(endpoint.body && {
          body: {
            user,
            ...(asksForFeature(endpoint) && { id: randomUUID(), feature: seats.code }),
          },
        }),
        headers,
      } as never);
    expect((await by(server.headers, anna.id)).status).toBeLessThan(300);
    if (asksForFeature(endpoint)) expect((await by(foreign.headers, anna.id)).status).toBe(404);
    if (endpoint === checkFeatures || endpoint === getSnapshot)
      expect(readable((await by(foreign.headers, anna.id)).text)).not.toContain(seats.code);
    const ofAnna = keys.withToken(page.headers, await keys.newToken(server.headers, anna.id));
    const ofBert = keys.withToken(page.headers, await keys.newToken(server.headers, bert.id));
    const foreignToken = await keys.newToken(foreign.headers, anna.id);
    expect((await by(ofAnna, bert.id)).status, name).toBeGreaterThanOrEqual(400);
    expect((await by(keys.withToken(page.headers, foreignToken))).status).toBeGreaterThanOrEqual(
      400,
    );
    if (!endpoint.publishable) return;
    expect(readable((await by(ofAnna)).text)).toContain('"value":5');
    expect(readable((await by(ofBert)).text)).not.toContain('"value":5');
  },
);

test("T24 a key only describes its own app", async () => {
  const [mine, other] = [await shop.newApp(), await shop.newApp()];
  const { headers } = await keys.newServerKey(mine.id);
  const { body, text } = await call(null, getCallingApp, { headers });
  expect(body.app.code).toBe(mine.code);
  expect(text).not.toContain(other.code);
});
