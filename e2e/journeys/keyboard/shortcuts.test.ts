import { expect, type Page } from "@playwright/test";
import { test } from "../../fixtures/test.ts";
import { openAppList } from "../../screens/openScreen.ts";
import { makeRecords, type Records } from "../../screens/records.ts";

// @nightly: Presses every key on four screens, which takes minutes; the gate works a whole day by keyboard.

const letters = [..."abcdefhijklmnopqrstuvwxyz"];
/** Every key and key sequence to try. `g` is never followed by a letter by accident. */
const keysToTry = [
  ...letters,
  "g",
  ...'0123456789?/.,;[]-="',
  ...["Enter", "Space", "Escape", "Delete", "Home", "End"],
  ...["ArrowDown", "ArrowUp", "Shift+ArrowDown", "Shift+ArrowUp"],
  ...[..."abdefghijklmopqsuvxyz", "Enter", "ArrowDown"].map((key) => `Control+${key}`),
  ...letters.map((letter) => `g ${letter}`),
];

const names: Record<string, string | undefined> = {
  Ctrl: "Control",
  Esc: "Escape",
  "↓": "ArrowDown",
  "↑": "ArrowUp",
};

/** The keys that the shortcut sheet lists on this page. */
const listedKeys = async (page: Page) => {
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(sheet).toBeVisible();
  const entries = await sheet.locator("dd").evaluateAll((all) =>
    all.map((entry) =>
      [...entry.querySelectorAll("kbd")].map((key) => ({
        key: key.textContent ?? "",
        isNext: key.previousElementSibling?.textContent === "then",
      })),
    ),
  );
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  return entries.map((keys) =>
    keys
      .map(({ key, isNext }, place) => {
        const name = names[key] ?? (key.length === 1 ? key.toLowerCase() : key);
        return `${isNext ? " " : place > 0 ? "+" : ""}${name}`;
      })
      .join(""),
  );
};

/** Whether the page handled the last key, which prevents the browser's default. */
const watchKeys = (page: Page) =>
  page.addInitScript(() => {
    addEventListener("keydown", (event) => {
      Object.assign(window, { lastTaken: event.defaultPrevented });
    });
  });

const isTaken = async (page: Page, keys: string) => {
  for (const press of keys.split(" ")) await page.keyboard.press(press);
  return page.evaluate(() => (window as unknown as { lastTaken: boolean }).lastTaken);
};

type Effects = Record<string, () => Promise<unknown>>;
type Room = {
  name: string;
  /** Brings the page to where all of its keys mean something. */
  enter: (page: Page, records: Records) => Promise<void>;
  effectsOf: (page: Page, records: Records) => Effects;
  /** Keys without effect until the focus is on a row of Needs attention. */
  idle?: string[];
};

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
const dialog = (page: Page, name: string) => page.getByRole("dialog", { name });

const anywhere = (page: Page): Effects => ({
  "Control+k": () => expect(dialog(page, "Search or jump to")).toBeVisible(),
  "?": () => expect(dialog(page, "Keyboard shortcuts")).toBeVisible(),
  "g h": () => expect(page).toHaveURL("/"),
  "g a": () => expect(page).toHaveURL("/apps"),
  "g f": () => expect(page).toHaveURL("/feature"),
  "g p": () => expect(page).toHaveURL("/package"),
  "g o": () => expect(page).toHaveURL("/promotion"),
  "g t": () => expect(page).toHaveURL("/transaction"),
  "g c": () => expect(page).toHaveURL("/catalog"),
  "g u": () => expect(page).toHaveURL("/users"),
  "g v": () => expect(page).toHaveURL("/approvals"),
  "g l": () => expect(page).toHaveURL("/audit"),
  "g r": () => expect(page).toHaveURL("/roles"),
  "g w": () => expect(page).toHaveURL("/webhook"),
  "g s": () => expect(page).toHaveURL("/settings"),
  "g i": () => expect(page).toHaveURL("/reports"),
  "g y": () => expect(page).toHaveURL("/system"),
});

const rowOf = (page: Page, { name }: { name: string }) =>
  page.getByRole("row").filter({ hasText: name });

/** The newest comes first, so it is the active one. */
const ofTheList = (page: Page, records: Records): Effects => {
  const { active: first, draft: second } = records;
  const bar = page.getByRole("toolbar", { name: "Selected rows" });
  return {
    c: () => expect(page).toHaveURL("/apps/create"),
    "/": () => expect(page.getByRole("searchbox", { name: "Search apps" })).toBeFocused(),
    f: () => expect(dialog(page, "Add filter")).toBeVisible(),
    j: () => expect(rowOf(page, second)).toBeFocused(),
    k: () => expect(rowOf(page, first)).toBeFocused(),
    ArrowDown: () => expect(rowOf(page, second)).toBeFocused(),
    ArrowUp: () => expect(rowOf(page, first)).toBeFocused(),
    Enter: () => expect(page).toHaveURL(`/apps/view/${first.id}`),
    Space: () => expect(dialog(page, `Preview of ${first.name}`)).toBeVisible(),
    x: () => expect(bar).toBeHidden(),
    "Shift+ArrowDown": async () => {
      await expect(rowOf(page, second)).toBeFocused();
      await expect(bar).toContainText("2 selected");
    },
    "Shift+ArrowUp": () => expect(bar).toContainText("1 selected"),
    "Control+a": () => expect(bar).toContainText("2 selected"),
    ".": () => expect(page.getByRole("menuitem", { name: "Archive" })).toBeVisible(),
    Escape: () => expect(bar).toBeHidden(),
  };
};

const rooms: Room[] = [
  {
    name: "home",
    enter: async (page) => {
      await page.goto("/");
      await expect(heading(page, "Home")).toBeVisible();
    },
    effectsOf: anywhere,
    idle: ["a", "s"],
  },
  {
    name: "a list",
    // On its first row, which is selected.
    enter: async (page, records) => {
      await openAppList(page, records);
      await page.keyboard.press("j");
      await page.keyboard.press("x");
      await expect(page.getByRole("toolbar", { name: "Selected rows" })).toBeVisible();
    },
    effectsOf: (page, records) => ({ ...anywhere(page), ...ofTheList(page, records) }),
  },
  {
    name: "a record",
    enter: async (page, { active }) => {
      await page.goto(`/apps/view/${active.id}`);
      await expect(heading(page, active.name)).toBeVisible();
    },
    effectsOf: (page, { active }) => ({
      ...anywhere(page),
      e: () => expect(page).toHaveURL(`/apps/edit/${active.id}`),
    }),
  },
  {
    name: "a form",
    enter: async (page) => {
      await page.goto("/apps/create");
      await expect(heading(page, "New app")).toBeVisible();
    },
    // Saving an empty form is rejected, which shows that the key worked.
    effectsOf: (page) => ({
      ...anywhere(page),
      "Control+s": () => expect(page.getByRole("alert")).toContainText("to save your changes"),
      "Control+Enter": () => expect(page.getByRole("alert")).toContainText("to save your changes"),
    }),
  },
];

/** Bound on every page, but without effect until there is an action to undo. */
const undo = "Control+z";

for (const { name, enter, effectsOf, idle = [] } of rooms)
  test(`SH4 The shortcut sheet lists every key, and each does what it says: ${name} @nightly`, async ({
    ownerPage,
  }) => {
    const records = await makeRecords(ownerPage);
    await watchKeys(ownerPage);
    await enter(ownerPage, records);
    const listed = await listedKeys(ownerPage);
    const effects = effectsOf(ownerPage, records);
    expect(listed.toSorted()).toEqual([...Object.keys(effects), ...idle, undo].toSorted());

    await enter(ownerPage, records);
    for (const keys of keysToTry) {
      const taken = await isTaken(ownerPage, keys);
      // After `g`, a letter that is no second key is the letter alone.
      const alone = keys.replace(/^g /, "");
      const effect = effects[keys] ?? effects[alone];
      expect(taken, keys).toBe(effect !== undefined);
      if (!effect) continue;
      await effect();
      await enter(ownerPage, records);
    }
  });

test("SH4 Shortcuts are off while typing and while a dialog is open", async ({
  ownerPage,
  records,
}) => {
  await openAppList(ownerPage, records);
  await ownerPage.getByRole("searchbox", { name: "Search apps" }).focus();
  await ownerPage.keyboard.type("cfx?");
  await expect(ownerPage.getByRole("searchbox", { name: "Search apps" })).toHaveValue(/cfx\?$/);
  await expect(ownerPage.getByRole("dialog")).toHaveCount(0);
  await expect(heading(ownerPage, "Apps")).toBeVisible();

  await openAppList(ownerPage, records);
  await ownerPage.keyboard.press("?");
  const sheet = dialog(ownerPage, "Keyboard shortcuts");
  await expect(sheet).toBeVisible();
  for (const key of ["c", "f", "g", "h"]) await ownerPage.keyboard.press(key);
  await ownerPage.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  await expect(ownerPage.getByRole("dialog")).toHaveCount(0);
  await expect(heading(ownerPage, "Apps")).toBeVisible();
});

test("SH4 Ctrl Z undoes the last action once, however it was undone @nightly", async ({
  ownerPage,
}) => {
  const { active } = await makeRecords(ownerPage);
  await watchKeys(ownerPage);
  const archive = async () => {
    await ownerPage.goto(`/apps/view/${active.id}`);
    await expect(heading(ownerPage, active.name)).toBeVisible();
    expect(await isTaken(ownerPage, undo)).toBe(false);
    await ownerPage.getByRole("button", { name: "Archive", exact: true }).click();
    await ownerPage.getByRole("button", { name: `Archive ${active.name}` }).click();
    await expect(ownerPage.getByText(`${active.name} archived`)).toBeVisible();
    await expect(ownerPage.getByRole("button", { name: "Restore" })).toBeVisible();
  };
  const expectUndone = async () => {
    await expect(ownerPage.getByText(`${active.name} restored`)).toBeVisible();
    expect(await isTaken(ownerPage, undo)).toBe(false);
    // Immediately, not only when the toast would disappear.
    await expect(ownerPage.getByRole("button", { name: "Undo" })).toHaveCount(0, { timeout: 5000 });
  };
  await archive();
  expect(await isTaken(ownerPage, undo)).toBe(true);
  await expectUndone();
  await archive();
  await ownerPage.getByRole("button", { name: "Undo" }).click();
  await expectUndone();
});
