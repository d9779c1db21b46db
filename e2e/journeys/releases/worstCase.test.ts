import { expect, type Page } from "@playwright/test";
import { callApi } from "../../data/api.ts";
import { makeApp } from "../../data/apps.ts";
import { test } from "../../fixtures/releases.ts";
import { recordDocumentRequests } from "../../pages/navigation.ts";
import { submitCredentials } from "../../pages/signIn.ts";

// @nightly: Combines a release, a restart and an expired session.

type Entry = { action: string; changes: unknown };

const changesOf = async (page: Page, id: string) => {
  const { items } = await callApi<{ items: Entry[] }>(page, { path: `/apps/${id}/activity` });
  return items.filter(({ action }) => action === "update");
};

const name = (page: Page) => page.getByLabel("Name", { exact: true });

/** Whether the page had time to prefetch chunks. */
const pages = { "that was open for a while": 3000, "that was just opened": 0 };

for (const [what, openMs] of Object.entries(pages))
  test(`4.1 A form ${what} survives a release without old chunks, a restart and an expired session, and saves once @nightly @releases`, async ({
    ownerPage: page,
    product,
    store,
    sharedOwner,
  }) => {
    const app = await makeApp(page);
    await page.goto(`/apps/edit/${app.id}`);
    await name(page).fill("Typed before the storm");
    // Wait for the prefetch, or not.
    await page.waitForTimeout(openMs);

    store.release(store.second);
    store.removeFirstBuild();
    await product.restart();
    await product.database.query("delete from sessions");

    await page.keyboard.press("Control+s");
    const password = page.getByLabel("Password", { exact: true });
    await expect(password).toBeVisible();
    if (await page.getByRole("dialog").isVisible()) {
      await password.fill(sharedOwner.password);
      await page.getByRole("dialog").getByRole("button", { name: "Sign in", exact: true }).click();
      await expect(page.getByText("Typed before the storm saved")).toBeVisible();
    } else {
      await submitCredentials(page, sharedOwner);
      await expect(page.getByRole("heading", { level: 1, name: `Edit ${app.name}` })).toBeVisible();
      await expect(name(page)).toHaveValue("Typed before the storm");
      await page.keyboard.press("Control+s");
      await expect(page.getByText("Typed before the storm saved")).toBeVisible();
    }
    expect(await callApi(page, { path: `/apps/${app.id}` })).toMatchObject({
      name: "Typed before the storm",
      version: 2,
    });
    expect(await changesOf(page, app.id)).toHaveLength(1);
    store.restoreFirst();
    // The other tests of this file need the new session.
    sharedOwner.state = await page.context().storageState();
  });

test("4.2 A page that is too old to save says so, reloads and restores the input @nightly @releases", async ({
  ownerPage: page,
  store,
}) => {
  const app = await makeApp(page);
  await page.goto(`/apps/edit/${app.id}`);
  await name(page).fill("Typed on the old page");
  store.release(store.second, store.second.id);
  const documents = recordDocumentRequests(page);
  await page.keyboard.press("Control+s");
  const alert = page.getByRole("alert");
  await expect(alert).toContainText("Purser was updated.");
  expect(await callApi(page, { path: `/apps/${app.id}` })).toMatchObject({
    name: app.name,
    version: 1,
  });
  let asked = 0;
  page.on("dialog", (dialog) => {
    asked += 1;
    void dialog.accept();
  });
  await alert.getByRole("button", { name: "Reload and continue" }).click();
  await expect.poll(() => documents).toEqual([`/apps/edit/${app.id}`]);
  await expect(name(page)).toHaveValue("Typed on the old page");
  expect(asked).toBe(0);
  await page.keyboard.press("Control+s");
  await expect(page.getByText("Typed on the old page saved")).toBeVisible();
  expect(await changesOf(page, app.id)).toHaveLength(1);
});
