import { randomBytes } from "node:crypto";
import { type BrowserContext, expect, type Page } from "@playwright/test";
import { unpackLatest, unpackOldest } from "../../../bench/src/drills/previousRelease.ts";
import {
  type Answer,
  type Client,
  createClient,
  type Options,
  type UsageStorage,
} from "../../../client/src/index.ts";
import { withLeases } from "../../../client/src/leases.ts";
import { attachSnapshots } from "../../../client/src/snapshots.ts";
import { makeSoldApp, type SoldApp } from "../../data/soldApps.ts";
import { type Product, startProduct } from "../../environment/product.ts";
import { type SoldAppPage, startSoldAppPage } from "../../environment/soldAppPage.ts";
import { test } from "../../fixtures/test.ts";
import { openOwnerPage } from "../../pages/ownerPage.ts";

// The built package in Chromium. The other tests of the SDK run in Node, next to its code and in `server/src/sdk`.

type Window = {
  sdk: {
    createClient: (options: Options) => Client;
    webStorage: (storage: Storage) => UsageStorage;
    attachSnapshots: typeof attachSnapshots;
    show: (client: Client, user: string) => void;
  };
  client: Client;
  snapshots: ReturnType<typeof attachSnapshots>;
};

/** Opens the page, or loads it again, with a client of its own. */
const start = async (page: Page, { url }: Pick<SoldAppPage, "url">, { app, customer }: SoldApp) => {
  await page.goto(url);
  await page.waitForFunction("window.sdk");
  await page.evaluate(
    ({ code, user }) => {
      const own = window as unknown as Window;
      own.client = own.sdk.createClient({
        url: location.origin,
        key: "added by the server of the app",
        live: true,
        timeoutMs: 10_000,
        failuresMax: 1_000_000,
        storage: own.sdk.webStorage(localStorage),
      });
      own.snapshots = own.sdk.attachSnapshots(own.client, { app: code, storage: localStorage });
      own.sdk.show(own.client, user);
    },
    { code: app.code, user: customer.id },
  );
};

const check = (page: Page, user: string, feature: string): Promise<Answer> =>
  page.evaluate(([one, code]) => (window as unknown as Window).client.check(one, code), [
    user,
    feature,
  ] as const);

/** Consumes that many, one after the other, and returns the results. */
const consume = (page: Page, user: string, times: number) =>
  page.evaluate(
    async ([one, count]) => {
      const results: string[] = [];
      for (let n = 0; n < count; n += 1)
        results.push((await (window as unknown as Window).client.consume(one, "exports")).result);
      return results;
    },
    [user, times] as const,
  );

const unsent = (page: Page) => page.evaluate(() => (window as unknown as Window).client.unsent());

const main = (page: Page) => page.getByRole("main");

/** What Purser has counted. It answers checks from memory for up to a second. */
const usedBy = async (product: Product, { key }: SoldApp, user: string) => {
  const url = `${product.origin}/api/v1/check?user=${user}&feature=exports`;
  const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  return ((await response.json()) as Answer).used;
};

type World = { product: Product; sold: SoldApp; page: SoldAppPage };

const expectChangesAtOnce = async (page: Page, { product, sold, page: app }: World) => {
  const { id } = sold.customer;
  await start(page, app, sold);
  await expect(main(page)).toHaveText("0 of 10 exportsNo maps");
  expect(await check(page, id, "maps")).toMatchObject({ allowed: false, reason: "not included" });
  expect(await consume(page, id, 2)).toEqual(["recorded", "recorded"]);
  await expect(main(page)).toHaveText("2 of 10 exportsNo maps");
  await sold.grantMaps(id);
  await expect(main(page)).toHaveText("2 of 10 exportsMaps");
  await expect(check(page, id, "nothing")).rejects.toThrow(/404/);
  await expect.poll(() => usedBy(product, sold, id)).toBe(2);
};

const expectOffline = async (page: Page, { product, sold, page: app }: World) => {
  const { id } = sold.customer;
  await page.evaluate((user) => (window as unknown as Window).snapshots.refresh(user), id);
  app.setNetwork("down");
  expect(await consume(page, id, 3)).toEqual(["buffered", "buffered", "buffered"]);
  await expect(main(page)).toHaveText("5 of 10 exportsMaps");

  // Another process of the app has only what is stored.
  await start(page, app, sold);
  await expect(main(page)).toHaveText("null of null exportsNo maps");
  expect(await unsent(page)).toBe(3);
  await page.evaluate((user) => (window as unknown as Window).snapshots.restore(user), id);
  expect(await check(page, id, "maps")).toMatchObject({ allowed: true, source: "snapshot" });
  expect(await consume(page, id, 6)).toEqual([...new Array(5).fill("buffered"), "refused"]);

  app.setNetwork("up");
  await expect.poll(() => unsent(page)).toBe(0);
  await expect.poll(() => usedBy(product, sold, id)).toBe(10);
  await expect(main(page)).toHaveText("10 of 10 exportsMaps");
  expect(
    await page.evaluate(() => Object.keys(localStorage).filter((name) => /usage/.test(name))),
  ).toEqual([]);
};

/** Two pages of a browser share its storage, so that both send what either has recorded. */
const expectCountedOnce = async (context: BrowserContext, { product, sold, page: app }: World) => {
  const { id } = await sold.newCustomer();
  const [one, other] = [await context.newPage(), await context.newPage()];
  app.setNetwork("down");
  for (const page of [one, other]) {
    await start(page, app, sold);
    await page.evaluate((user) => {
      for (let n = 0; n < 4; n += 1) (window as unknown as Window).client.record(user, "exports");
    }, id);
  }
  for (const page of [one, other]) {
    await start(page, app, sold);
    expect(await unsent(page)).toBe(8);
  }
  app.setNetwork("up");
  for (const page of [one, other]) await expect.poll(() => unsent(page)).toBe(0);
  await expect.poll(() => usedBy(product, sold, id)).toBe(8);
};

test("the SDK checks, counts and shows features in a page, over an outage and a reload", async ({
  browser,
  ownerPage,
  product,
}) => {
  const sold = await makeSoldApp(ownerPage);
  using app = await startSoldAppPage(product.origin, sold.key);
  const context = await browser.newContext();
  const page = await context.newPage();
  const world = { product, sold, page: app };
  await expectChangesAtOnce(page, world);
  await expectOffline(page, world);
  await expectCountedOnce(context, world);
  await context.close();
});

const memory = () => {
  const items = new Map<string, string>();
  return {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
  };
};

/** The same package in Node. */
const expectInNode = async ({ product, sold }: World) => {
  const { id } = await sold.newCustomer();
  const errors: Error[] = [];
  const client = createClient({
    url: product.origin,
    key: sold.key,
    live: true,
    timeoutMs: 10_000,
    onError: (error) => errors.push(error),
  });
  expect(await client.check(id, "exports")).toMatchObject({ remaining: 10, source: "server" });
  expect(await client.consume(id, "exports", { amount: 2 })).toMatchObject({ remaining: 8 });
  const { reservation } = await client.reserve(id, "exports", { amount: 3 });
  expect(await client.confirm(reservation?.id ?? "", 1)).toMatchObject({ confirmed: 1 });
  for (let n = 0; n < 1500; n += 1) client.record("someone@example.com", "exports");
  client.record(id, "exports", { amount: 4 });
  await client.flush();
  await expect.poll(() => usedBy(product, sold, id)).toBe(7);
  await client.check(id, "maps");
  await sold.grantMaps(id);
  await expect.poll(() => client.isFresh(id, "maps")).toBe(false);
  expect(await client.isAllowed(id, "maps")).toBe(true);
  const snapshots = attachSnapshots(client, { app: sold.app.code, storage: memory() });
  expect((await snapshots.refresh(id)).features).toHaveLength(2);
  const leased = withLeases(client, { features: ["exports"], storage: memory() });
  expect(await leased.lease(id, "exports", { amount: 3, seconds: 60 })).toBe(3);
  expect(await leased.consume(id, "exports", { amount: 2 })).toMatchObject({ result: "leased" });
  await leased.settle();
  await expect.poll(() => usedBy(product, sold, id)).toBe(9);
  expect(errors).toEqual([]);
  await sold.revokeKey();
  client.invalidate("all");
  await expect(client.check(id, "maps")).rejects.toMatchObject({ status: 401 });
  await client.close();
};

// @nightly: They install releases from Git.
test("the SDK works with the latest release of Purser, in a page and in Node @nightly", async ({
  browser,
}) => {
  test.setTimeout(900_000);
  const { folder } = unpackLatest();
  const product = await startProduct({}, folder);
  try {
    const sold = await makeSoldApp(await openOwnerPage(browser, product));
    using app = await startSoldAppPage(product.origin, sold.key);
    const context = await browser.newContext();
    const page = await context.newPage();
    const world = { product, sold, page: app };
    await expectChangesAtOnce(page, world);
    await expectOffline(page, world);
    await expectCountedOnce(context, world);
    await context.close();
    await expectInNode(world);
  } finally {
    await product.stop();
  }
});

test("a release of Purser without the API of the SDK is like an outage for an app @nightly", async () => {
  test.setTimeout(900_000);
  const { folder } = unpackOldest();
  const secret = randomBytes(32).toString("base64");
  const product = await startProduct({ SECRET_KEY: secret }, folder);
  const errors: Error[] = [];
  const client = createClient({
    url: product.origin,
    key: "purser_sk_of_a_newer_release",
    live: true,
    fallbacks: { exports: "allow" },
    onError: (error) => errors.push(error),
  });
  try {
    expect(await client.check("ada", "maps")).toMatchObject({ allowed: false, source: "fallback" });
    expect(await client.check("ada", "exports")).toMatchObject({ allowed: true });
    expect(await client.consume("ada", "exports")).toMatchObject({ result: "buffered" });
    await expect(client.flush()).rejects.toMatchObject({ code: "not_supported" });
    expect(client.unsent()).toBe(1);
    const snapshots = attachSnapshots(client, { app: "shop" });
    await expect(snapshots.refresh("ada")).rejects.toMatchObject({ code: "not_supported" });
    expect(errors).toContainEqual(expect.objectContaining({ code: "not_supported" }));
  } finally {
    await client.close();
    await product.stop();
  }
});
