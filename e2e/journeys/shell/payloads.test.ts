import { expect } from "@playwright/test";
import { makeApp, makeManyApps } from "../../data/apps.ts";
import { makeFeature } from "../../data/features.ts";
import { findPasswordLink, newPerson } from "../../data/team.ts";
import { test } from "../../fixtures/test.ts";
import { rowNames, uniqueWord } from "../../pages/lists.ts";
import { appsLink, expectHome, recordRequests } from "../../pages/navigation.ts";
import { setPassword } from "../../pages/signIn.ts";

// @nightly: The gate covers one payload; this is a variant of it.

const heading = { level: 1 } as const;

test("S7.7b Opening a page requests its payload once and none of its data again", async ({
  ownerPage: page,
}) => {
  await makeApp(page);
  await page.goto("/");
  await expectHome(page);
  const payloads = recordRequests(page, "/_payload.json");
  const lists = recordRequests(page, "/api/apps");
  const counts = recordRequests(page, "/api/apps/counts");
  await appsLink(page).click();
  await expect(rowNames(page).first()).toBeVisible();
  await expect(page.getByRole("link", { name: /^All \d/ })).toBeVisible();
  expect(payloads).toHaveLength(1);
  expect(new URL(payloads[0] ?? "").pathname).toBe("/apps/_payload.json");
  expect(new URL(payloads[0] ?? "").search).toMatch(/^\?[a-f0-9]{16}$/);
  expect([lists, counts]).toEqual([[], []]);

  // Another query of the same page is the API's.
  await page.getByRole("button", { name: "Code" }).click();
  await expect.poll(() => lists.length).toBe(1);
  expect(payloads).toHaveLength(1);
});

test("S7.7b A URL with a query gets the payload of that query @nightly", async ({
  ownerPage: page,
  product,
}) => {
  const word = uniqueWord();
  await makeManyApps(product, word, 30);
  const payloads = recordRequests(page, "/_payload.json");
  const lists = recordRequests(page, "/api/apps");
  await page.goto(`/apps?q=${word}&sort=name&page=2&size=10`);
  await expect(rowNames(page).first()).toHaveText(`${word} 0011`);
  expect(payloads).toHaveLength(1);
  expect(lists).toEqual([]);
});

test("S7.7b The first screen of every page needs only its payload @nightly", async ({
  ownerPage: page,
}) => {
  const { id, name } = await makeApp(page);
  const feature = await makeFeature(page);
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/api/")) asked.push(pathname);
  });
  const screens = {
    "/": "Home",
    "/apps": "Apps",
    "/apps/create": "New app",
    "/feature": "Features",
    "/feature/create": "New feature",
    "/account": "Profile and security",
  };
  for (const [path, title] of Object.entries({
    ...screens,
    [`/apps/edit/${id}`]: `Edit ${name}`,
    [`/apps/view/${id}`]: name,
    [`/apps/view/${id}?tab=activity`]: name,
    [`/feature/edit/${feature.id}`]: `Edit ${feature.name}`,
    [`/feature/view/${feature.id}`]: feature.name,
    [`/feature/view/${feature.id}?tab=activity`]: feature.name,
  })) {
    await page.goto("about:blank");
    asked.length = 0;
    await page.goto(path);
    await expect(page.getByRole("heading", { ...heading, name: title })).toBeVisible();
    await page.waitForLoadState("load");
    // The chart of Home asks for its promotions after the figures.
    const later = /^\/api\/(session\/user|events|drafts.*|promotions)$/;
    const others = asked.filter((one) => !later.test(one));
    expect([path, others]).toEqual([path, []]);
  }
});

test("S7.7b 2.15 A payload is prefetched after hovering over a link for 50 ms and used on navigation @nightly", async ({
  ownerPage: page,
}) => {
  const app = await makeApp(page);
  await page.goto("/");
  await expectHome(page);
  const payloads = recordRequests(page, "/apps/_payload.json");
  await appsLink(page).hover();
  await expect.poll(() => payloads.length).toBe(1);
  await appsLink(page).click();
  await expect(rowNames(page).first()).toBeVisible();
  expect(payloads).toHaveLength(1);

  const record = recordRequests(page, `/apps/view/${app.id}/_payload.json`);
  const link = page.getByRole("link", { name: app.name }).first();
  await link.focus();
  await expect.poll(() => record.length).toBe(1);
  await link.click();
  await expect(page.getByRole("heading", { ...heading, name: app.name })).toBeVisible();
  expect(record).toHaveLength(1);
});

const failures = {
  "does not come": "abort",
  "is refused": 500,
  "is two seconds late": "late",
} as const;

for (const [what, failure] of Object.entries(failures))
  test(`S7.7b If the payload ${what}, the screen requests the API @nightly`, async ({
    ownerPage: page,
  }) => {
    await makeApp(page);
    await page.goto("/");
    await expectHome(page);
    await page.route("**/apps/_payload.json*", async (route) => {
      if (failure === "abort") return route.abort();
      if (failure === 500) return route.fulfill({ status: 500 });
      await new Promise((resolve) => setTimeout(resolve, 2000));
      await route.continue().catch(() => undefined);
    });
    const lists = recordRequests(page, "/api/apps");
    await appsLink(page).click();
    await expect(rowNames(page).first()).toBeVisible();
    expect(lists).toHaveLength(1);
  });

test("S7.7b A payload requires a session and the permission of its user @nightly", async ({
  ownerPage: page,
  product,
  browser,
  request,
}) => {
  const { id } = await makeApp(page);
  for (const path of [
    "",
    "/apps",
    "/apps/create",
    `/apps/edit/${id}`,
    `/apps/view/${id}`,
    "/account",
  ]) {
    const refused = await request.get(`${path}/_payload.json`);
    expect([path, refused.status()]).toEqual([path, 401]);
    expect(await refused.json()).not.toHaveProperty("data");
  }
  const open = await request.get("/login/_payload.json");
  expect(open.status()).toBe(200);
  expect(open.headers()["cache-control"]).toBe("private, no-store");
  expect(await open.json()).toMatchObject({ data: {}, access: { permissions: [] } });
  for (const path of ["/nope", "/promotion/view/1", "/feature/nope"]) {
    const unknown = await request.get(`${path}/_payload.json`);
    expect([path, unknown.status()]).toEqual([path, 404]);
    expect(unknown.headers()["content-type"]).toContain("json");
  }

  // A viewer may look and not write.
  const viewer = newPerson("Vera Viewer");
  await page.goto("/");
  await page.evaluate(
    async (body) => {
      await fetch("/api/team", {
        method: "POST",
        headers: { "content-type": "application/json", "idempotency-key": crypto.randomUUID() },
        body: JSON.stringify(body),
      });
    },
    { email: viewer.email, name: viewer.name, role: "viewer" },
  );
  const mail = await product.mailbox.read(viewer.email);
  const context = await browser.newContext({ baseURL: product.origin });
  const theirs = await context.newPage();
  await setPassword(theirs, findPasswordLink(mail), viewer);
  await expectHome(theirs);
  const statuses = await theirs.evaluate(async (app) => {
    const statusOf = async (path: string) => (await fetch(`${path}/_payload.json`)).status;
    return [
      await statusOf("/apps"),
      await statusOf("/apps/create"),
      await statusOf(`/apps/edit/${app}`),
    ];
  }, id);
  expect(statuses).toEqual([200, 403, 403]);
  await context.close();
});
