import { readFileSync } from "node:fs";
import { expect } from "@playwright/test";
import { builtRoutes, routes } from "@purser/contract/pages/routes";
import { makeApp } from "../../data/apps.ts";
import { test } from "../../fixtures/test.ts";
import { expectSignedIn, submitCredentials } from "../../pages/signIn.ts";
import { unknownAppId } from "../../screens/openScreen.ts";
import { heading, openLogin } from "./loginForm.ts";

// @nightly: The gate covers the guard, one redirect and a wrong password; this is a variant.

/** The built files of screens that require a session. */
const guardedFiles = () => {
  const manifest: Record<string, { file: string }> = JSON.parse(
    readFileSync(new URL("../../../web/dist/.vite/manifest.json", import.meta.url), "utf8"),
  );
  return Object.entries(manifest)
    .filter(([source]) => /^src\/screens\/(?!login\/)/.test(source))
    .map(([, { file }]) => `/${file}`);
};

const guarded: string[] = builtRoutes.filter((path) => "guard" in routes[path]);
const search = "/apps?q=some text&f=status:any:draft,active&sort=-name";

/** The same URL, however its query is encoded. */
const expectSame = (found: URL, wanted: URL) => {
  expect(found.pathname).toBe(wanted.pathname);
  expect([...found.searchParams]).toEqual([...wanted.searchParams]);
};

test("LG1 S6.1 S2.R Every protected page requires sign-in without loading its code or data", async ({
  page,
}) => {
  expect(guarded.length).toBeGreaterThan(5);
  const files = guardedFiles();
  expect(files.length).toBeGreaterThan(guarded.length - 1);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  for (const path of [...guarded, search]) {
    const address = path.replace("$id", unknownAppId);
    await page.goto(address);
    await expect(heading(page, "Sign in")).toBeVisible();
    const { pathname, searchParams } = new URL(page.url());
    expect(pathname, path).toBe("/login");
    const wanted = searchParams.get("redirect");
    if (path === "/") expect(wanted).toBeNull();
    else expectSame(new URL(wanted ?? "", page.url()), new URL(address, page.url()));
  }
  // Only the session and the sign-in methods are requested before.
  expect(new Set(asked.filter((path) => path.startsWith("/api/")))).toEqual(
    new Set(["/api/session/user", "/api/session/methods"]),
  );
  expect(asked.filter((path) => files.includes(path))).toEqual([]);
  expect(asked.filter((path) => path.endsWith("/_payload.json"))).toEqual([]);
});

for (const path of ["/", "/apps/view/$id", search])
  test(`LG1 Signing in returns to the requested page: ${path} @nightly`, async ({
    page,
    sharedOwner,
    browser,
    product,
  }) => {
    const context = await browser.newContext({
      baseURL: product.origin,
      storageState: sharedOwner.state,
    });
    const { id, name } = await makeApp(await context.newPage());
    await context.close();
    const titles: Record<string, string> = { "/": "Home", "/apps/view/$id": name };
    const address = path.replace("$id", id);
    await page.goto(address);
    await expect(heading(page, "Sign in")).toBeVisible();
    await submitCredentials(page, sharedOwner);
    await expect(heading(page, titles[path] ?? "Apps")).toBeVisible();
    expectSame(new URL(page.url()), new URL(address, product.origin));
    // The login is not a step to go back to.
    await page.goBack();
    await expect(page).not.toHaveURL(/\/login/);
  });

test("LG1 The API returns 401 without a session @nightly", async ({
  request,
  product,
  ownerPage,
}) => {
  const { id } = await makeApp(ownerPage);
  const json = { "content-type": "application/json", origin: product.origin };
  const calls: [method: string, path: string][] = [
    ["GET", "/apps"],
    ["GET", "/apps/counts"],
    ["GET", `/apps/${id}`],
    ["GET", `/apps/${id}/keys`],
    ["GET", `/apps/${id}/activity`],
    ["GET", "/apps/export"],
    ["GET", "/activity"],
    ["GET", "/sessions"],
    ["GET", "/passkeys"],
    ["GET", "/events"],
    ["POST", "/apps"],
    ["PUT", `/apps/${id}`],
    ["DELETE", `/apps/${id}`],
    ["PUT", "/preferences"],
  ];
  for (const [method, path] of calls) {
    const answer = await request.fetch(`${product.origin}/api${path}`, {
      method,
      headers: json,
      ...(method !== "GET" && { data: "{}" }),
    });
    expect(answer.status(), `${method} ${path}`).toBe(401);
    expect(answer.headers()["content-type"]).toContain("application/problem+json");
    expect(await answer.json()).not.toHaveProperty("items");
  }
});

const elsewhere = [
  "//evil.example",
  "//evil.example/apps",
  "https://evil.example",
  "http:evil.example",
  "/\\evil.example",
  "/\\\\evil.example",
  "\\\\evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  " //evil.example",
  "javascript:alert(1)",
  "data:text/html,evil",
  "/login",
  "/login?redirect=//evil.example",
];

test("LG3 A redirect to another site is ignored for a signed-in user @nightly", async ({
  ownerPage,
  product,
}) => {
  const left: string[] = [];
  ownerPage.on("request", (request) => {
    if (new URL(request.url()).origin !== product.origin) left.push(request.url());
  });
  for (const wanted of elsewhere)
    await test.step(JSON.stringify(wanted), async () => {
      await ownerPage.goto(`/login?redirect=${encodeURIComponent(wanted)}`);
      await expect.soft(heading(ownerPage, "Home"), wanted).toBeVisible();
      expect.soft(ownerPage.url(), wanted).toBe(`${product.origin}/`);
    });
  expect(left).toEqual([]);
});

for (const wanted of [
  "//evil.example",
  "https://evil.example",
  "/\\evil.example",
  "/\t/evil.example",
])
  test(`LG3 A redirect to another site is ignored after signing in: ${JSON.stringify(wanted)} @nightly`, async ({
    page,
    sharedOwner,
    product,
  }) => {
    const left: string[] = [];
    page.on("request", (request) => {
      if (new URL(request.url()).origin !== product.origin) left.push(request.url());
    });
    await openLogin(page, `?redirect=${encodeURIComponent(wanted)}`);
    await submitCredentials(page, sharedOwner);
    await expectSignedIn(page, sharedOwner);
    await expect(heading(page, "Home")).toBeVisible();
    await expect(page).toHaveURL("/");
    expect(left).toEqual([]);
  });

test("LG3 A redirect that only looks internal stays on this site @nightly", async ({
  ownerPage,
  product,
}) => {
  for (const wanted of [
    "/.//evil.example",
    "/apps/..//evil.example",
    "/apps/../..//evil.example",
  ]) {
    await ownerPage.goto(`/login?redirect=${encodeURIComponent(wanted)}`);
    await expect(ownerPage).not.toHaveURL(/\/login/);
    expect(new URL(ownerPage.url()).origin).toBe(product.origin);
  }
});

test("LG3 A redirect to an internal page is followed @nightly", async ({ ownerPage }) => {
  await ownerPage.goto(`/login?redirect=${encodeURIComponent("/apps?sort=name")}`);
  await expect(heading(ownerPage, "Apps")).toBeVisible();
  await expect(ownerPage).toHaveURL("/apps?sort=name");
});
