import { type Browser, expect, type Locator } from "@playwright/test";
import { callApi } from "../../data/api.ts";
import { activateApp, changeApp, makeApp } from "../../data/apps.ts";
import { createOwner, newPerson } from "../../data/team.ts";
import type { Product } from "../../environment/product.ts";
import { test } from "../../fixtures/test.ts";
import { fieldOf, toast } from "../../pages/forms.ts";
import { setPassword } from "../../pages/signIn.ts";

// @nightly: The gate uses lists, forms, dialogs and the matrix by keyboard; this is all of it in one day.

/** A team member who can sign in, but hasn't yet. */
const makeOwner = async (browser: Browser, product: Product) => {
  const owner = newPerson("Kim Keys");
  const context = await browser.newContext({ baseURL: product.origin });
  await setPassword(await context.newPage(), await createOwner(product, owner), owner);
  await context.close();
  return owner;
};

test("A full day of work needs no pointer @nightly", async ({
  page,
  browser,
  product,
  colleaguePage,
}) => {
  test.setTimeout(120_000);
  const { keyboard } = page;
  const app = await activateApp(colleaguePage, await makeApp(colleaguePage));
  const owner = await makeOwner(browser, product);
  const heading = page.getByRole("heading", { level: 1 });

  /** Presses Tab until the element has the focus. */
  const tabTo = async (target: Locator, steps: number, key = "Tab") => {
    for (let step = 0; step < steps; step += 1) {
      await keyboard.press(key);
      if (await target.evaluate((element) => element === document.activeElement)) return;
    }
    await expect(target, `within ${steps} presses of ${key}`).toBeFocused();
  };

  // Signing in.
  await page.goto("/");
  await expect(page.getByLabel("Email", { exact: true })).toBeFocused();
  await keyboard.type(owner.email);
  await keyboard.press("Tab");
  await keyboard.type(owner.password);
  await keyboard.press("Enter");
  await expect(page.getByRole("button", { name: `Account of ${owner.name}` })).toBeVisible();

  // Finding the app by the palette, and opening it.
  const jumpTo = async (name: string) => {
    await keyboard.press("Control+k");
    await expect(page.getByRole("combobox", { name: "Search or jump to" })).toBeFocused();
    await keyboard.type(name);
    await expect(page.getByRole("listbox").getByRole("option", { selected: true })).toContainText(
      name,
    );
    await keyboard.press("Enter");
    await expect(page.getByRole("combobox", { name: "Search or jump to" })).toBeHidden();
    await expect(heading).toHaveText(name);
  };
  await jumpTo(app.name);

  // The same by the list and its search.
  await keyboard.press("g");
  await keyboard.press("a");
  await expect(heading).toHaveText("Apps");
  await keyboard.press("/");
  await expect(page.getByRole("searchbox", { name: "Search apps" })).toBeFocused();
  await keyboard.type(app.code);
  await expect(page.locator("tr[data-row]")).toHaveCount(1);
  await tabTo(page.getByRole("link", { name: app.name }), 30);
  await keyboard.press("Enter");
  await expect(heading).toHaveText(app.name);

  // Edit it while another user edits it too.
  await keyboard.press("e");
  await expect(heading).toHaveText(`Edit ${app.name}`);
  await tabTo(fieldOf(page, "name"), 6);
  await keyboard.press("Control+a");
  await keyboard.type("By keys");
  await tabTo(fieldOf(page, "description"), 4);
  await keyboard.type("Written without a pointer");
  await changeApp(colleaguePage, app.id, { name: "By somebody", supportEmail: "help@example.com" });
  await keyboard.press("Control+s");
  const conflict = page.getByRole("dialog", { name: "Someone else saved changes" });
  const yours = conflict.getByRole("radio", { name: "Name, yours: By keys" });
  await expect(yours).toBeFocused();
  await keyboard.press("ArrowRight");
  await expect(conflict.getByRole("radio", { name: /^Name, theirs/ })).toBeChecked();
  await keyboard.press("ArrowLeft");
  await expect(yours).toBeChecked();
  await tabTo(conflict.getByRole("button", { name: "Save my choices" }), 4);
  await keyboard.press("Enter");
  await expect(toast(page, "By keys saved")).toBeVisible();
  await expect(fieldOf(page, "description")).toBeFocused();
  expect(await callApi(colleaguePage, { path: `/apps/${app.id}` })).toMatchObject({
    name: "By keys",
    description: "Written without a pointer",
    supportEmail: "help@example.com",
  });

  // Back to the app, and archiving it.
  await jumpTo("By keys");
  await tabTo(page.getByRole("button", { name: "Archive", exact: true }), 4);
  await keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Cancel" })).toBeFocused();
  await keyboard.press("Tab");
  await keyboard.press("Enter");
  await expect(toast(page, "By keys archived")).toBeVisible();
  await expect(page.locator(".page-meta")).toHaveText("Archived");

  // Thinking better of it.
  await keyboard.press("Control+z");
  await expect(toast(page, "By keys restored")).toBeVisible();
  await expect(toast(page, "By keys archived")).toBeHidden();
  await expect(page.locator(".page-meta")).toHaveText("Active");

  // Going home.
  await tabTo(page.getByRole("button", { name: `Account of ${owner.name}` }), 8, "Shift+Tab");
  await keyboard.press("Enter");
  const account = page.getByRole("dialog", { name: "Account" });
  await expect(account.locator(":focus")).toHaveCount(1);
  await tabTo(account.getByRole("button", { name: "Sign out" }), 10);
  await keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await expect(page).toHaveURL(/\/login/);
});
