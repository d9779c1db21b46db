import { expect, type Page, test } from "@playwright/test";
import { makeApp } from "../../data/apps.ts";
import { startLoadBalancer } from "../../environment/loadBalancer.ts";
import { startProduct } from "../../environment/product.ts";
import { makeStore } from "../../environment/releaseStore.ts";
import { appsLink, buildIdOf, expectHome, recordDocumentRequests } from "../../pages/navigation.ts";
import { signInAsOwner } from "../../pages/signIn.ts";

// @nightly: Restarts two instances under 200 page loads, which takes minutes.

const rounds = 40;

const shows = (page: Page, name: string) =>
  expect(page.getByRole("heading", { level: 1, name })).toBeVisible();

test("3.3 Two instances take a release in turn: 200 page loads without an error page or a second reload @nightly @releases", async ({
  browser,
}) => {
  test.setTimeout(300_000);
  await using cleared = new AsyncDisposableStack();
  const store = makeStore();
  cleared.defer(store.remove);
  const proxy = await startLoadBalancer();
  cleared.defer(proxy.close);
  const product = await startProduct({ RELEASE_STORE: store.folder, PUBLIC_URL: proxy.origin });
  cleared.defer(product.stop);
  let other = await product.startAnother();
  cleared.defer(() => other.stop());
  proxy.ports.push(product.port, other.port);
  const context = await browser.newContext({ baseURL: proxy.origin });
  cleared.defer(() => context.close());
  const page = await context.newPage();
  await signInAsOwner(page, product);
  const app = await makeApp(page);
  const documents = recordDocumentRequests(page);
  const broken: string[] = [];
  page.on("domcontentloaded", async () => {
    const title = await page.title().catch(() => "");
    if (/^(Internal|Page not)/.test(title)) broken.push(page.url());
  });

  // The order of a release: files first (they are in the store), then the instances, then the newest build.
  const steps: Record<number, () => Promise<void> | void> = {
    10: () => product.restart(),
    15: async () => {
      proxy.ports.pop();
      await other.stop();
      other = await product.startAnother();
      proxy.ports.push(other.port);
    },
    20: () => store.release(store.second),
  };
  let visits = 0;
  let reloads = 0;
  for (let round = 0; round < rounds; round++) {
    await steps[round]?.();
    documents.length = 0;
    await page.goto("/");
    await expectHome(page);
    await appsLink(page).click();
    await shows(page, "Apps");
    await page.getByRole("link", { name: app.name }).first().click();
    await shows(page, app.name);
    await page.goBack();
    await shows(page, "Apps");
    await page.getByRole("navigation").first().getByRole("link", { name: "Home" }).click();
    await expectHome(page);
    visits += 5;
    // The page loads, and at most one more reload because of the release.
    reloads += documents.length - 1;
    expect(await buildIdOf(page)).toBe(round < 20 ? store.first.id : store.second.id);
  }
  expect(visits).toBe(200);
  expect(broken).toEqual([]);
  expect(reloads).toBeLessThanOrEqual(1);
  test
    .info()
    .annotations.push({ type: "release", description: `${visits} pages, ${reloads} reloads` });
});

test("S7.5 All instances report the same newest build at any time @nightly @releases", async () => {
  await using cleared = new AsyncDisposableStack();
  const store = makeStore();
  cleared.defer(store.remove);
  const product = await startProduct({ RELEASE_STORE: store.folder });
  cleared.defer(product.stop);
  const other = await product.startAnother();
  cleared.defer(() => other.stop());
  const latestOf = async (port: number) => {
    const answer = await fetch(`http://127.0.0.1:${port}/assets/builds/latest.json`);
    return [answer.headers.get("x-build-id"), ((await answer.json()) as { id: string }).id];
  };
  for (const build of [store.first, store.second, store.first]) {
    store.release(build);
    for (const port of [product.port, other.port])
      expect(await latestOf(port)).toEqual([build.id, build.id]);
  }
});
