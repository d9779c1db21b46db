import { test as base } from "@playwright/test";
import { enterAsOwner, type Person } from "./people.ts";
import { type Product, startProduct } from "./start.ts";

type OfWorker = { product: Product };
type OfTest = {
  /** A new owner, signed in on the test's page. */
  owner: Person;
};

/** A test with the product: the page's addresses are the product's. */
export const test = base.extend<OfTest, OfWorker>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads here which fixtures are needed.
    async ({}, provide) => {
      const product = await startProduct();
      await provide(product);
      await product.stop();
    },
    { scope: "worker", timeout: 60_000 },
  ],
  baseURL: ({ product }, provide) => provide(product.origin),
  owner: async ({ page, product }, provide) => provide(await enterAsOwner(page, product)),
});
