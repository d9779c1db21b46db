import { expect, type Locator, type Page } from "@playwright/test";
import { type App, activateApp, callApi, changeApp, makeApp } from "../../data/apps.ts";
import { test } from "../../fixtures/colleague.ts";
import { fieldOf, openEdit, recordWrites, toast } from "../../pages/forms.ts";

// @nightly: The gate checks focus and layers on one dialog of each kind; every dialog shares that component.

const openView = async (page: Page, { id, name }: App, search = "") => {
  await page.goto(`/apps/view/${id}${search}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
};
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const menuItem = (page: Page, name: string) => page.getByRole("menuitem", { name });
/** Whatever lies over the page, but for the list's preview and what the page itself holds. */
const dialog = (page: Page, name: string | RegExp) =>
  page.getByRole("dialog", { name }).or(page.getByRole("alertdialog", { name }));

const makeKey = (page: Page, { id }: App) =>
  callApi(page, {
    method: "POST",
    path: `/apps/${id}/keys`,
    body: { name: "server-1", kind: "server", scopes: ["usage:write"] },
  });

/** How a dialog or popover is reached: who opens it and gets the focus back, and how it is called. */
type Way = {
  start: (page: Page) => Promise<App>;
  opener: (page: Page, app: App) => Locator;
  /** What lies between pressing the opener and the dialog. */
  through?: (page: Page) => Promise<unknown>;
  name: string | RegExp;
};

const onView = async (page: Page) => {
  const app = await makeApp(page);
  await openView(page, app);
  return app;
};
const onActive = async (page: Page) => {
  const app = await activateApp(page, await makeApp(page));
  await openView(page, app);
  return app;
};
const onKeyed = async (page: Page) => {
  const app = await makeApp(page);
  await makeKey(page, app);
  await openView(page, app);
  return app;
};
const onList = async (page: Page) => {
  const app = await makeApp(page);
  await page.goto(`/apps?q=${app.code}`);
  await expect(page.getByRole("link", { name: app.name })).toBeVisible();
  return app;
};
const onEdit = async (page: Page) => {
  const app = await makeApp(page);
  await openEdit(page, app);
  await fieldOf(page, "name").fill("Harbor");
  return app;
};
const rowMenu = (page: Page, { name }: App) => button(page, `Actions for ${name}`);

const ways: Record<string, Way> = {
  activating: { start: onView, opener: (page) => button(page, "Activate"), name: /^Activate App/ },
  archiving: { start: onActive, opener: (page) => button(page, "Archive"), name: /^Archive App/ },
  deleting: {
    start: onView,
    opener: (page) => button(page, "More actions"),
    through: (page) => menuItem(page, "Delete").press("Enter"),
    name: /^Delete the app/,
  },
  "a new key": { start: onView, opener: (page) => button(page, "New key"), name: /^New key for/ },
  "revoking a key": {
    start: onKeyed,
    opener: (page) => button(page, "Revoke server-1"),
    name: /^Revoke the key/,
  },
  "the changes of a form": {
    start: onEdit,
    opener: (page) => button(page, /^1 unsaved change/),
    name: "Changes to this app",
  },
  "the icons": {
    start: onEdit,
    opener: (page) => page.getByRole("button", { name: "Icon", exact: true }),
    name: "Icons",
  },
  "the export": { start: onList, opener: (page) => button(page, "Export"), name: "Export apps" },
  "the columns": {
    start: onList,
    opener: (page) => page.getByRole("button", { name: "Columns", exact: true }),
    name: "Columns",
  },
  "a new filter": {
    start: onList,
    opener: (page) => page.getByRole("button", { name: "Filter", exact: true }),
    name: "Add a filter",
  },
  "deleting from the list": {
    start: onList,
    opener: rowMenu,
    through: (page) => menuItem(page, "Delete").press("Enter"),
    name: /^Delete the app/,
  },
  "the account": {
    start: onView,
    opener: (page) => button(page, /^Account of/),
    name: "Account",
  },
  "the shortcuts, from the account": {
    start: onView,
    opener: (page) => button(page, /^Account of/),
    through: (page) => button(page, /^Keyboard shortcuts/).press("Enter"),
    name: "Keyboard shortcuts",
  },
  "the search": {
    start: onView,
    opener: (page) => button(page, "Search or jump to").first(),
    name: "Search or jump to",
  },
};

for (const [what, { start, opener, through, name }] of Object.entries(ways))
  test(`DG1 the focus goes into and comes back from ${what} @nightly`, async ({
    ownerPage: page,
  }) => {
    const app = await start(page);
    const from = opener(page, app);
    // Twice, because the first one is still loaded.
    for (const by of ["Enter", "click"] as const) {
      if (by === "click") await from.click();
      else await from.press(by);
      await through?.(page);
      await expect(dialog(page, name)).toBeVisible();
      await expect(dialog(page, name).locator(":focus")).toHaveCount(1);
      await page.keyboard.press("Escape");
      await expect(dialog(page, name)).toBeHidden();
      await expect(from).toBeFocused();
    }
    const close = dialog(page, name).getByRole("button", { name: "Close" });
    await from.click();
    await through?.(page);
    await expect(dialog(page, name)).toBeVisible();
    if ((await close.count()) > 0) await close.click();
    else await page.keyboard.press("Escape");
    await expect(dialog(page, name)).toBeHidden();
    await expect(from).toBeFocused();
  });

test("DG1 the focus comes back from the menus @nightly", async ({ ownerPage: page }) => {
  const app = await onList(page);
  await rowMenu(page, app).press("Enter");
  await expect(page.getByRole("menu").locator(":focus")).toHaveCount(1);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toBeHidden();
  await expect(rowMenu(page, app)).toBeFocused();

  await openView(page, app);
  await button(page, "More actions").press("Enter");
  await expect(menuItem(page, "Duplicate")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("menu")).toBeHidden();
  await expect(button(page, "More actions")).toBeFocused();
});

test("DG1 the focus follows the steps of a filter, and comes back when it is applied @nightly", async ({
  ownerPage: page,
}) => {
  await onList(page);
  const filter = page.getByRole("button", { name: "Filter", exact: true });
  await filter.press("Enter");
  const popover = dialog(page, "Add a filter");
  await popover.getByRole("button", { name: "Name" }).press("Enter");
  await expect(popover.getByRole("combobox", { name: "Operator" })).toBeFocused();
  await popover.getByRole("textbox", { name: "Value" }).fill("App");
  await page.keyboard.press("Enter");
  await expect(popover).toBeHidden();
  await expect(page).toHaveURL(/[?&]f=name/);
  await expect(filter).toBeFocused();
});

test("DG1 the focus comes back from a key that was shown, and from a key that is gone @nightly", async ({
  ownerPage: page,
}) => {
  const app = await makeApp(page);
  await openView(page, app);
  await button(page, "New key").press("Enter");
  await dialog(page, /^New key for/)
    .getByRole("textbox", { name: "Name" })
    .fill("server-1");
  await page.keyboard.press("Enter");
  await expect(dialog(page, "Keep this key now").locator(":focus")).toHaveCount(1);
  await button(page, "I have kept it").press("Enter");
  await expect(dialog(page, "Keep this key now")).toBeHidden();
  await expect(button(page, "New key")).toBeFocused();

  await button(page, "Revoke server-1").press("Enter");
  await dialog(page, /^Revoke the key/)
    .getByRole("button", { name: /^Revoke/ })
    .press("Enter");
  await expect(dialog(page, /^Revoke the key/)).toBeHidden();
  // Whoever goes on by keys goes on from somewhere on this page, not from its very start.
  await expect(page.getByRole("main").locator(":focus")).toHaveCount(1);
});

test("DG1 the focus comes back from a conflict to the field that was being typed in @nightly", async ({
  ownerPage: page,
  colleaguePage,
}) => {
  const app = await makeApp(page);
  await openEdit(page, app);
  await fieldOf(page, "name").fill("Mine");
  await changeApp(colleaguePage, app.id, { name: "Theirs" });
  const conflict = dialog(page, "Somebody saved this app before you");
  for (const leave of ["Escape", "Keep editing", "Take theirs for all"]) {
    await fieldOf(page, "name").fill(`Mine, then ${leave}`);
    if (leave === "Take theirs for all")
      await changeApp(colleaguePage, app.id, { name: "Theirs again" });
    else await changeApp(colleaguePage, app.id, { name: `Theirs, then ${leave}` });
    await page.keyboard.press("Control+s");
    await expect(conflict.locator(":focus")).toHaveCount(1);
    if (leave === "Escape") await page.keyboard.press(leave);
    else await conflict.getByRole("button", { name: leave }).press("Enter");
    await expect(conflict).toBeHidden();
    await expect(fieldOf(page, "name")).toBeFocused();
  }
});

test("DG2 deleting waits for the exact code, and Enter before that does nothing", async ({
  ownerPage: page,
}) => {
  const app = await makeApp(page);
  await openView(page, app);
  await button(page, "More actions").click();
  await menuItem(page, "Delete").click();
  const asked = page.getByRole("alertdialog", { name: `Delete the app ${app.name}?` });
  const field = asked.getByRole("textbox", { name: `Type ${app.code} to confirm` });
  const confirm = asked.getByRole("button", { name: `Delete ${app.name}` });
  await expect(field).toBeFocused();
  const deleted: string[] = [];
  page.on("request", (request) => request.method() === "DELETE" && deleted.push(request.url()));
  for (const typed of [
    "",
    app.code.slice(0, -1),
    `${app.code}x`,
    app.code.toUpperCase(),
    app.name,
  ]) {
    await field.fill(typed);
    await expect(confirm).toBeDisabled();
    await page.keyboard.press("Enter");
    await expect(asked).toBeVisible();
  }
  expect(deleted).toEqual([]);
  expect(await callApi(page, { path: `/apps/${app.id}` })).toMatchObject({ status: "draft" });

  // Pasted with a blank around it, it counts.
  await field.fill(` ${app.code} `);
  await expect(confirm).toBeEnabled();
  await page.keyboard.press("Enter");
  await expect(toast(page, `${app.name} is deleted.`)).toBeVisible();
  await expect(page).toHaveURL("/apps");
  expect(deleted).toHaveLength(1);
  await page.goto(`/apps/view/${app.id}`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page not found");
});

const archive = async (page: Page, { name }: App) => {
  await button(page, "Archive").click();
  await dialog(page, `Archive ${name}?`)
    .getByRole("button", { name: `Archive ${name}` })
    .click();
  await expect(toast(page, `${name} is archived.`)).toBeVisible();
};

test("DG3 archiving can be taken back for 10 seconds, and both are in the history", async ({
  ownerPage: page,
}) => {
  const app = await onActive(page);
  const writes = recordWrites(page);
  await archive(page, app);
  await expect(button(page, "Restore")).toBeVisible();
  await toast(page, "is archived.").getByRole("button", { name: "Undo" }).click();
  await expect(toast(page, `${app.name} is active again.`)).toBeVisible();
  await expect(button(page, "Archive")).toBeVisible();
  expect(await callApi(page, { path: `/apps/${app.id}` })).toMatchObject({ status: "active" });
  // It is taken back once.
  await page.keyboard.press("Control+z");
  await page.getByRole("link", { name: "Activity" }).click();
  await expect(page.locator(".history > li")).toHaveText([
    /restored the app.*Status.*archived.*active/s,
    /archived the app.*Status.*active.*archived/s,
    /activated the app/,
    /created the app/,
  ]);
  expect(writes.map((write) => write.split("/").at(-1))).toEqual(["archive", "restore"]);
});

test("DG3 what was archived is so although the tab was closed right after @nightly", async ({
  ownerPage: page,
  colleaguePage,
}) => {
  const app = await onActive(page);
  await archive(page, app);
  await page.close();
  expect(await callApi(colleaguePage, { path: `/apps/${app.id}` })).toMatchObject({
    status: "archived",
  });
  await openView(colleaguePage, app, "?tab=activity");
  await expect(colleaguePage.locator(".history > li").first()).toHaveText(/Berta Boss archived/);
});

/** The layer that an element lies on: its own, or that of what holds it. */
const layerOf = (element: Locator) =>
  element.evaluate((start) => {
    for (let at: Element | null = start; at; at = at.parentElement) {
      const { zIndex, position } = getComputedStyle(at);
      if (position !== "static" && zIndex !== "auto") return Number(zIndex);
    }
    return 0;
  });

test("DG4 what opens lies on the layers of the specification", async ({ ownerPage: page }) => {
  await onView(page);
  await button(page, "More actions").click();
  // There, and where it was asked for: not somewhere below the page.
  await expect(page.getByRole("menu")).toBeInViewport({ ratio: 1 });
  expect(await layerOf(page.getByRole("menu"))).toBe(1000);
  await page.keyboard.press("Escape");
  await page.locator("time").first().hover();
  const tooltip = page.getByRole("tooltip");
  await expect(tooltip).toBeVisible();
  expect(await layerOf(tooltip)).toBe(1100);
  await expect(tooltip).toHaveCSS("transition-duration", "0.25s");

  await button(page, "New key").click();
  const modal = dialog(page, /^New key for/);
  await expect(modal).toBeVisible();
  const inner = page.locator(".mantine-Modal-inner");
  await expect(inner).toHaveCSS("z-index", "1100");
  await expect(page.locator(".mantine-Modal-overlay")).toHaveCSS("z-index", "1100");
  await modal.getByRole("combobox", { name: "Kind" }).click();
  await expect(page.getByRole("option").first()).toBeVisible();
  expect(await layerOf(page.getByRole("listbox"))).toBe(1101);
});

for (const key of ["Tab", "Shift+Tab"])
  test(`DG5 ${key} does not leave a dialog`, async ({ ownerPage: page }) => {
    await onView(page);
    const isInside = (modal: Locator) =>
      modal.evaluate((element) => element.contains(document.activeElement));
    await button(page, "New key").click();
    const modal = dialog(page, /^New key for/);
    await expect(modal.getByRole("textbox", { name: "Name" })).toBeFocused();
    const met = new Set<string>();
    for (let press = 1; press <= 20; press += 1) {
      await page.keyboard.press(key);
      expect(await isInside(modal), `after ${press} × ${key}`).toBe(true);
      met.add(await page.locator(":focus").evaluate((element) => element.outerHTML.slice(0, 200)));
    }
    // Close, name, kind, two ticks, expiry, Cancel, Create.
    expect(met.size).toBe(8);
  });

test("DG5 Escape closes only what lies on top, and a click beside a dialog nothing @nightly", async ({
  ownerPage: page,
}) => {
  await onView(page);
  await button(page, "New key").click();
  const modal = dialog(page, /^New key for/);
  await modal.getByRole("textbox", { name: "Name" }).fill("server-1");
  await modal.getByRole("combobox", { name: "Expires" }).click();
  await expect(page.getByRole("option")).toHaveCount(3);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("option")).toHaveCount(0);
  await expect(modal).toBeVisible();

  await page.mouse.click(4, 4);
  await page.mouse.click(640, 4);
  await expect(modal).toBeVisible();
  await expect(modal.getByRole("textbox", { name: "Name" })).toHaveValue("server-1");
  await page.keyboard.press("Escape");
  await expect(modal).toBeHidden();
});

test("DG5 the keys of the page rest while a dialog is open @nightly", async ({
  ownerPage: page,
}) => {
  const app = await onView(page);
  await button(page, "Activate").click();
  await expect(dialog(page, /^Activate/)).toBeVisible();
  await page.keyboard.press("e");
  await page.keyboard.press("g");
  await page.keyboard.press("h");
  await expect(page).toHaveURL(`/apps/view/${app.id}`);
  await page.keyboard.press("Escape");
  await expect(dialog(page, /^Activate/)).toBeHidden();
  await page.keyboard.press("e");
  await expect(page).toHaveURL(`/apps/edit/${app.id}`);
});
