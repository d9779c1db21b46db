import { expect, type Page } from "@playwright/test";
import { callApi, uniqueCode } from "../../data/api.ts";
import { activateApp, makeApp } from "../../data/apps.ts";
import { makeFeature, seats } from "../../data/features.ts";
import { test } from "../../fixtures/test.ts";
import { descriptionsOf, fieldOf, recordWrites, summaryOf, toast } from "../../pages/forms.ts";
import { amount, appPicker, choose, heading, openCreate, openEdit, rail } from "./featureForm.ts";

// @nightly: Every form shares the behavior that the gate checks on apps; field rules are covered over HTTP.

const create = (page: Page) => page.getByRole("button", { name: "Create feature" }).click();

const storedAt = async (page: Page) => {
  await expect(page).toHaveURL(/\/feature\/view\//);
  const id = new URL(page.url()).pathname.split("/").at(-1);
  return callApi<Record<string, unknown>>(page, { path: `/features/${id}` });
};

const told = async (page: Page) => {
  await expect(summaryOf(page)).toBeVisible();
  return summaryOf(page).getByRole("link").allInnerTexts();
};

test("S2.12 FM1 An empty form lists every missing value, including options, and links to the fields @nightly", async ({
  ownerPage: page,
}) => {
  await openCreate(page);
  const writes = recordWrites(page, "/api/features");
  await choose(page, "Choice");
  await create(page);
  await expect(appPicker(page)).toBeFocused();
  const code =
    "Use 2 to 64 lowercase letters, digits, - and _. Start and end with a letter or digit.";
  expect(await told(page)).toEqual([
    "App Choose an app.",
    "Name This field is required.",
    `Code ${code}`,
    "Name of option 1 This field is required.",
    `Code of option 1 ${code}`,
    "Name of option 2 This field is required.",
    `Code of option 2 ${code}`,
    "Options Use a different code for each option.",
    "Default value This field is required.",
  ]);
  expect(await descriptionsOf(appPicker(page))).toContain("Choose an app.");
  const second = page.getByLabel("Name of option 2");
  await summaryOf(page).getByRole("link", { name: "Name of option 2" }).click();
  await expect(second).toBeFocused();
  expect(await descriptionsOf(second)).toEqual(["This field is required."]);
  await second.fill("Print");
  await expect(second).not.toHaveAttribute("aria-invalid", "true");
  expect(writes).toEqual([]);
});

test("S2.12 FM2 The form and the API show the same error for a limit that isn't a number @nightly", async ({
  ownerPage: page,
}) => {
  const app = await activateApp(page, await makeApp(page));
  await openCreate(page, `?app=${app.id}`);
  await fieldOf(page, "name").fill("Seats");
  await choose(page, "Limit");
  await page.getByLabel("Unit, singular").fill("seat");
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
    (await told(page)).map((one) => one.replace(/^(Unit, plural|Default value) /, "")).sort(),
  ).toEqual(messages);
});

test("S2.12 FM3 A feature code is unique within its app only @nightly", async ({
  ownerPage: page,
  colleaguePage,
}) => {
  const code = uniqueCode("taken");
  const app = await activateApp(page, await makeApp(page));
  await openCreate(page, `?app=${app.id}`);
  await fieldOf(page, "name").fill("Berths");
  await fieldOf(page, "code").fill(code);
  await expect
    .poll(() => descriptionsOf(fieldOf(page, "code")))
    .toEqual(["This code is available."]);
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

test("S2.12 FM4 FM5 Leaving with unsaved changes asks for confirmation, and the draft can be restored @nightly", async ({
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
  await expect(toast(again, "saved")).toBeVisible();
  await again.getByRole("navigation").first().getByRole("link", { name: "Home" }).click();
  await expect(heading(again)).toHaveText("Home");
});

test("S2.12 FM7 FM9 An app is created from the feature form, and the feature is created once", async ({
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
  await page.getByLabel("Unit, singular").fill("export");
  await page.getByLabel("Unit, plural").fill("exports");
  await amount(page).fill("1,500");
  await page.getByLabel("Resets", { exact: true }).selectOption("Every week");
  await expect(rail(page)).toContainText("Default: 1,500 exports a week");
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

test("S2.12 Options of a choice are named, ordered and removed, and the default stays a valid option @nightly", async ({
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
  await page.getByLabel("Default value").selectOption("Proof");
  await page.getByRole("button", { name: "Remove Proof" }).click();
  await expect(page.getByLabel("Default value")).toHaveValue("standard");
  await expect(page.getByRole("button", { name: "Remove Print" })).toBeDisabled();
  await expect(rail(page)).toContainText("CombinedPrint");
  // Input for a kind is kept when the user switches back to it.
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
