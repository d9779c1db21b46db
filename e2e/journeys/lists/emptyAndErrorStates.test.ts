import { expect, type Page, type Route } from "@playwright/test";
import { callApi } from "../../data/api.ts";
import { makeManyApps } from "../../data/apps.ts";
import { findPasswordLink, newPerson } from "../../data/team.ts";
import { test } from "../../fixtures/test.ts";
import {
  columnHeader,
  expectListLoaded,
  insertApp,
  listRegion,
  listUrl,
  numberedNames,
  openList,
  rowNames,
  uniqueWord,
} from "../../pages/lists.ts";
import { withoutPayloads } from "../../pages/payloads.ts";
import { expectSignedIn, setPassword } from "../../pages/signIn.ts";
import { theList } from "./requests.ts";

// @nightly: The gate covers the first error and the empty list; this is a variant. Roles are covered over HTTP.

/** The server's response to an internal error. */
const breaks = (requestId: string) => (route: Route) =>
  route.fulfill({
    status: 500,
    contentType: "application/problem+json",
    headers: { "x-request-id": requestId },
    json: {
      type: "urn:purser:problem:internal",
      title: "Internal Server Error",
      status: 500,
      detail: "Something broke on our side.",
      requestId,
    },
  });

const rereads: Record<string, (page: Page) => Promise<void>> = {
  "is refreshed": (page) => page.getByRole("button", { name: "Refresh" }).click(),
  "is sorted": (page) => columnHeader(page, "Code").getByRole("button").click(),
};

for (const [what, reread] of Object.entries(rereads))
  test(`LS10 If the API fails while a list ${what}, the rows stay, the alert has a request ID, and a retry recovers @nightly`, async ({
    ownerPage,
    product,
  }) => {
    const word = uniqueWord();
    await makeManyApps(product, word, 3);
    await openList(ownerPage, { q: word });
    await expect(rowNames(ownerPage)).toHaveText(numberedNames(word, 3, 1));
    const requestId = `req-${word}`;
    await ownerPage.route(theList, breaks(requestId));
    await reread(ownerPage);
    const alert = ownerPage.getByRole("alert");
    await expect(alert).toContainText("Something broke on our side.");
    await expect(alert).toContainText(requestId);
    await expect(rowNames(ownerPage)).toHaveText(numberedNames(word, 3, 1));
    await expectListLoaded(ownerPage);
    await expect(rowNames(ownerPage)).toHaveText(numberedNames(word, 3, 1));

    await ownerPage.unroute(theList);
    await insertApp(product, { name: `${word} 0004` });
    await alert.getByRole("button", { name: "Try again" }).click();
    await expect(rowNames(ownerPage)).toHaveCount(4);
    await expect(alert).toBeHidden();
  });

test("LS10 If the first request fails, the list shows an error with its request ID, and a retry shows the rows", async ({
  ownerPage,
  product,
}) => {
  const word = uniqueWord();
  await makeManyApps(product, word, 2);
  const requestId = `req-${word}`;
  await withoutPayloads(ownerPage);
  await ownerPage.route(theList, breaks(requestId));
  await ownerPage.goto(listUrl({ q: word }));
  const alert = ownerPage.getByRole("alert");
  await expect(alert.getByRole("heading", { name: "Couldn't load the list" })).toBeVisible();
  await expect(alert).toContainText("Something broke on our side.");
  await expect(alert).toContainText(requestId);
  await expect(ownerPage.getByText("Loading…")).toBeHidden();
  // The page around it is alive.
  await expect(ownerPage.getByRole("heading", { name: "Apps", level: 1 })).toBeVisible();
  await expect(ownerPage.getByLabel("Search apps")).toHaveValue(word);

  await ownerPage.unroute(theList);
  await alert.getByRole("button", { name: "Try again" }).click();
  await expect(rowNames(ownerPage)).toHaveText(numberedNames(word, 2, 1));
  await expect(alert).toBeHidden();
});

test("Unknown URL parameters are reported, and the rows are shown @nightly", async ({
  ownerPage,
  product,
}) => {
  const word = uniqueWord();
  await makeManyApps(product, word, 2);
  await openList(ownerPage, { q: word, colour: "blue", limit: "1" });
  await expect(
    ownerPage.getByText("The URL parameters “colour” and “limit” are unknown"),
  ).toBeVisible();
  await expect(rowNames(ownerPage)).toHaveCount(2);
  await openList(ownerPage, { q: word });
  await expect(rowNames(ownerPage)).toHaveCount(2);
  await expect(ownerPage.getByText("are unknown and were ignored")).toBeHidden();
});

test("An unknown filter shows the server's error and a way to remove it @nightly", async ({
  ownerPage,
  product,
}) => {
  const word = uniqueWord();
  await makeManyApps(product, word, 2);
  await openList(ownerPage, { f: "nope:is:x" });
  const region = listRegion(ownerPage);
  await expect(region.getByRole("heading", { name: "Can't show this list" })).toBeVisible();
  await expect(region).toContainText(
    "Unknown filter field. Available fields are name, code, status, platforms",
  );
  await region.getByRole("button", { name: "Clear search and filters" }).click();
  await expect(rowNames(ownerPage).first()).toBeVisible();
  expect(new URL(ownerPage.url()).search).toBe("");

  await openList(ownerPage, { q: word, sort: "nope" });
  await expect(region).toContainText(
    "Unknown sort field. Available fields are name, code, status, createdAt",
  );
});

test("An empty list explains what an app is and how to create one", async ({ ownerPage }) => {
  // Other tests of the same product may have created apps, so the response is mocked.
  await withoutPayloads(ownerPage);
  await ownerPage.route(theList, (route) =>
    route.fulfill({
      json: { items: [], previous: null, next: null, total: { count: 0, kind: "exact" } },
    }),
  );
  await openList(ownerPage, {});
  const region = listRegion(ownerPage);
  await expect(region.getByRole("heading", { name: "No apps yet" })).toBeVisible();
  await expect(region).toContainText("An app is a product you sell.");
  await region.getByRole("link", { name: "New app" }).click();
  await expect(ownerPage).toHaveURL("/apps/create");
  await expect(ownerPage.getByRole("heading", { name: "New app" })).toBeVisible();
});

test("A read-only role sees the list, and the form names the missing permission and who can grant it @nightly", async ({
  ownerPage,
  product,
  browser,
}) => {
  const word = uniqueWord();
  await makeManyApps(product, word, 2);
  const viewer = newPerson("Vera Viewer");
  const { email, name } = viewer;
  await callApi(ownerPage, {
    method: "POST",
    path: "/team",
    body: { email, name, role: "viewer" },
  });
  const elsewhere = await browser.newContext({ baseURL: product.origin });
  const theirs = await elsewhere.newPage();
  await setPassword(theirs, findPasswordLink(await product.mailbox.read(email)), viewer);
  await expectSignedIn(theirs, viewer);

  await openList(theirs, { q: word });
  await expect(rowNames(theirs)).toHaveCount(2);
  await expect(theirs.getByRole("link", { name: "New app" })).toBeHidden();
  await listRegion(theirs).getByRole("checkbox", { name: "Select all on this page" }).click();
  const selected = theirs.getByRole("toolbar", { name: "Selected rows" });
  await expect(selected).toContainText("You don't have permission to edit these.");
  await expect(selected.getByRole("button", { name: /Archive/ })).toBeHidden();

  await theirs.goto("/apps/create");
  await expect(
    theirs.getByRole("heading", { name: "You don't have access to this page" }),
  ).toBeVisible();
  await expect(theirs.getByRole("main")).toContainText(
    "Ask an owner for the permission Edit apps.",
  );
  await expect(theirs.getByRole("textbox", { name: "Name" })).toBeHidden();
  await elsewhere.close();
});
