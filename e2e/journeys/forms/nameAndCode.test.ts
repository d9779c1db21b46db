import { expect } from "@playwright/test";
import { callApi, uniqueCode } from "../../data/api.ts";
import { activateApp, makeApp } from "../../data/apps.ts";
import { test } from "../../fixtures/test.ts";
import { descriptionsOf, fieldOf, openCreate, openEdit } from "../../pages/forms.ts";

// @nightly: The gate covers saving, double submit and review; this is a detail of the same form.

test("The code follows the name until the user edits the code @nightly", async ({
  ownerPage: page,
}) => {
  await openCreate(page);
  await fieldOf(page, "name").pressSequentially("Größe & Café 2");
  await expect(fieldOf(page, "code")).toHaveValue("gro-e-cafe-2");
  await fieldOf(page, "name").fill("Signal Desk");
  await expect(fieldOf(page, "code")).toHaveValue("signal-desk");
  const own = uniqueCode("own");
  await fieldOf(page, "code").fill(own);
  await fieldOf(page, "name").fill("Signal Desk Pro");
  await expect(fieldOf(page, "code")).toHaveValue(own);
  await expect
    .poll(() => descriptionsOf(fieldOf(page, "code")))
    .toEqual(["This code is available."]);
});

test("A code used by another app is reported while typing @nightly", async ({
  ownerPage: page,
}) => {
  const other = await makeApp(page);
  await openCreate(page);
  await fieldOf(page, "code").fill(other.code);
  await expect
    .poll(() => descriptionsOf(fieldOf(page, "code")))
    .toContain(`This code is already used by ${other.name}. Choose another one.`);
  await expect(fieldOf(page, "code")).toHaveAttribute("aria-invalid", "true");
});

test("A code in use is read-only with a reason, and a duplicate can have another code @nightly", async ({
  ownerPage: page,
}) => {
  const app = await activateApp(page, await makeApp(page, { platforms: ["web"], icon: "anchor" }));
  await openEdit(page, app);
  const code = fieldOf(page, "code");
  await expect(code).not.toBeEditable();
  await expect(code).toHaveValue(app.code);
  expect((await descriptionsOf(code)).join()).toContain(
    "This code is in use and can't be changed.",
  );

  await page.getByRole("link", { name: "Duplicate the app" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("New app");
  await expect(fieldOf(page, "name")).toHaveValue(`${app.name} copy`);
});

test("Duplicating an app copies everything but the code, which follows the name again @nightly", async ({
  ownerPage: page,
}) => {
  const details = {
    description: "What it is",
    platforms: ["web", "api"],
    icon: "anchor",
    supportEmail: "help@example.com",
  };
  const app = await makeApp(page, details);
  await page.goto(`/apps/view/${app.id}`);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Duplicate" }).click();
  await expect(fieldOf(page, "name")).toHaveValue(`${app.name} copy`);
  await expect(fieldOf(page, "code")).toHaveValue("");
  const copy = uniqueCode("copy");
  await fieldOf(page, "name").fill(copy);
  await expect(fieldOf(page, "code")).toHaveValue(copy);
  await page.keyboard.press("Control+s");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(copy);
  const id = page.url().split("/").at(-1);
  expect(id).not.toBe(app.id);
  expect(await callApi(page, { path: `/apps/${id}` })).toMatchObject({ ...details, code: copy });
});
