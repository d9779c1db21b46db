import { expect } from "@playwright/test";
import { test } from "../../fixtures/releases.ts";
import {
  appsLink,
  expectFailure,
  expectHome,
  recordDocumentRequests,
} from "../../pages/navigation.ts";

// @nightly: The gate covers one missing chunk and a missing entry; these are its variants.

const at = new Date("2026-11-15T09:00:00Z").getTime();

test("SH6 S4.2 S8.3 S9.2 A missing chunk reloads its page once within 10,000 ms and is then reported", async ({
  ownerPage: page,
  store,
}) => {
  await page.clock.setFixedTime(at);
  const documents = recordDocumentRequests(page);
  await page.goto("/");
  await expectHome(page);
  const putBack = store.take(store.fileOf("screens/apps/List.tsx"));
  try {
    await appsLink(page).click();
    await expectFailure(page);
    expect(documents).toEqual(["/", "/apps"]);
    expect(new URL(page.url()).pathname).toBe("/apps");
    await expect(page.getByRole("button", { name: "Try again" })).toBeVisible();

    await page.clock.setFixedTime(at + 9_999);
    await page.reload();
    await expectFailure(page);
    expect(documents).toEqual(["/", "/apps", "/apps"]);

    await page.clock.setFixedTime(at + 10_001);
    await page.reload();
    await expectFailure(page);
    // One reload by the user, one automatic.
    expect(documents).toEqual(["/", "/apps", "/apps", "/apps", "/apps"]);
  } finally {
    putBack();
  }
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Apps" })).toBeVisible();
});

test("S4.2 A chunk that failed once loads after one reload @nightly", async ({
  ownerPage: page,
  store,
}) => {
  await page.goto("/");
  await expectHome(page);
  const documents = recordDocumentRequests(page);
  const putBack = store.take(store.fileOf("screens/apps/List.tsx"));
  await page.route(
    (url) => url.pathname === "/apps",
    async (route) => {
      putBack();
      await route.continue();
    },
  );
  await appsLink(page).click();
  await expect(page.getByRole("heading", { level: 1, name: "Apps" })).toBeVisible();
  expect(documents).toEqual(["/apps"]);
});

test("S4.2 Each path has its own reload, with at most three per minute @nightly", async ({
  ownerPage: page,
  store,
}) => {
  await page.clock.setFixedTime(at);
  const documents = recordDocumentRequests(page);
  const putBack = ["apps/List", "apps/Create", "account/Account", "home/Home"].map((part) =>
    store.take(store.fileOf(`screens/${part}.tsx`)),
  );
  try {
    for (const path of ["/apps", "/apps/create", "/account"]) {
      await page.goto(path);
      await expectFailure(page);
    }
    expect(documents).toEqual(
      ["/apps", "/apps/create", "/account"].flatMap((path) => [path, path]),
    );
    await page.goto("/");
    await expectFailure(page);
    expect(documents.slice(6)).toEqual(["/"]);
  } finally {
    for (const put of putBack) put();
  }
});

test("S4.2 S7.7b Hovering over a link with a missing chunk does nothing @nightly", async ({
  ownerPage: page,
  store,
}) => {
  await page.goto("/");
  await expectHome(page);
  const documents = recordDocumentRequests(page);
  const file = store.fileOf("screens/apps/List.tsx");
  const putBack = store.take(file);
  try {
    const asked = page.waitForResponse((answer) => answer.url().endsWith(file));
    await appsLink(page).hover();
    expect((await asked).status()).toBe(404);
    await page.getByRole("heading", { level: 1 }).hover();
  } finally {
    putBack();
  }
  await expectHome(page);
  expect(documents).toEqual([]);
  // Nor is the link dead afterwards.
  await appsLink(page).click();
  await expect(page.getByRole("heading", { level: 1, name: "Apps" })).toBeVisible();
});

test("S4.2 Without storage no page reloads automatically @nightly", async ({
  ownerPage: page,
  store,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, "sessionStorage", {
      get: () => {
        throw new Error("forbidden");
      },
    });
  });
  const documents = recordDocumentRequests(page);
  const putBack = store.take(store.fileOf("screens/apps/List.tsx"));
  try {
    await page.goto("/apps");
    await expectFailure(page);
    expect(documents).toEqual(["/apps"]);
  } finally {
    putBack();
  }
});

test("S4.2 An offline page reports it and doesn't reload @nightly", async ({
  ownerPage: page,
  context,
}) => {
  await page.goto("/");
  await expectHome(page);
  const documents = recordDocumentRequests(page);
  await context.setOffline(true);
  await appsLink(page).click();
  await expectFailure(page);
  await expect(page.getByText("You're offline")).toBeVisible();
  expect(documents).toEqual([]);
  await context.setOffline(false);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Apps" })).toBeVisible();
});

test("S4.2 A dialog that can't be loaded is reported, and unsaved input is kept @nightly", async ({
  ownerPage: page,
  store,
}) => {
  await page.goto("/apps");
  const putBack = store.take(store.fileOf("ui/list/export/ExportDialog.tsx"));
  const documents = recordDocumentRequests(page);
  try {
    await page.getByRole("button", { name: "Export" }).click();
    await expect(page.getByText("Part of this page couldn't be loaded.")).toBeVisible();
    expect(documents).toEqual([]);
  } finally {
    putBack();
  }
});

test("S8.2 S2.35 A missing entry script is retried once and then reported by the page itself", async ({
  ownerPage: page,
  store,
}) => {
  await page.clock.setFixedTime(at);
  const documents = recordDocumentRequests(page);
  const putBack = store.take(store.fileOf("index"));
  try {
    await page.goto("/apps");
    await expectFailure(page);
    expect(documents).toEqual(["/apps", "/apps"]);
    await expect(page).toHaveTitle("Internal Server Error");
    await expect(page.getByText("loading...")).toHaveCount(0);
    await expect(page.getByRole("link", { name: "Home" })).toHaveAttribute("href", "/");
  } finally {
    putBack();
  }
  await page.getByRole("link", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Apps" })).toBeVisible();
});
