import { test as base, type Page } from "@playwright/test";
import { addOwner, enterAsOwner, type Person } from "./people.ts";
import { type Product, startProduct } from "./start.ts";

type State = Awaited<ReturnType<ReturnType<Page["context"]>["storageState"]>>;

type OfWorker = {
  product: Product;
  /** An owner whom the tests of a worker share, with the cookies of their session. */
  boss: Person & { state: State };
};
type OfTest = {
  /** A new owner, signed in on the test's page. For tests that change something of the person. */
  owner: Person;
  /** A page on which the boss is signed in: without the time that a new person takes. */
  office: Page;
};

type Provide = (product: Product) => Promise<void>;

/** A product for each worker. Tests that set what holds for everybody in it make one of their own. */
export const ownProduct = () =>
  [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads here which fixtures are needed.
    async ({}, provide: Provide) => {
      const product = await startProduct();
      await provide(product);
      await product.stop();
    },
    { scope: "worker", timeout: 60_000 },
  ] satisfies [unknown, { scope: "worker"; timeout: number }];

/** A test with the product: the page's addresses are the product's. */
export const test = base.extend<OfTest, OfWorker>({
  product: ownProduct(),
  boss: [
    async ({ browser, product }, provide) => {
      const context = await browser.newContext({ baseURL: product.origin });
      const boss = await addOwner(context, product, "Berta Boss");
      const state = await context.storageState();
      await context.close();
      await provide({ ...boss, state });
    },
    { scope: "worker", timeout: 60_000 },
  ],
  baseURL: ({ product }, provide) => provide(product.origin),
  owner: async ({ page, product }, provide) => provide(await enterAsOwner(page, product)),
  office: async ({ context, page, boss }, provide) => {
    await context.addCookies(boss.state.cookies);
    await provide(page);
  },
});
