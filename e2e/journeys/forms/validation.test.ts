import { expect, type Page } from "@playwright/test";
import { callApi, uniqueCode } from "../../data/api.ts";
import { makeApp } from "../../data/apps.ts";
import { test } from "../../fixtures/test.ts";
import {
  descriptionsOf,
  dropFirstResponse,
  fieldErrorsOf,
  fieldOf,
  openCreate,
  recordWrites,
  summaryOf,
  type TypedField,
} from "../../pages/forms.ts";
import { createButton } from "./appForm.ts";

// @nightly: The gate covers missing, taken and unsaved values; this is a variant of them.

test("FM1 An empty form lists every missing value at the fields and in a summary that links to them", async ({
  ownerPage: page,
}) => {
  await openCreate(page);
  const writes = recordWrites(page);
  await createButton(page).click();

  await expect(fieldOf(page, "name")).toBeFocused();
  await expect(summaryOf(page)).toContainText("Fix 2 errors to save your changes.");
  expect(await fieldErrorsOf(page)).toEqual({
    name: "This field is required.",
    code: "Use 2 to 64 lowercase letters, digits, - and _. Start and end with a letter or digit.",
  });
  await expect(page.locator("form [aria-invalid=true]")).toHaveCount(2);

  for (const name of ["code", "name"] as const) {
    const label = name === "code" ? "Code" : "Name";
    await summaryOf(page)
      .getByRole("link", { name: new RegExp(`^${label} `) })
      .click();
    await expect(fieldOf(page, name)).toBeFocused();
  }

  // A corrected field is no longer listed.
  await fieldOf(page, "name").fill("Harbor");
  await expect(fieldOf(page, "name")).not.toHaveAttribute("aria-invalid", "true");
  expect(await descriptionsOf(fieldOf(page, "name"))).toEqual([]);
  expect(writes).toEqual([]);
});

/** The API's errors for such an app, by field. */
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
  test(`FM2 The form and the API show the same errors for ${what} @nightly`, async ({
    ownerPage: page,
  }) => {
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

test("FM3 A code that was taken meanwhile is rejected at its field", async ({
  ownerPage: page,
  colleaguePage,
}) => {
  const code = uniqueCode("taken");
  await openCreate(page);
  await fieldOf(page, "name").fill("Harbor");
  await fieldOf(page, "code").fill(code);
  await expect
    .poll(() => descriptionsOf(fieldOf(page, "code")))
    .toEqual(["This code is available."]);
  await makeApp(colleaguePage, { code, name: "Port" });

  const answered = page.waitForResponse((answer) => answer.request().method() === "POST");
  await createButton(page).click();
  expect((await answered).status()).toBe(409);
  await expect(fieldOf(page, "code")).toBeFocused();
  expect(Object.keys(await fieldErrorsOf(page))).toEqual(["code"]);
  await expect(fieldOf(page, "name")).toHaveValue("Harbor");

  // With another code the save succeeds.
  await fieldOf(page, "code").fill(`${code}-2`);
  await createButton(page).click();
  await expect(page).toHaveURL(/\/apps\/view\//);
});

test("FM7 A retry after a lost response creates no second app @nightly", async ({
  ownerPage: page,
}) => {
  const code = uniqueCode("lost");
  await openCreate(page);
  await fieldOf(page, "name").fill("Harbor");
  await fieldOf(page, "code").fill(code);
  await dropFirstResponse(page, "**/api/apps");
  await createButton(page).click();
  await expect(summaryOf(page)).toContainText("Can't reach the server.");
  await createButton(page).click();
  await expect(page).toHaveURL(/\/apps\/view\//);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Harbor");
  const { items } = await callApi<{ items: unknown[] }>(page, { path: `/apps?q=${code}` });
  expect(items).toHaveLength(1);
});
