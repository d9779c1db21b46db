import { expect } from "@playwright/test";
import { test } from "../../fixtures/test.ts";
import { collectBrowserErrors } from "../../pages/browserErrors.ts";

// @nightly: Scalar is installed by the nightly run only. The gate tests the page without it, and its policy over HTTP.

for (const { path, title, operation } of [
  {
    path: "/api/reference",
    title: "For apps",
    operation: "Create or update the customer with this external ID",
  },
  { path: "/api/reference/dashboard", title: "For the dashboard", operation: "Update your name" },
])
  test(`the reference "${title}" is shown by Scalar, without violating the content security policy @nightly`, async ({
    page,
    request,
  }) => {
    const scalar = await request.get("/api/reference/scalar.js");
    expect(scalar.status(), "npm --prefix reference ci --ignore-scripts").toBe(200);
    const errors = await collectBrowserErrors(page);
    const requested: string[] = [];
    page.on("request", (one) => requested.push(new URL(one.url()).origin));
    await page.goto(path);
    await expect(page.getByRole("navigation").first()).toContainText(title);
    const reference = page.getByRole("main").first();
    await expect(reference.getByRole("heading", { name: operation })).toBeVisible();
    const groups = reference.getByRole("button", { name: /^Open Group/ });
    const closed = await groups.count();
    await groups.first().click();
    await expect(groups).toHaveCount(closed - 1);
    await expect(reference.getByRole("heading", { name: operation })).toBeVisible();
    expect(errors).toEqual([]);
    const own = new URL(page.url()).origin;
    expect(requested.filter((origin) => origin !== own && origin !== "null")).toEqual([]);
  });
