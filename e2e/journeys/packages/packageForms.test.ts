import { expect, type Page } from "@playwright/test";
import { callApi, uniqueCode } from "../../data/api.ts";
import { makePackage } from "../../data/packages.ts";
import { heading } from "../../data/packageVersions.ts";
import { test } from "../../fixtures/test.ts";
import { descriptionsOf, fieldOf, recordWrites, summaryOf, toast } from "../../pages/forms.ts";
import { amountOf, pickCurrency, type Stored, told, type } from "./packageForm.ts";

// @nightly: Every form shares the behavior that the gate checks on apps; field rules are covered over HTTP.

const create = (page: Page) => page.getByRole("button", { name: "Create package" }).click();
const rail = (page: Page) => page.locator(".record-rail");
const addPrice = (page: Page) => page.getByRole("button", { name: "Add price" }).click();

const openCreate = async (page: Page, search = "") => {
  await page.goto(`/package/create${search}`);
  await expect(heading(page)).toHaveText("New package");
};

const storedAt = async (page: Page) => {
  await expect(page).toHaveURL(/\/package\/view\//);
  const id = new URL(page.url()).pathname.split("/").at(-1);
  return callApi<Stored>(page, { path: `/packages/${id}` });
};

test("S2.16 FM1 FM2 An empty form shows the server's error at every missing field @nightly", async ({
  ownerPage: page,
}) => {
  await openCreate(page);
  const writes = recordWrites(page, "/api/packages");
  await addPrice(page);
  await create(page);
  await expect(fieldOf(page, "name")).toBeFocused();
  const code =
    "Use 2 to 64 lowercase letters, digits, - and _. Start and end with a letter or digit.";
  expect(await told(page)).toEqual([
    "Name This field is required.",
    `Code ${code}`,
    "Price 1: amount Enter an amount, such as 199.00.",
  ]);
  expect(await descriptionsOf(fieldOf(page, "name"))).toContain("This field is required.");
  await summaryOf(page).getByRole("link", { name: "Price 1: amount" }).click();
  await expect(amountOf(page, 1)).toBeFocused();
  expect(await descriptionsOf(amountOf(page, 1))).toEqual(["Enter an amount, such as 199.00."]);
  expect(writes).toEqual([]);

  const answer = await page.evaluate(async () => {
    const response = await fetch("/api/packages", {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": crypto.randomUUID() },
      body: JSON.stringify({ name: "", code: "" }),
    });
    return response.json();
  });
  expect(answer.errors.map(({ message }: { message: string }) => message).sort()).toEqual(
    ["This field is required.", code].sort(),
  );
});

test("S2.16 A package is created with prices in decimal notation", async ({ ownerPage: page }) => {
  await openCreate(page);
  const code = uniqueCode("pack");
  await fieldOf(page, "name").fill("Studio");
  await fieldOf(page, "code").fill(code);
  await addPrice(page);
  await expect(amountOf(page, 1)).toBeFocused();
  await type(amountOf(page, 1), "9,99");
  await expect(amountOf(page, 1)).toHaveValue("9.99");
  await expect(rail(page)).toContainText(/9\.99\s*EUR\s*a month/);

  await addPrice(page);
  await pickCurrency(page, 2, "JPY");
  await type(amountOf(page, 2), "9.5");
  await expect(page.locator(".price-error")).toHaveText(
    "Enter a whole number. JPY has no decimals.",
  );
  await create(page);
  await expect(amountOf(page, 2)).toBeFocused();
  expect(await told(page)).toEqual(["Price 2: amount Enter a whole number. JPY has no decimals."]);
  await type(amountOf(page, 2), "1,900");
  await expect(amountOf(page, 2)).toHaveValue("1,900");

  await addPrice(page);
  await pickCurrency(page, 3, "BHD", "Bahraini");
  await type(amountOf(page, 3), "1.2345");
  await expect(page.locator(".price-error")).toHaveText(
    "Enter at most 3 decimals. BHD allows no more.",
  );
  await type(amountOf(page, 3), "1,5");
  await expect(amountOf(page, 3)).toHaveValue("1.500");
  await page.getByRole("textbox", { name: "Trial days" }).fill("14");
  await create(page);

  const stored = await storedAt(page);
  expect(stored["prices"]).toEqual([
    { currency: "BHD", amount: 1500, interval: "month", intervalCount: 1, perUnit: false },
    { currency: "EUR", amount: 999, interval: "month", intervalCount: 1, perUnit: false },
    { currency: "JPY", amount: 1900, interval: "month", intervalCount: 1, perUnit: false },
  ]);
  expect(stored["trialDays"]).toBe(14);
  await expect(toast(page, "Studio created as a draft")).toBeVisible();
});

test("S2.16 A duplicate currency and interval is reported at the second row, and a row can be removed @nightly", async ({
  ownerPage: page,
}) => {
  await openCreate(page);
  await fieldOf(page, "name").fill("Twice");
  await fieldOf(page, "code").fill(uniqueCode("pack"));
  await addPrice(page);
  await type(amountOf(page, 1), "10");
  await addPrice(page);
  await type(amountOf(page, 2), "20");
  await page.getByRole("combobox", { name: "Price 2: interval" }).click();
  await page.getByRole("option", { name: "month", exact: true }).click();
  await expect(
    page.getByText("This currency already has a price for this billing period.").last(),
  ).toBeVisible();
  await create(page);
  expect(await told(page)).toEqual([
    "Price 2: currency This currency already has a price for this billing period.",
  ]);
  await page.getByRole("button", { name: "Remove price 1" }).click();
  await expect(amountOf(page, 1)).toHaveValue("20.00");
  await expect(amountOf(page, 1)).toBeFocused();
  await create(page);
  expect((await storedAt(page))["prices"]).toEqual([
    { currency: "EUR", amount: 2000, interval: "month", intervalCount: 1, perUnit: false },
  ]);
});

test("S2.16 An add-on has no group, and existing groups are suggested @nightly", async ({
  ownerPage: page,
}) => {
  const group = uniqueCode("group");
  await makePackage(page, { group });
  await openCreate(page);
  await fieldOf(page, "name").fill("Grouped");
  await fieldOf(page, "code").fill(uniqueCode("pack"));
  await page.getByRole("combobox", { name: /^Group/ }).fill(group.slice(0, 8));
  await page.getByRole("option", { name: group }).click();
  await expect(page.getByRole("combobox", { name: /^Group/ })).toHaveValue(group);
  await page.getByRole("radio", { name: "Add-on" }).check();
  await expect(page.getByRole("combobox", { name: /^Group/ })).toHaveCount(0);
  await create(page);
  expect(await storedAt(page)).toMatchObject({ kind: "add-on", group: null });
});

test("S2.16 FM3 A code used by another package is reported while typing and by the server @nightly", async ({
  ownerPage: page,
}) => {
  const other = await makePackage(page, { name: "The other one" });
  await openCreate(page);
  await fieldOf(page, "name").fill("Mine");
  await fieldOf(page, "code").fill(other.code);
  await expect(page.getByText("is already used by The other one")).toBeVisible();
  await create(page);
  await expect(fieldOf(page, "code")).toBeFocused();
  await expect(summaryOf(page)).toContainText("Code");
});
