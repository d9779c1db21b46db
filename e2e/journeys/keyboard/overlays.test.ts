import { expect, type Locator, type Page } from "@playwright/test";
import { callApi } from "../../data/api.ts";
import { makeApp } from "../../data/apps.ts";
import type { Product } from "../../environment/product.ts";
import { test } from "../../fixtures/test.ts";
import { openAppList } from "../../screens/openScreen.ts";

// @nightly: The gate covers each layer once; this is a combination of them.

/** The z-index that an element is drawn on: its own, or that of an ancestor. */
const layerOf = async (shown: Locator) => {
  await expect(shown).toBeVisible();
  return shown.evaluate((element) => {
    for (let at: Element | null = element; at; at = at.parentElement) {
      const { zIndex } = getComputedStyle(at);
      if (zIndex !== "auto") return Number(zIndex);
    }
    return null;
  });
};

/** Whether a click on its middle would meet it, or something inside. */
const isOnTop = (shown: Locator) =>
  shown.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    const met = document.elementFromPoint(left + width / 2, top + height / 2);
    return met !== null && element.contains(met);
  });

const tooltip = (page: Page) => page.getByRole("tooltip");

/** What the browser would draw on top if tooltips took part in hit testing. */
const expectTooltipOnTop = async (page: Page) => {
  await tooltip(page).evaluate((bubble) => {
    (bubble as HTMLElement).style.pointerEvents = "auto";
  });
  expect(await isOnTop(tooltip(page))).toBe(true);
  await tooltip(page).evaluate((bubble) => {
    (bubble as HTMLElement).style.pointerEvents = "";
  });
};

/** An app with a key that was used a minute ago. */
const makeUsedKey = async (page: Page, { database }: Product) => {
  const app = await makeApp(page);
  await callApi(page, {
    method: "POST",
    path: `/apps/${app.id}/keys`,
    body: { name: "web-server-1", kind: "server", scopes: ["entitlements:read"] },
  });
  await database.query(
    "update app_keys set last_used_at = now() - interval '1 minute' where app_id = $1",
    [app.id],
  );
  return app;
};

const question = (page: Page, name: RegExp) =>
  page.getByRole("alertdialog", { name }).or(page.getByRole("dialog", { name }));

test("S9.8 Menus and popovers use z-index 1000", async ({ ownerPage, records }) => {
  await openAppList(ownerPage, records);
  await ownerPage.getByRole("button", { name: `Actions for ${records.draft.name}` }).click();
  const menu = ownerPage.getByRole("menu");
  expect(await layerOf(menu)).toBe(1000);
  expect(await isOnTop(menu.getByRole("menuitem", { name: "Open", exact: true }))).toBe(true);
  await ownerPage.keyboard.press("Escape");
  await expect(menu).toBeHidden();

  for (const name of ["Columns", "Filter"]) {
    await ownerPage.getByRole("button", { name, exact: true }).click();
    const popover = ownerPage.getByRole("dialog");
    expect(await layerOf(popover), name).toBe(1000);
    await ownerPage.keyboard.press("Escape");
    await expect(popover).toBeHidden();
  }
});

test("S9.9 Dialogs, drawer and palette use z-index 1100 and cover the page", async ({
  ownerPage,
  records,
}) => {
  await openAppList(ownerPage, records);
  await ownerPage.getByRole("button", { name: "Export" }).click();
  const dialog = ownerPage.getByRole("dialog", { name: "Export apps" });
  expect(await layerOf(dialog)).toBe(1100);
  expect(await layerOf(ownerPage.locator(".mantine-Modal-overlay"))).toBe(1100);
  expect(await isOnTop(dialog)).toBe(true);
  expect(
    await isOnTop(ownerPage.getByRole("button", { name: "Columns", includeHidden: true })),
  ).toBe(false);
  await ownerPage.keyboard.press("Escape");
  await expect(dialog).toBeHidden();

  await ownerPage.keyboard.press("Control+k");
  const palette = ownerPage.getByRole("dialog", { name: "Search or jump to" });
  expect(await layerOf(palette)).toBe(1100);
  await ownerPage.keyboard.press("Escape");
  await expect(palette).toBeHidden();

  await ownerPage.setViewportSize({ width: 375, height: 720 });
  await ownerPage.getByRole("button", { name: "More", exact: true }).click();
  expect(await layerOf(ownerPage.getByRole("dialog", { name: "Menu" }))).toBe(1100);
});

test("S9.8 A dropdown inside a dialog opens above it with z-index 1101 and can be clicked @nightly", async ({
  ownerPage,
}) => {
  const { id } = await makeApp(ownerPage);
  await ownerPage.goto(`/apps/view/${id}`);
  await ownerPage.getByRole("button", { name: "New key" }).click();
  const dialog = ownerPage.getByRole("dialog", { name: /^New API key for/ });
  const kind = dialog.getByRole("combobox", { name: "Type" });
  await kind.click();
  const option = ownerPage.getByRole("option", { name: "Publishable" });
  expect(await layerOf(dialog)).toBe(1100);
  expect(await layerOf(option)).toBe(1101);
  expect(await isOnTop(option)).toBe(true);
  await option.click();
  await expect(kind).toHaveValue("Publishable");
});

test("S9.9 S9.10 A tooltip appears on hover with z-index 1100 and fades in over 250 ms", async ({
  ownerPage,
  product,
}) => {
  const app = await makeUsedKey(ownerPage, product);
  await ownerPage.goto(`/apps/view/${app.id}`);
  const owner = ownerPage.getByRole("button", { name: "Revoke web-server-1" });
  await expect(owner).toBeVisible();
  await expect(tooltip(ownerPage)).toBeHidden();
  // Record every frame's opacity until the browser reports the end of the transition.
  const fade = ownerPage.evaluate(
    () =>
      new Promise<{ opacities: number[]; seconds: number }>((resolve) => {
        const bubble = document.querySelector("[role=tooltip]");
        if (!bubble) throw new Error("There is no tooltip.");
        const opacities: number[] = [];
        const sample = () => {
          if (getComputedStyle(bubble).visibility === "visible")
            opacities.push(Number(getComputedStyle(bubble).opacity));
          requestAnimationFrame(sample);
        };
        requestAnimationFrame(sample);
        bubble.addEventListener("transitionend", (event) => {
          const { propertyName, elapsedTime } = event as TransitionEvent;
          if (propertyName === "opacity")
            requestAnimationFrame(() => resolve({ opacities, seconds: elapsedTime }));
        });
      }),
  );
  await owner.hover();
  const { opacities, seconds } = await fade;
  expect(seconds).toBe(0.25);
  expect(opacities[0]).toBeLessThan(1);
  expect(opacities.at(-1)).toBe(1);
  expect(opacities).toEqual(opacities.toSorted((a, b) => a - b));
  await expect(tooltip(ownerPage)).toHaveText("Revoke");
  await expect(tooltip(ownerPage)).toHaveCSS("transition-duration", "0.25s");
  await expect(owner).toHaveAccessibleDescription("Revoke");
  expect(await layerOf(tooltip(ownerPage))).toBe(1100);
  await expectTooltipOnTop(ownerPage);

  await ownerPage.keyboard.press("Escape");
  await expect(tooltip(ownerPage)).toBeHidden();
  await ownerPage.mouse.move(0, 0);
  await owner.hover();
  await expect(tooltip(ownerPage)).toBeVisible();
  await ownerPage.mouse.move(0, 0);
  await expect(tooltip(ownerPage)).toBeHidden();
});

test("S9.10 A tooltip appears on keyboard focus and disappears with Escape or blur @nightly", async ({
  ownerPage,
  product,
}) => {
  const app = await makeUsedKey(ownerPage, product);
  await ownerPage.goto(`/apps/view/${app.id}`);
  const owner = ownerPage.getByRole("button", { name: "Revoke web-server-1" });
  await expect(owner).toBeVisible();
  await ownerPage.getByRole("button", { name: "New key" }).focus();
  const reach = async () => {
    for (let steps = 0; steps < 5; steps += 1) {
      await ownerPage.keyboard.press("Tab");
      if (await owner.evaluate((button) => button === document.activeElement)) return;
    }
  };
  await reach();
  await expect(owner).toBeFocused();
  await expect(tooltip(ownerPage)).toBeVisible();
  await expect(tooltip(ownerPage)).toHaveText("Revoke");
  await ownerPage.keyboard.press("Escape");
  await expect(tooltip(ownerPage)).toBeHidden();
  await expect(owner).toBeFocused();
  await ownerPage.keyboard.press("Shift+Tab");
  await ownerPage.keyboard.press("Tab");
  await expect(owner).toBeFocused();
  await expect(tooltip(ownerPage)).toBeVisible();
  await ownerPage.keyboard.press("Shift+Tab");
  await expect(tooltip(ownerPage)).toBeHidden();
});

test("S9.9 A tooltip inside a dialog uses z-index 1102, above the dialog @nightly", async ({
  ownerPage,
  product,
}) => {
  const app = await makeUsedKey(ownerPage, product);
  await ownerPage.goto(`/apps/view/${app.id}`);
  await ownerPage.getByRole("button", { name: "Revoke web-server-1" }).click();
  const dialog = question(ownerPage, /^Revoke the API key/);
  expect(await layerOf(dialog)).toBe(1100);
  await dialog.locator("time").hover();
  await expect(tooltip(ownerPage)).toBeVisible();
  expect(await layerOf(tooltip(ownerPage))).toBe(1102);
  await expectTooltipOnTop(ownerPage);
  // The first Escape is the tooltip's or the dialog's own affair; the tooltip never outlives it.
  await ownerPage.keyboard.press("Escape");
  await expect(tooltip(ownerPage)).toBeHidden();
});

test("An action that is hard to undo asks by an alert dialog, any other by a dialog @nightly", async ({
  ownerPage,
  product,
}) => {
  const app = await makeUsedKey(ownerPage, product);
  await ownerPage.goto(`/apps/view/${app.id}`);
  await ownerPage.getByRole("button", { name: "Revoke web-server-1" }).click();
  await expect(question(ownerPage, /^Revoke the API key/)).toHaveRole("alertdialog");
  await ownerPage.keyboard.press("Escape");
  await ownerPage.getByRole("button", { name: "Activate" }).click();
  await expect(question(ownerPage, /^Activate/)).toHaveRole("dialog");
});
