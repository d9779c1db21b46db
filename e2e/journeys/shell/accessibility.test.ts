import { expect } from "@playwright/test";
import { createOwner, newPerson } from "../../data/team.ts";
import { test } from "../../fixtures/test.ts";
import { accessibilityViolations, schemes } from "../../pages/accessibility.ts";
import { collectBrowserErrors } from "../../pages/browserErrors.ts";
import { expectSignedIn, signOut } from "../../pages/signIn.ts";

// @nightly: The gate visits every screen for policy violations and accessibility; this adds good practices.

test("No page has a CSP violation @nightly", async ({ page, owner, product }) => {
  const errors = await collectBrowserErrors(page, [{ status: 404, path: "/nowhere" }]);
  const opened = [];
  for (const path of ["/", "/apps", "/apps/create", "/account", "/nowhere", "/api/reference"]) {
    opened.push(await page.goto(path, { waitUntil: "networkidle" }));
    expect(errors, path).toEqual([]);
  }
  await page.goto("/");
  await expectSignedIn(page, owner);
  await signOut(page);
  for (const path of ["/", "/login", "/api/reference"]) {
    opened.push(await page.goto(path, { waitUntil: "networkidle" }));
    expect(errors, path).toEqual([]);
  }
  await page.goto(await createOwner(product, newPerson("Ole")), { waitUntil: "networkidle" });
  await expect(page.getByRole("button", { name: "Set password" })).toBeVisible();
  expect(errors).toEqual([]);

  const policies = opened.map((answer) => answer?.headers()["content-security-policy"]);
  expect(new Set(policies).size).toBe(opened.length);
  for (const policy of policies) expect(policy).not.toContain("unsafe");

  // The listener works: a style without the nonce is blocked and reported.
  await page.evaluate(() => {
    const style = document.createElement("style");
    style.textContent = "body { color: red }";
    document.head.append(style);
  });
  await expect.poll(() => errors.join()).toContain("style-src-elem inline");
});

for (const colorScheme of schemes)
  test(`Login, home and account pass axe in ${colorScheme} @nightly`, async ({
    page,
    owner,
    product,
  }) => {
    await page.emulateMedia({ colorScheme });
    await expect(page.getByRole("link", { name: /^Set up/ })).toBeVisible();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.screenshot({ path: test.info().outputPath("home.png"), fullPage: true });

    await page.goto("/account");
    await expect(page.getByText("No passkeys yet.")).toBeVisible();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.screenshot({ path: test.info().outputPath("account.png"), fullPage: true });

    await signOut(page);
    await page.getByLabel("Email", { exact: true }).fill(owner.email);
    await page.getByLabel("Password", { exact: true }).fill("not the password");
    await page.getByLabel("Password", { exact: true }).press("Enter");
    await expect(page.getByRole("alert")).toBeVisible();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.screenshot({ path: test.info().outputPath("login.png"), fullPage: true });

    await page.getByRole("button", { name: "Forgot password?" }).click();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.goto(await createOwner(product, newPerson("Ole")));
    await expect(page.getByRole("button", { name: "Set password" })).toBeVisible();
    expect(await accessibilityViolations(page)).toEqual([]);
  });
