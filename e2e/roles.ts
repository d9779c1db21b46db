import type { Page } from "@playwright/test";
import { expectSignedIn, insertTeamMember, newPerson, startSession } from "./people.ts";
import { test as base } from "./test.ts";

/** A test with people who may less than an owner. */
export const test = base.extend<{
  /** A team member with that role, signed in on a page of a browser of their own. */
  enterAs: (role: string, name: string) => Promise<Page>;
}>({
  enterAs: async ({ browser, product }, provide) => {
    await using entered = new AsyncDisposableStack();
    await provide(async (role, name) => {
      const person = newPerson(name);
      const context = await browser.newContext({ baseURL: product.origin });
      entered.defer(() => context.close());
      await startSession(context, product, await insertTeamMember(product, person, role));
      const page = await context.newPage();
      await page.goto("/");
      await expectSignedIn(page, person);
      return page;
    });
  },
});
