import { expect, type Page } from "@playwright/test";
import { callApi, makeApp, uniqueCode } from "../../data/apps.ts";
import { test } from "../../fixtures/colleague.ts";
import {
  descriptionsOf,
  dropFirstResponse,
  fieldErrorsOf,
  fieldOf,
  openCreate,
  openEdit,
  recordWrites,
  summaryOf,
  type TypedField,
  toast,
} from "../../pages/forms.ts";

// @nightly: The gate covers missing, taken and unsaved values; this is a variant of them.

const createButton = (page: Page) => page.getByRole("button", { name: "Create app" });
const saveButton = (page: Page) => page.getByRole("button", { name: "Save app" });

test("FM1 an empty form says what is missing, at the fields and above them, and leads there", async ({
  ownerPage: page,
}) => {
  await openCreate(page);
  const writes = recordWrites(page);
  await createButton(page).click();

  await expect(fieldOf(page, "name")).toBeFocused();
  await expect(summaryOf(page)).toContainText("To save this app, make 2 changes:");
  expect(await fieldErrorsOf(page)).toEqual({
    name: "must not be empty",
    code: "must have 2 to 64 of a-z, 0-9, - and _, and start and end with a letter or digit",
  });
  await expect(page.locator("form [aria-invalid=true]")).toHaveCount(2);

  for (const name of ["code", "name"] as const) {
    const label = name === "code" ? "Code" : "Name";
    await summaryOf(page)
      .getByRole("link", { name: new RegExp(`^${label} `) })
      .click();
    await expect(fieldOf(page, name)).toBeFocused();
  }

  // What was mended is no longer asked for.
  await fieldOf(page, "name").fill("Harbor");
  await expect(fieldOf(page, "name")).not.toHaveAttribute("aria-invalid", "true");
  expect(await descriptionsOf(fieldOf(page, "name"))).toEqual([]);
  expect(writes).toEqual([]);
});

/** What the API says of such an app, by field. */
const refusalsOf = (page: Page, body: Record<string, unknown>) =>
  page.evaluate(async (sent) => {
    const answer = await fetch("/api/apps", {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": crypto.randomUUID() },
      body: JSON.stringify(sent),
    });
    const { errors }: { errors: { in: string; pointer: string; message: string }[] } =
      await answer.json();
    return {
      status: answer.status,
      amount: errors.length,
      byField: Object.fromEntries(
        errors.map((error) => [error.pointer.slice(1), error.message] as const),
      ),
    };
  }, body);

const badPayloads: Record<string, Partial<Record<TypedField, string>>> = {
  "nothing at all": { name: "", code: "" },
  "only blanks, and a code of one sign": { name: "   ", code: "x" },
  "too much of everything": {
    name: "n".repeat(121),
    code: "c".repeat(65),
    description: "d".repeat(2001),
    supportEmail: `${"m".repeat(250)}@example.com`,
  },
  "signs that do not belong there": {
    name: `Har${String.fromCodePoint(0x200b)}bor`,
    code: "Harbor Desk",
    description: `down${String.fromCodePoint(0x202e)}up`,
    supportEmail: "nobody",
  },
  "a code that ends badly": { name: "Harbor", code: "harbor-" },
  "an address without a host": { name: "Harbor", code: "harbor-9", supportEmail: "me@" },
};

for (const [what, payload] of Object.entries(badPayloads))
  test(`FM2 the form and the API say the same of ${what} @nightly`, async ({ ownerPage: page }) => {
    await openCreate(page);
    const writes = recordWrites(page);
    // The code last: until then it follows the name.
    for (const name of ["name", "code", "description", "supportEmail"] as const) {
      const typed = payload[name];
      if (typed !== undefined) await fieldOf(page, name).fill(typed);
    }
    await createButton(page).click();
    await expect(summaryOf(page)).toBeVisible();
    const told = await fieldErrorsOf(page);
    expect(writes).toEqual([]);

    const refused = await refusalsOf(page, payload);
    expect(refused.status).toBe(400);
    expect(told).toEqual(refused.byField);
    expect(Object.keys(told)).toHaveLength(refused.amount);
  });

test("FM3 a code that somebody took meanwhile is refused at the code", async ({
  ownerPage: page,
  colleaguePage,
}) => {
  const code = uniqueCode("taken");
  await openCreate(page);
  await fieldOf(page, "name").fill("Harbor");
  await fieldOf(page, "code").fill(code);
  await expect.poll(() => descriptionsOf(fieldOf(page, "code"))).toEqual(["This code is free."]);
  await makeApp(colleaguePage, { code, name: "Port" });

  const answered = page.waitForResponse((answer) => answer.request().method() === "POST");
  await createButton(page).click();
  expect((await answered).status()).toBe(409);
  await expect(fieldOf(page, "code")).toBeFocused();
  expect(Object.keys(await fieldErrorsOf(page))).toEqual(["code"]);
  await expect(fieldOf(page, "name")).toHaveValue("Harbor");

  // Another code, and it goes through.
  await fieldOf(page, "code").fill(`${code}-2`);
  await createButton(page).click();
  await expect(page).toHaveURL(/\/apps\/view\//);
});

const menuEntry = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Main" }).getByRole("link", { name });
const leaveDialog = (page: Page) => page.getByRole("dialog", { name: "Leave without saving?" });
const answer = (page: Page, name: string) => leaveDialog(page).getByRole("button", { name });

test("FM4 leaving with something unsaved is asked, and whoever stays is where they typed", async ({
  ownerPage: page,
}) => {
  const app = await makeApp(page);
  await openEdit(page, app);
  await fieldOf(page, "description").fill("Half a thought");
  await menuEntry(page, "Home").click();
  await expect(leaveDialog(page)).toContainText("1 change would be lost.");
  await expect(answer(page, "Keep editing")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(leaveDialog(page)).toBeHidden();
  await expect(page).toHaveURL(`/apps/edit/${app.id}`);
  await expect(fieldOf(page, "description")).toHaveValue("Half a thought");
  await expect(fieldOf(page, "description")).toBeFocused();

  await menuEntry(page, "Home").click();
  await answer(page, "Discard").click();
  await expect(page).toHaveURL("/");
  expect(await callApi(page, { path: `/apps/${app.id}` })).toMatchObject({
    description: "",
    version: app.version,
  });
});

test("FM4 leaving can save first, and what is wrong keeps one here @nightly", async ({
  ownerPage: page,
}) => {
  const app = await makeApp(page);
  await openEdit(page, app);
  await fieldOf(page, "supportEmail").fill("nobody");
  await menuEntry(page, "Home").click();
  await answer(page, "Save and leave").click();
  await expect(leaveDialog(page)).toBeHidden();
  await expect(fieldOf(page, "supportEmail")).toBeFocused();
  await expect(page).toHaveURL(`/apps/edit/${app.id}`);

  await fieldOf(page, "supportEmail").fill("help@example.com");
  await menuEntry(page, "Home").click();
  await answer(page, "Save and leave").click();
  await expect(page).toHaveURL("/");
  expect(await callApi(page, { path: `/apps/${app.id}` })).toMatchObject({
    supportEmail: "help@example.com",
  });
});

test("FM7 after a lost answer another try makes no second app @nightly", async ({
  ownerPage: page,
}) => {
  const code = uniqueCode("lost");
  await openCreate(page);
  await fieldOf(page, "name").fill("Harbor");
  await fieldOf(page, "code").fill(code);
  await dropFirstResponse(page, "**/api/apps");
  await createButton(page).click();
  await expect(summaryOf(page)).toContainText("The server cannot be reached.");
  await createButton(page).click();
  await expect(page).toHaveURL(/\/apps\/view\//);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Harbor");
  const { items } = await callApi<{ items: unknown[] }>(page, { path: `/apps?q=${code}` });
  expect(items).toHaveLength(1);
});

test("FM4 what was saved, or typed back as it was, is left without a question @nightly", async ({
  ownerPage: page,
}) => {
  const app = await makeApp(page);
  await openEdit(page, app);
  await fieldOf(page, "name").fill("Something else");
  await fieldOf(page, "name").fill(app.name);
  await menuEntry(page, "Apps").click();
  await expect(page.getByRole("heading", { name: "Apps", level: 1 })).toBeVisible();

  await openEdit(page, app);
  await fieldOf(page, "description").fill("All of it");
  await saveButton(page).click();
  await expect(toast(page, "is saved.")).toBeVisible();
  await menuEntry(page, "Home").click();
  await expect(page).toHaveURL("/");

  await openCreate(page);
  await fieldOf(page, "name").fill(`Harbor ${uniqueCode()}`);
  await createButton(page).click();
  await expect(page).toHaveURL(/\/apps\/view\//);
  await expect(leaveDialog(page)).toHaveCount(0);
});

test("FM4 the browser's Back is guarded too @nightly", async ({ ownerPage: page }) => {
  const app = await makeApp(page);
  await page.goto(`/apps/view/${app.id}`);
  await page.getByRole("link", { name: "Edit" }).click();
  await fieldOf(page, "description").fill("Half a thought");
  await page.goBack();
  await answer(page, "Keep editing").click();
  await expect(page).toHaveURL(`/apps/edit/${app.id}`);
  await expect(fieldOf(page, "description")).toHaveValue("Half a thought");
  await expect(fieldOf(page, "description")).toBeFocused();

  await page.goBack();
  await answer(page, "Discard").click();
  await expect(page).toHaveURL(`/apps/view/${app.id}`);
});

/** Whether the browser would ask before it closes or reloads this page. */
const asksBeforeUnload = (page: Page) =>
  page.evaluate(() => !dispatchEvent(new Event("beforeunload", { cancelable: true })));

test("FM4 the browser asks before it closes the tab only while something is unsaved @nightly", async ({
  ownerPage: page,
}) => {
  const app = await makeApp(page);
  await openEdit(page, app);
  expect(await asksBeforeUnload(page)).toBe(false);
  await fieldOf(page, "name").press("End");
  await page.keyboard.type("!");
  await expect.poll(() => asksBeforeUnload(page)).toBe(true);

  const asked = page.waitForEvent("dialog");
  await page.evaluate(() => setTimeout(() => location.reload()));
  const question = await asked;
  expect(question.type()).toBe("beforeunload");
  await question.dismiss();
  await expect(fieldOf(page, "name")).toHaveValue(`${app.name}!`);

  await page.keyboard.press("Backspace");
  await expect.poll(() => asksBeforeUnload(page)).toBe(false);
  await page.keyboard.type("?");
  await page.keyboard.press("Control+s");
  await expect(toast(page, "is saved.")).toBeVisible();
  expect(await asksBeforeUnload(page)).toBe(false);
});
