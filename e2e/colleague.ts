import type { Page } from "@playwright/test";
import { addOwner, type Person } from "./people.ts";
import { test as base } from "./test.ts";

type State = Awaited<ReturnType<ReturnType<Page["context"]>["storageState"]>>;

/** A test with a second person: what happens when two work on the same thing. */
export const test = base.extend<
  {
    /** A page of another browser, on which somebody other than the boss is signed in. */
    colleague: Page;
  },
  { carl: Person & { state: State } }
>({
  carl: [
    async ({ browser, product }, provide) => {
      const context = await browser.newContext({ baseURL: product.origin });
      const carl = await addOwner(context, product, "Carl Colleague");
      const state = await context.storageState();
      await context.close();
      await provide({ ...carl, state });
    },
    { scope: "worker", timeout: 60_000 },
  ],
  colleague: async ({ browser, product, carl }, provide) => {
    const context = await browser.newContext({
      baseURL: product.origin,
      storageState: carl.state,
    });
    await provide(await context.newPage());
    await context.close();
  },
});
