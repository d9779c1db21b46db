import { makeStore, type Store } from "./releases.ts";
import { startProduct } from "./start.ts";
import { test as base } from "./test.ts";

/** A product whose builds a test can release, break and mend. Each test finds the first build released and whole. */
export const test = base.extend<object, { store: Store }>({
  store: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads here which fixtures are needed.
    async ({}, provide) => {
      const store = makeStore();
      await provide(store);
      store.remove();
    },
    { scope: "worker" },
  ],
  product: [
    async ({ store }, provide) => {
      const product = await startProduct({ RELEASE_STORE: store.folder });
      await provide(product);
      await product.stop();
    },
    { scope: "worker", timeout: 60_000 },
  ],
  office: async ({ office, store }, provide) => {
    store.release(store.first);
    await provide(office);
  },
});
