import { expect, type Page } from "@playwright/test";
import { builtRoutes, type Route, routes } from "@purser/contract/pages/routes";
import { callApi } from "../../data/api.ts";
import { makeApp } from "../../data/apps.ts";
import { makeUser } from "../../data/customers.ts";
import { makeFeature } from "../../data/features.ts";
import { makePackage } from "../../data/packages.ts";
import { makePromotion } from "../../data/promotions.ts";
import { makeSellablePackage, sell } from "../../data/transactions.ts";
import { test } from "../../fixtures/test.ts";
import { expectHome } from "../../pages/navigation.ts";
import { submitCredentials } from "../../pages/signIn.ts";

// @nightly: The gate opens every page in the same layout; this stays on it.

const table: [string, Route][] = Object.entries(routes);
const html = { headers: { accept: "text/html" } };

test("S2.R The server returns 200 for every page of the route table", async ({ request }) => {
  for (const [path] of table) {
    const answer = await request.get(path.replace("$id", "7"), html);
    expect([path, answer.status()]).toEqual([path, 200]);
  }
});

/** The row of the acceptance list that each route of the specification is. */
const rowOf = new Map(
  table.filter(([, { addition }]) => !addition).map(([path], place) => [path, `S2.${place + 5}`]),
);

/** What each of an entity's screens shows when it is open. */
const screensAt = (area: string): typeof open => ({
  [area]: async (page, name) => {
    await expect(page.getByRole("table")).toBeVisible();
    await expect(page.getByRole("row").filter({ hasText: name })).toBeVisible();
  },
  [`${area}/create`]: (page) => expect(page.getByLabel("Name", { exact: true })).toHaveValue(""),
  [`${area}/edit/$id`]: (page, name) =>
    expect(page.getByLabel("Name", { exact: true })).toHaveValue(name),
  [`${area}/view/$id`]: async (page, name) => {
    await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
    await expect(page.locator("main form")).toHaveCount(0);
  },
});

const open: Partial<Record<string, (page: Page, name: string) => Promise<void>>> = {
  "/": (page) => expectHome(page),
  ...screensAt("/apps"),
  ...screensAt("/feature"),
  ...screensAt("/package"),
  ...screensAt("/promotion"),
  ...screensAt("/users"),
  "/transaction": async (page, number) => {
    await expect(page.getByRole("table")).toBeVisible();
    await expect(page.getByRole("row").filter({ hasText: number })).toBeVisible();
  },
  "/transaction/create": (page) =>
    expect(page.getByRole("textbox", { name: "Email" })).toHaveValue(""),
  "/transaction/edit/$id": (page, number) =>
    expect(page.getByRole("heading", { level: 1, name: `Edit ${number}` })).toBeVisible(),
  "/transaction/view/$id": async (page, number) => {
    await expect(page.locator(".page-facts")).toContainText(number);
    await expect(page.locator("main form")).toHaveCount(0);
  },
};

/** A record that the pages there are about. */
const makeRecordFor = async (path: string, page: Page) => {
  if (path.startsWith("/transaction")) {
    const { id, number } = await sell(page, await makeSellablePackage(page));
    return { id, name: number };
  }
  if (path.startsWith("/package")) return makePackage(page);
  if (path.startsWith("/promotion")) return makePromotion(page);
  if (path.startsWith("/users")) return makeUser(page);
  return path.startsWith("/feature") ? makeFeature(page) : makeApp(page);
};

/** The specified routes by the first segment of their path, visited in one browser. */
const areas = Map.groupBy(
  table.filter(([path]) => rowOf.has(path)),
  ([path]) => `/${path === "/login" ? "" : (path.split("/")[1] ?? "")}`,
);

/** Every page has one layout, and no page links to a view of a promotion. */
const expectLayout = async (page: Page) => {
  await expect(page.getByRole("main")).toHaveCount(1);
  await expect(page.locator("[data-layout=default]")).toHaveCount(1);
  await expect(page.getByRole("banner")).toHaveCount(1);
  const links = await page
    .locator("a[href]")
    .evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
  expect(links.length).toBeGreaterThan(5);
  expect(links.filter((link) => link.startsWith("/promotion/view"))).toEqual([]);
};

const expectLogin = async (page: Page, address: string, redirect: string | null) => {
  expect((await page.goto(address))?.status()).toBe(200);
  await expect(page.getByRole("heading", { level: 1, name: "Sign in" })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe("/login");
  expect(new URL(page.url()).searchParams.get("redirect")).toBe(redirect);
};

for (const [area, rows] of areas) {
  const ids = rows.map(([path]) => rowOf.get(path)).join(" ");
  test(`S0.1 S1.1 S2.1 S2.33 ${ids} ${area}: pages redirect a visitor to sign-in and back, and show a team member their content`, async ({
    browser,
    sharedOwner,
    ownerPage,
  }) => {
    const record = await makeRecordFor(area, ownerPage);
    const addressOf = (path: string) => path.replace("$id", record.id);
    const redirectOf = ([path, { guard }]: [string, Route]) =>
      guard && path !== "/" ? addressOf(path) : null;
    const context = await browser.newContext({ baseURL: new URL(ownerPage.url()).origin });
    const page = await context.newPage();
    for (const row of rows) await expectLogin(page, addressOf(row[0]), redirectOf(row));

    const [last] = rows.at(-1) ?? [area];
    await submitCredentials(page, sharedOwner);
    await open[last]?.(page, record.name);
    await expect(page).toHaveURL(addressOf(last));
    for (const [path] of rows) {
      await page.goto(addressOf(path));
      await (path === "/login" ? expectHome(page) : open[path]?.(page, record.name));
      await expect(page).toHaveURL(path === "/login" ? "/" : addressOf(path));
      await expectLayout(page);
    }
    await context.close();
  });
}

test("S0.2 The menu links to home and to every area with screens", async ({ ownerPage: page }) => {
  await page.goto("/");
  await expectHome(page);
  const links = await page.getByRole("navigation").first().getByRole("link").all();
  const areas = [
    "/",
    "/transaction",
    "/users",
    "/promotion",
    "/package",
    "/apps",
    "/feature",
    "/reports",
    "/webhook",
    "/catalog",
    "/approvals",
    "/audit",
    "/roles",
    "/settings",
    "/system",
  ];
  const shown = await Promise.all(links.map((link) => link.getAttribute("href")));
  expect(shown).toEqual(areas);
});

test("S2.1 The layout stays during navigation, also on Purser's own pages @nightly", async ({
  ownerPage: page,
  browser,
}) => {
  for (const path of builtRoutes.filter((one) => !rowOf.has(one))) {
    await page.goto(path.replace("$id", "7"));
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expectLayout(page);
  }
  await page.evaluate(() => {
    Object.assign(document.querySelector("[data-layout]") ?? {}, { marker: "same" });
  });
  await page.getByRole("navigation").first().getByRole("link", { name: "Apps" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Apps" })).toBeVisible();
  await page.getByRole("navigation").first().getByRole("link", { name: "Home" }).click();
  await expectHome(page);
  expect(
    await page.evaluate(
      () => (document.querySelector("[data-layout]") as { marker?: string } | null)?.marker,
    ),
  ).toBe("same");

  const stranger = await (
    await browser.newContext({ baseURL: new URL(page.url()).origin })
  ).newPage();
  await stranger.goto("/login");
  await expect(stranger.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await expect(stranger.locator("[data-layout=default]")).toHaveCount(1);
  await expect(stranger.getByRole("navigation")).toHaveCount(0);
  await stranger.context().close();
});

test("S2.31 Another ID shares no state with the previous one and is requested as given", async ({
  ownerPage: page,
}) => {
  const [one, other] = [await makeApp(page), await makeApp(page)];
  await page.goto(`/apps/view/${other.id}`);
  await page.goto(`/apps/edit/${one.id}`);
  const name = page.getByLabel("Name", { exact: true });
  await name.fill("Typed for the first");
  await page.getByRole("button", { name: "Discard" }).click();
  await page.goto(`/apps/edit/${other.id}`);
  await expect(name).toHaveValue(other.name);

  const asked = page.waitForRequest((request) => request.url().includes("/api/apps/a"));
  const answer = await page.goto("/apps/edit/a%2Fb");
  expect(answer?.status()).toBe(200);
  expect(new URL((await asked).url()).pathname).toBe("/api/apps/a%2Fb");
  await expect(page.getByRole("heading", { level: 1, name: "Page not found" })).toBeVisible();
  await expect(page.getByRole("navigation").first()).toBeVisible();
});

test("S3.1 The API has the six resources of the specification", async ({ request }) => {
  const { paths } = await (await request.get("/api/openapi.json")).json();
  const resources = ["apps", "features", "packages", "promotions", "transactions", "users"];
  expect(Object.keys(paths)).toEqual(
    expect.arrayContaining(resources.flatMap((name) => [`/${name}`, `/${name}/{id}`])),
  );
});

test("S6.3 Every API call requires a session", async ({ request }) => {
  for (const path of ["/apps", "/apps/7", "/activity", "/sessions", "/team"]) {
    const answer = await request.get(`/api${path}`);
    expect([path, answer.status()]).toEqual([path, 401]);
    expect(answer.headers()["content-type"]).toContain("application/problem+json");
  }
});

test("S9.7 Every cookie is site-wide, and the session cookie is protected", async ({
  page,
  product,
  owner,
}) => {
  const cookies = await page.context().cookies();
  expect(owner.name).not.toBe("");
  expect(cookies.map(({ path }) => path)).toEqual(cookies.map(() => "/"));
  const session = cookies.find(({ name }) => name === "__Host-purser");
  expect(session).toMatchObject({ secure: true, httpOnly: true, sameSite: "Strict" });
  expect(session?.domain).toBe(new URL(product.origin).hostname);
  await page.goto("/apps/view/7");
  await page.goto("/");
  await expectHome(page);
  await callApi(page, { path: "/session" });
});
