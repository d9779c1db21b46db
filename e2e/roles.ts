import type { Page } from "@playwright/test";
import { callApi } from "./apps.ts";
import { expectSignedIn, giveCredentials, linkIn, newPerson, setPassword } from "./people.ts";
import { test as base } from "./test.ts";

/** A test with people who may less than an owner. */
export const test = base.extend<{
  /** Somebody whom the boss invited in a role, signed in on a page of a browser of their own. */
  enterAs: (role: string, name: string) => Promise<Page>;
}>({
  enterAs: async ({ browser, product, office }, provide) => {
    await using entered = new AsyncDisposableStack();
    await provide(async (role, name) => {
      const person = newPerson(name);
      const { email } = person;
      await callApi(office, { method: "POST", path: "/staff", body: { name, email, role } });
      const context = await browser.newContext({ baseURL: product.origin });
      entered.defer(() => context.close());
      const page = await context.newPage();
      await setPassword(page, linkIn(await product.mailbox.read(email)), person);
      await giveCredentials(page, person);
      await expectSignedIn(page, person);
      return page;
    });
  },
});
