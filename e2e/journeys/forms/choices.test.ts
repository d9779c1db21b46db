import { expect, type Page } from "@playwright/test";
import { callApi } from "../../data/api.ts";
import { makeApp } from "../../data/apps.ts";
import { test } from "../../fixtures/test.ts";
import { openEdit, toast } from "../../pages/forms.ts";

// @nightly: The gate covers saving, double submit and review; this is a detail of the same form.

/** The options of an open dropdown at whose middle something else would be hit. */
const unreachable = async (page: Page) => {
  const missed = [];
  for (const option of await page.getByRole("option").all()) {
    await option.scrollIntoViewIfNeeded();
    const isHit = await option.evaluate((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      const hit = document.elementFromPoint(x + width / 2, y + height / 2);
      return element.contains(hit);
    });
    if (!isHit) missed.push(await option.innerText());
  }
  return missed;
};

for (const [screen, viewport] of Object.entries({
  desk: { width: 1280, height: 720 },
  phone: { width: 375, height: 667 },
}))
  test(`FM11 Every option of every dropdown in a dialog can be clicked, on a ${screen} @nightly`, async ({
    ownerPage: page,
  }) => {
    await page.setViewportSize(viewport);
    const app = await makeApp(page);
    await page.goto(`/apps/view/${app.id}`);
    await page.getByRole("button", { name: "New key" }).click();
    const dialog = page.getByRole("dialog", { name: `New API key for ${app.name}` });
    const options = {
      Type: ["Server", "Publishable"],
      Expiration: ["90 days", "1 year", "No expiration"],
    };
    await expect(dialog.getByRole("combobox")).toHaveCount(Object.keys(options).length);
    for (const [label, words] of Object.entries(options)) {
      const picker = dialog.getByRole("combobox", { name: label });
      await picker.click();
      await expect(page.getByRole("option")).toHaveText(words);
      expect(await unreachable(page)).toEqual([]);
      await page.getByRole("option").last().click();
      await expect(page.getByRole("option")).toHaveCount(0);
      await expect(picker).toHaveValue(label === "Type" ? "Publishable" : "No expiration");
    }
  });

test("An icon is searched and chosen by keyboard @nightly", async ({ ownerPage: page }) => {
  const app = await makeApp(page);
  await openEdit(page, app);
  const picker = page.getByRole("button", { name: "Icon", exact: true });
  await picker.focus();
  await page.keyboard.press("Enter");
  const icons = page.getByRole("dialog", { name: "Icons" });
  const search = icons.getByRole("searchbox", { name: "Search icons" });
  await expect(search).toBeFocused();
  await page.keyboard.type("sailboat");
  await expect(icons.getByRole("status")).toHaveText(/^\d+ of \d+ icons$/);
  await expect(icons.getByRole("button", { name: "sailboat", exact: true })).toBeVisible();
  await expect(icons.getByRole("button", { name: "apps", exact: true })).toHaveCount(0);
  await page.keyboard.press("Tab");
  await expect(icons.getByRole("button").first()).toBeFocused();
  await expect(icons.getByRole("button").first()).toHaveAccessibleName("sailboat");
  await page.keyboard.press("Enter");
  await expect(icons).toBeHidden();
  await expect(picker).toHaveText("sailboat");
  await expect(picker).toBeFocused();
  await page.keyboard.press("Control+s");
  await expect(toast(page, "saved")).toBeVisible();
  expect(await callApi(page, { path: `/apps/${app.id}` })).toMatchObject({ icon: "sailboat" });

  // A search without results says so, and Escape keeps the icon.
  await page.keyboard.press("Enter");
  await expect(search).toBeFocused();
  await page.keyboard.type("no such thing");
  await expect(icons.getByRole("status")).toHaveText("No icons match. Try another word.");
  await page.keyboard.press("Escape");
  await expect(icons).toBeHidden();
  await expect(picker).toBeFocused();
  await expect(picker).toHaveText("sailboat");
});
