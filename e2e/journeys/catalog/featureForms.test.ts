import { expect, type Page } from "@playwright/test";
import { activateApp, callApi, makeApp, uniqueCode } from "../../data/apps.ts";
import {
  changeFeature,
  type Feature,
  makeFeature,
  regions,
  seats,
  sellFeatureInPackage,
} from "../../data/features.ts";
import { test } from "../../fixtures/colleague.ts";
import {
  accessibilityViolations,
  expectAccessible,
  useColorScheme,
  wcag,
} from "../../pages/accessibility.ts";
import { descriptionsOf, fieldOf, recordWrites, summaryOf, toast } from "../../pages/forms.ts";

// @nightly: Every form shares the behavior that the gate checks on apps; field rules are covered over HTTP.

const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const appPicker = (page: Page) => page.getByRole("combobox", { name: "App" });
const choose = (page: Page, kind: string) => page.getByRole("radio", { name: kind }).check();
const create = (page: Page) => page.getByRole("button", { name: "Create feature" }).click();
const rail = (page: Page) => page.locator(".record-rail");
const amount = (page: Page) => page.getByRole("textbox", { name: /package$/ });

const openCreate = async (page: Page, search = "") => {
  await page.goto(`/feature/create${search}`);
  await expect(heading(page)).toHaveText("New feature");
};

const openEdit = async (page: Page, { id, name }: Feature) => {
  await page.goto(`/feature/edit/${id}`);
  await expect(heading(page)).toHaveText(`Edit ${name}`);
};

const storedAt = async (page: Page) => {
  await expect(page).toHaveURL(/\/feature\/view\//);
  const id = new URL(page.url()).pathname.split("/").at(-1);
  return callApi<Record<string, unknown>>(page, { path: `/features/${id}` });
};

const told = async (page: Page) => {
  await expect(summaryOf(page)).toBeVisible();
  return summaryOf(page).getByRole("link").allInnerTexts();
};

test("S2.12 FM1 an empty form says what is missing at each field, also at each option, and leads there @nightly", async ({
  ownerPage: page,
}) => {
  await openCreate(page);
  const writes = recordWrites(page, "/api/features");
  await choose(page, "Choice");
  await create(page);
  await expect(appPicker(page)).toBeFocused();
  const code = "must have 2 to 64 of a-z, 0-9, - and _, and start and end with a letter or digit";
  expect(await told(page)).toEqual([
    "App must be one of your apps",
    "Name must not be empty",
    `Code ${code}`,
    "Name of option 1 must not be empty",
    `Code of option 1 ${code}`,
    "Name of option 2 must not be empty",
    `Code of option 2 ${code}`,
    "Options must not have two options with the same code",
    "Without a package must not be empty",
  ]);
  expect(await descriptionsOf(appPicker(page))).toContain("must be one of your apps");
  const second = page.getByLabel("Name of option 2");
  await summaryOf(page).getByRole("link", { name: "Name of option 2" }).click();
  await expect(second).toBeFocused();
  expect(await descriptionsOf(second)).toEqual(["must not be empty"]);
  await second.fill("Print");
  await expect(second).not.toHaveAttribute("aria-invalid", "true");
  expect(writes).toEqual([]);
});

test("S2.12 FM2 the form and the API say the same of a limit that is no number @nightly", async ({
  ownerPage: page,
}) => {
  const app = await activateApp(page, await makeApp(page));
  await openCreate(page, `?app=${app.id}`);
  await fieldOf(page, "name").fill("Seats");
  await choose(page, "Limit");
  await page.getByLabel("One of it").fill("seat");
  await amount(page).fill("a few");
  await create(page);
  const answer = await page.evaluate(async (appId) => {
    const { status, ...response } = await fetch("/api/features", {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": crypto.randomUUID() },
      body: JSON.stringify({
        appId,
        name: "Seats",
        code: "seats",
        kind: "limit",
        unit: { one: "seat", many: "" },
        defaultValue: "a few",
      }),
    }).then(async (given) => ({ status: given.status, ...(await given.json()) }));
    return { status, errors: response.errors as { pointer: string; message: string }[] };
  }, app.id);
  expect(answer.status).toBe(400);
  const messages = answer.errors.map(({ message }) => message).sort();
  expect(
    (await told(page)).map((one) => one.replace(/^(Several of it|Without a package) /, "")).sort(),
  ).toEqual(messages);
});

test("S2.12 FM3 a code is the only one in its app, and free in another @nightly", async ({
  ownerPage: page,
  colleaguePage,
}) => {
  const code = uniqueCode("taken");
  const app = await activateApp(page, await makeApp(page));
  await openCreate(page, `?app=${app.id}`);
  await fieldOf(page, "name").fill("Berths");
  await fieldOf(page, "code").fill(code);
  await expect.poll(() => descriptionsOf(fieldOf(page, "code"))).toEqual(["This code is free."]);
  await makeFeature(colleaguePage, { code, name: "Theirs" }, app);
  await create(page);
  await expect(fieldOf(page, "code")).toBeFocused();
  expect((await told(page)).join()).toMatch(/^Code /);

  const other = await activateApp(page, await makeApp(page));
  await appPicker(page).fill(other.code);
  await page.getByRole("option", { name: other.name }).click();
  await create(page);
  expect(await storedAt(page)).toMatchObject({ code, app: { id: other.id } });
});

test("S2.12 FM4 FM5 leaving asks about what was typed, and what was typed comes back @nightly", async ({
  ownerPage: page,
}) => {
  const feature = await makeFeature(page, seats);
  await openEdit(page, feature);
  const kept = page.waitForResponse(
    (answer) => answer.url().includes("/api/drafts/") && answer.request().method() === "PUT",
  );
  await amount(page).fill("12");
  await kept;
  await page.getByRole("navigation").first().getByRole("link", { name: "Home" }).click();
  await page.getByRole("button", { name: "Keep editing" }).click();
  await expect(amount(page)).toHaveValue("12");
  await expect(amount(page)).toBeFocused();

  const again = await page.context().newPage();
  await openEdit(again, feature);
  await again.getByRole("button", { name: "Restore" }).click();
  await expect(amount(again)).toHaveValue("12");
  await again.keyboard.press("Control+s");
  await expect(toast(again, "is saved.")).toBeVisible();
  await again.getByRole("navigation").first().getByRole("link", { name: "Home" }).click();
  await expect(heading(again)).toHaveText("Home");
});

test("S2.13 FM6 two people change different fields of a feature, and both are saved; the same one is asked @nightly", async ({
  ownerPage: page,
  colleaguePage,
}) => {
  const feature = await makeFeature(page, seats);
  await openEdit(page, feature);
  await amount(page).fill("12");
  await changeFeature(colleaguePage, feature.id, { enforcement: "soft" });
  await page.keyboard.press("Control+s");
  await expect(toast(page, "is saved.")).toBeVisible();
  const path = `/features/${feature.id}`;
  expect(await callApi(page, { path })).toMatchObject({ defaultValue: 12, enforcement: "soft" });

  await amount(page).fill("20");
  await changeFeature(colleaguePage, feature.id, { defaultValue: 15 });
  await page.keyboard.press("Control+s");
  await page.getByLabel("Without a package: yours, 20 seats").check();
  await page.getByRole("button", { name: "Save this mix" }).click();
  await expect.poll(() => callApi(page, { path })).toMatchObject({ defaultValue: 20 });
});

test("S2.12 FM7 FM9 an app is made on the way, chosen, and the feature is created once", async ({
  ownerPage: page,
}) => {
  const name = `Chandlery ${uniqueCode()}`;
  await openCreate(page);
  const writes = recordWrites(page, "/api/features");
  await appPicker(page).fill(name);
  await page.getByRole("option", { name: `Create “${name}”` }).click();
  const dialog = page.getByRole("dialog", { name: "New app" });
  await expect(dialog.getByLabel("Name")).toHaveValue(name);
  await dialog.getByLabel("Code").fill("x");
  await dialog.getByRole("button", { name: "Create app" }).click();
  await expect(dialog.getByLabel("Code")).toHaveAttribute("aria-invalid", "true");
  await dialog.getByLabel("Code").fill(uniqueCode("chandlery"));
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(appPicker(page)).toHaveValue(name);
  await expect(appPicker(page)).toBeFocused();
  expect(writes).toEqual([]);

  await fieldOf(page, "name").fill("Exports");
  await choose(page, "Metered");
  await page.getByLabel("One of it").fill("export");
  await page.getByLabel("Several of it").fill("exports");
  await amount(page).fill("1,500");
  await page.getByLabel("Full again").selectOption("Every week");
  await expect(rail(page)).toContainText("Without a package: 1,500 exports a week.");
  await page.keyboard.press("Control+s");
  await page.keyboard.press("Control+s");
  expect(await storedAt(page)).toMatchObject({
    app: { name },
    code: "exports",
    reset: "week",
    combining: "sum",
    defaultValue: 1500,
    status: "draft",
  });
  expect(writes).toEqual(["POST /api/features"]);
});

test("S2.13 FM8 Review lists exactly what was changed, and another kind goes back as a whole @nightly", async ({
  ownerPage: page,
}) => {
  const feature = await makeFeature(page, seats);
  await openEdit(page, feature);
  await page.getByRole("radio", { name: "They add up" }).check();
  await expect(rail(page)).toContainText("Together35 seats");
  await page.getByRole("checkbox", { name: "No limit" }).check();
  await page.getByRole("button", { name: "2 unsaved changes" }).click();
  const review = page.getByRole("dialog", { name: "Changes to this feature" });
  await expect(review.locator("tbody tr")).toHaveText([
    "With several packages−The largest counts+They add up",
    "Without a package−3 seats+no limit",
  ]);
  await review.getByRole("button", { name: "Keep editing" }).click();

  await choose(page, "Switch");
  await expect(page.getByLabel("One of it")).toHaveCount(0);
  await page.getByRole("button", { name: "Reset Kind" }).click();
  await expect(page.getByLabel("One of it")).toHaveValue("seat");
  await expect(page.locator(".unsaved")).toHaveCount(0);
});

test("S2.12 the options of a choice are named, ordered and removed, and the default stays one of them @nightly", async ({
  ownerPage: page,
}) => {
  const app = await activateApp(page, await makeApp(page));
  await openCreate(page, `?app=${app.id}`);
  await fieldOf(page, "name").fill("Profiles");
  await choose(page, "Choice");
  for (const [place, name] of ["Standard", "Proof", "Print"].entries()) {
    if (place === 2) await page.getByRole("button", { name: "Add option" }).click();
    await page.getByLabel(`Name of option ${place + 1}`).fill(name);
  }
  await page.getByRole("button", { name: "Move Print up" }).click();
  const stay = page.getByRole("button", { name: "Move Print up" });
  await expect(stay).toBeFocused();
  await page.getByLabel("Without a package").selectOption("Proof");
  await page.getByRole("button", { name: "Remove Proof" }).click();
  await expect(page.getByLabel("Without a package")).toHaveValue("standard");
  await expect(page.getByRole("button", { name: "Remove Print" })).toBeDisabled();
  await expect(rail(page)).toContainText("TogetherPrint");
  // What was typed for a kind is still there when somebody comes back to it.
  await choose(page, "Limit");
  await choose(page, "Choice");
  await create(page);
  expect(await storedAt(page)).toMatchObject({
    options: [
      { code: "standard", name: "Standard" },
      { code: "print", name: "Print" },
    ],
    defaultValue: "standard",
  });
});

test("S2.13 SH10 what a published package gives is locked, says why, and may still be renamed @nightly", async ({
  ownerPage: page,
  product,
}) => {
  const limit = await makeFeature(page, seats);
  await sellFeatureInPackage(product, limit, { name: "Marina", value: 10 });
  await openEdit(page, limit);
  for (const label of ["Code", "Kind", "Unit", "With several packages"]) {
    const field = page.getByRole("textbox", { name: label, exact: true });
    await expect(field).toHaveAttribute("readonly");
    expect((await descriptionsOf(field)).join()).toContain("A published package uses it");
  }
  await amount(page).fill("4");

  const choice = await makeFeature(page, regions);
  await sellFeatureInPackage(product, choice, { name: "Sea", value: "ocean" });
  const other = await page.context().newPage();
  await openEdit(other, choice);
  await expect(other.getByRole("button", { name: "Remove One ocean" })).toBeDisabled();
  await expect(other.getByLabel("Code of option 2")).toHaveAttribute("readonly");
  await other.getByLabel("Name of option 2").fill("All of one ocean");
  await other.keyboard.press("Control+s");
  await expect(toast(other, "is saved.")).toBeVisible();
  await expectAccessible(page);
});

test("SH9 SH10 every kind of a new feature fits a phone, and axe finds nothing in it @nightly", async ({
  ownerPage: page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openCreate(page);
  for (const kind of ["Switch", "Limit", "Metered", "Choice"]) {
    await choose(page, kind);
    const { scrollWidth, clientWidth } = await page.evaluate(() => document.documentElement);
    expect([kind, scrollWidth]).toEqual([kind, clientWidth]);
    // The other two are made of the same parts.
    if (kind === "Limit" || kind === "Choice")
      expect(await accessibilityViolations(page, wcag), kind).toEqual([]);
  }
  await useColorScheme(page, "dark");
  await appPicker(page).click();
  await expect(page.getByRole("option", { name: "Create a new app" })).toBeVisible();
  expect(await accessibilityViolations(page, wcag)).toEqual([]);
});
