import { expect, type Locator, type Page } from "@playwright/test";
import { callApi, uniqueCode } from "../../data/apps.ts";
import { makePackage, type Package } from "../../data/packages.ts";
import { changePackage, heading, prices, sellPackage } from "../../data/packageVersions.ts";
import { test } from "../../fixtures/colleague.ts";
import { descriptionsOf, fieldOf, recordWrites, summaryOf, toast } from "../../pages/forms.ts";

// @nightly: Every form shares the behavior that the gate checks on apps; field rules are covered over HTTP.

const amountOf = (page: Page, place: number) => page.getByLabel(`Price ${place}: amount`);
const currencyOf = (page: Page, place: number) =>
  page.getByRole("combobox", { name: `Price ${place}: currency` });
const create = (page: Page) => page.getByRole("button", { name: "Create package" }).click();
const rail = (page: Page) => page.locator(".record-rail");
const addPrice = (page: Page) => page.getByRole("button", { name: "Add price" }).click();

const openCreate = async (page: Page, search = "") => {
  await page.goto(`/package/create${search}`);
  await expect(heading(page)).toHaveText("New package");
};

const openEdit = async (page: Page, { id, name }: Package) => {
  await page.goto(`/package/edit/${id}`);
  await expect(heading(page)).toHaveText(`Edit ${name}`);
};

const pickCurrency = async (page: Page, place: number, code: string, typed = code) => {
  await currencyOf(page, place).fill(typed);
  await page.getByRole("option", { name: code }).first().click();
  await expect(currencyOf(page, place)).toHaveValue(code);
};

type Stored = Package & Record<string, unknown>;

const storedAt = async (page: Page) => {
  await expect(page).toHaveURL(/\/package\/view\//);
  const id = new URL(page.url()).pathname.split("/").at(-1);
  return callApi<Stored>(page, { path: `/packages/${id}` });
};

const told = async (page: Page) => {
  await expect(summaryOf(page)).toBeVisible();
  return summaryOf(page).getByRole("link").allInnerTexts();
};

/** Types as a person does, and leaves the field. */
const type = async (field: Locator, text: string) => {
  await field.fill(text);
  await field.press("Tab");
};

test("S2.16 FM1 FM2 an empty form says what is missing at each field, as the server does @nightly", async ({
  ownerPage: page,
}) => {
  await openCreate(page);
  const writes = recordWrites(page, "/api/packages");
  await addPrice(page);
  await create(page);
  await expect(fieldOf(page, "name")).toBeFocused();
  const code = "must have 2 to 64 of a-z, 0-9, - and _, and start and end with a letter or digit";
  expect(await told(page)).toEqual([
    "Name must not be empty",
    `Code ${code}`,
    "Price 1: amount must be an amount, such as 199.00",
  ]);
  expect(await descriptionsOf(fieldOf(page, "name"))).toContain("must not be empty");
  await summaryOf(page).getByRole("link", { name: "Price 1: amount" }).click();
  await expect(amountOf(page, 1)).toBeFocused();
  expect(await descriptionsOf(amountOf(page, 1))).toEqual(["must be an amount, such as 199.00"]);
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
    ["must not be empty", code].sort(),
  );
});

test("S2.16 a package is created with prices as people write them", async ({ ownerPage: page }) => {
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
  await expect(
    page.getByText("The amount must be a whole number: JPY has no decimals"),
  ).toBeVisible();
  await create(page);
  await expect(amountOf(page, 2)).toBeFocused();
  expect(await told(page)).toEqual(["Price 2: amount must be a whole number: JPY has no decimals"]);
  await type(amountOf(page, 2), "1,900");
  await expect(amountOf(page, 2)).toHaveValue("1,900");

  await addPrice(page);
  await pickCurrency(page, 3, "BHD", "Bahraini");
  await type(amountOf(page, 3), "1.2345");
  await expect(page.getByText("The amount must have at most 3 decimals, as BHD has")).toBeVisible();
  await type(amountOf(page, 3), "1,5");
  await expect(amountOf(page, 3)).toHaveValue("1.500");
  await page.getByRole("textbox", { name: "Trial days" }).fill("14");
  await create(page);

  const stored = await storedAt(page);
  expect(stored["prices"]).toEqual([
    { currency: "BHD", amount: 1500, interval: "month", intervalCount: 1 },
    { currency: "EUR", amount: 999, interval: "month", intervalCount: 1 },
    { currency: "JPY", amount: 1900, interval: "year", intervalCount: 1 },
  ]);
  expect(stored["trialDays"]).toBe(14);
  await expect(toast(page, "Studio is created as a draft.")).toBeVisible();
});

test("S2.16 the same currency and interval twice is told at the second row, and a row can be removed @nightly", async ({
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
  await expect(page.getByText("The currency has a price for this interval already")).toBeVisible();
  await create(page);
  expect(await told(page)).toEqual(["Price 2: currency has a price for this interval already"]);
  await page.getByRole("button", { name: "Remove price 1" }).click();
  await expect(amountOf(page, 1)).toHaveValue("20.00");
  await expect(amountOf(page, 1)).toBeFocused();
  await create(page);
  expect((await storedAt(page))["prices"]).toEqual([
    { currency: "EUR", amount: 2000, interval: "month", intervalCount: 1 },
  ]);
});

test("S2.16 an add-on has no group, and groups that are there are suggested @nightly", async ({
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

test("S2.16 FM3 a code that another package has is told while it is typed, and by the server @nightly", async ({
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

test("S2.17 FM4 FM7 FM8 leaving asks, review lists what changed, and Ctrl S saves once @nightly", async ({
  ownerPage: page,
}) => {
  const pack = await makePackage(page, { prices });
  await openEdit(page, pack);
  const writes = recordWrites(page, "/api/packages");
  await type(amountOf(page, 1), "15");
  await page.getByRole("textbox", { name: "Trial days" }).fill("30");
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Apps" }).click();
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await expect(question).toContainText("2 changes would be lost.");
  await question.getByRole("button", { name: "Keep editing" }).click();
  await expect(page.getByRole("textbox", { name: "Trial days" })).toBeFocused();
  await expect(amountOf(page, 1)).toHaveValue("15.00");

  await page.getByRole("button", { name: "2 unsaved changes" }).click();
  const review = page.getByRole("dialog", { name: "Changes to this package" });
  await expect(review.locator("tbody tr")).toHaveText([
    "Prices−12.00 EUR a month, 120.00 EUR a year+15.00 EUR a month, 120.00 EUR a year",
    "Trial days−0+30",
  ]);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+s");
  await page.keyboard.press("Control+s");
  await expect(toast(page, `${pack.name} is saved.`)).toBeVisible();
  expect(writes).toEqual([`PUT /api/packages/${pack.id}`]);
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Apps" }).click();
  await expect(heading(page)).toHaveText("Apps");
});

test("S2.17 FM6 two people change different fields of a package and both are kept; of the same one, one is chosen @nightly", async ({
  ownerPage: page,
  colleaguePage,
}) => {
  const pack = await makePackage(page, { prices });
  await openEdit(page, pack);
  await page.getByRole("textbox", { name: "Trial days" }).fill("7");
  await changePackage(colleaguePage, pack.id, { name: "Theirs" });
  await page.keyboard.press("Control+s");
  await expect(toast(page, "Theirs is saved.")).toBeVisible();
  const path = `/packages/${pack.id}`;
  expect(await callApi(page, { path })).toMatchObject({ name: "Theirs", trialDays: 7 });

  await type(amountOf(page, 1), "13");
  await changePackage(colleaguePage, pack.id, {
    prices: [{ ...prices[0], amount: 1400 }, prices[1]],
  });
  await page.keyboard.press("Control+s");
  const question = page.getByRole("dialog", { name: "Somebody saved this package before you" });
  await question
    .getByRole("radio", { name: "Prices: yours, 13.00 EUR a month, 120.00 EUR a year" })
    .check();
  await question.getByRole("button", { name: "Save this mix" }).click();
  await expect(question).toBeHidden();
  await expect
    .poll(async () => (await callApi<Stored>(page, { path }))["prices"])
    .toContainEqual({ ...prices[0], amount: 1300 });
});

test("S2.17 other prices than those on sale start a draft, and the version on sale keeps its own @nightly", async ({
  ownerPage: page,
}) => {
  const pack = await sellPackage(page);
  await openEdit(page, pack);
  await expect(page.getByText("Prices and trial belong to the draft.").first()).toBeVisible();
  await expect(
    page.getByText("Version 1 stays on sale with its own until you publish.").first(),
  ).toBeVisible();
  await expect(fieldOf(page, "code")).toHaveAttribute("readonly", "");
  await type(amountOf(page, 1), "15");
  await expect(page.getByText("Saving these prices starts a draft")).toBeVisible();
  await page.keyboard.press("Control+s");
  await toast(page, "is saved.").getByRole("button", { name: "View" }).click();
  await expect(page.getByRole("link", { name: "Draft of version 2" })).toBeVisible();
  await expect(page.getByRole("row", { name: /^EUR/ })).toContainText("12.00");

  await page.getByRole("button", { name: "Compare version 2" }).click();
  const dialog = page.getByRole("dialog", { name: "Compare versions" });
  await expect(dialog.locator(".diff tbody tr")).toHaveText([
    "EUR, monthly−12.00 EUR a month+15.00 EUR a month",
  ]);
});

test("S2.17 an amount that another currency cannot have is told when the currency changes @nightly", async ({
  ownerPage: page,
}) => {
  const pack = await makePackage(page, { prices: [{ ...prices[0], amount: 1250 }] });
  await openEdit(page, pack);
  await pickCurrency(page, 1, "JPY");
  await expect(amountOf(page, 1)).toHaveValue("12.50");
  await page.keyboard.press("Control+s");
  expect(await told(page)).toEqual(["Price 1: amount must be a whole number: JPY has no decimals"]);
  await page.getByRole("button", { name: "Reset Prices" }).click();
  await expect(amountOf(page, 1)).toHaveValue("12.50");
  await expect(currencyOf(page, 1)).toHaveValue("EUR");
});
