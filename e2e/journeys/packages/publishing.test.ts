import { expect, type Page } from "@playwright/test";
import { callApi } from "../../data/api.ts";
import {
  addSubscribers,
  changeDraft,
  makeMatrix,
  type Package,
  publish,
  startDraft,
} from "../../data/packages.ts";
import { changePackage, makePricedPackage } from "../../data/packageVersions.ts";
import type { Product } from "../../environment/product.ts";
import { test } from "../../fixtures/test.ts";
import {
  accessibilityViolations,
  schemes,
  useColorScheme,
  wcag,
} from "../../pages/accessibility.ts";
import { toast } from "../../pages/forms.ts";
import { cellOf, impactPanel, openMatrix, switchOf, watchSaves } from "../../pages/matrix.ts";

// @nightly: The gate publishes once; what a publish does is covered over HTTP.

/** The button of the matrix that leads to the review. */
const review = (page: Page) => page.getByRole("button", { name: "Review version 2" });
const publishButton = (page: Page) => page.getByRole("button", { name: "Publish version 2" });

/** A package on sale with subscribers and a draft of the next version. */
const makeHeld = async (page: Page, product: Product, subscribers: number) => {
  const { features, pack } = await makeMatrix(page, ["limit", "switch"]);
  const [seats = "", raw = ""] = features.map(({ id }) => id);
  await changeDraft(page, pack, { cells: [{ featureId: seats, value: 10, was: null }] });
  await publish(page, pack);
  await addSubscribers(product, pack, subscribers);
  await startDraft(page, pack);
  return { pack, seats, raw };
};

const setCell = async (page: Page, name: string, typed: string) => {
  await cellOf(page, { name }).focus();
  await page.keyboard.type(typed);
  await page.keyboard.press("Enter");
};

test("The impact of unsaved values is shown next to them @nightly", async ({
  ownerPage: page,
  product,
}) => {
  const { pack } = await makeHeld(page, product, 3);
  const saves = watchSaves(page);
  await openMatrix(page, pack);
  await expect(impactPanel(page)).toContainText(
    "No changes yet. Change a value to see who gains and who loses.",
  );
  await setCell(page, "F1 limit", "25");
  await expect(impactPanel(page).getByRole("listitem").first()).toContainText("10 seats");
  await expect(impactPanel(page).getByRole("listitem").first()).toContainText("25 seats");
  await expect(impactPanel(page).getByText("3", { exact: true })).toBeVisible();
  await expect(impactPanel(page)).toContainText("Save the draft to download the full list.");
  expect(saves).toEqual([]);
});

test("Customers who would lose access are listed and downloaded @nightly", async ({
  ownerPage: page,
  product,
}) => {
  const { pack } = await makeHeld(page, product, 3);
  await openMatrix(page, pack);
  await setCell(page, "F1 limit", "4");
  const loses = impactPanel(page).getByText("lose something", { exact: true });
  await expect(loses).toBeVisible();
  await expect(impactPanel(page)).toContainText("Would lose something");
  await page.keyboard.press("Control+s");
  await expect(toast(page, "Draft of version 2 saved")).toBeVisible();
  const download = page.waitForEvent("download");
  await impactPanel(page).getByRole("link", { name: "Download all" }).click();
  expect((await download).suggestedFilename()).toMatch(/\.csv$/);
});

test("Publishing saves first, requires a note and applies only the impact that was shown", async ({
  ownerPage: page,
  product,
}) => {
  const { pack, seats } = await makeHeld(page, product, 3);
  const saves = watchSaves(page);
  await openMatrix(page, pack);
  await setCell(page, "F1 limit", "25");
  await review(page).click();
  await expect(page.getByText("Replaces version 1.")).toBeVisible();
  expect(saves.map(({ cells }) => cells)).toEqual([[{ featureId: seats, value: 25, was: 10 }]]);
  const send = publishButton(page);
  await send.click();
  await expect(page.getByText("Enter a note.")).toBeVisible();
  await page.getByRole("textbox", { name: "Note" }).fill("More seats");
  // No customer is migrated by default.
  await expect(page.getByRole("radio", { name: "New customers only" })).toBeChecked();
  await page.getByRole("radio", { name: "Everyone now" }).check();
  // A purchase meanwhile changes the impact that was shown.
  await addSubscribers(product, pack, 1);
  await send.click();
  await expect(page.locator(".callout[role=alert]")).toContainText(
    "The consequences have changed. Review them, then publish.",
  );
  await expect(page.getByText("4 subscribers of other versions")).toBeVisible();
  const left = page.waitForURL(`**/package/view/${pack.id}`);
  await send.click();
  await expect(toast(page, "version 2 published")).toBeVisible();
  await left;
  await toast(page, "version 2 published").getByRole("button", { name: "View rollout" }).click();
  await expect(page).toHaveURL(/#rollouts$/);
  expect(await callApi<Package>(page, { path: `/packages/${pack.id}` })).toMatchObject({
    draft: null,
    onSale: { number: 2, note: "More seats" },
  });
});

const price = (currency: string, amount: number, interval: "month" | "year") => ({
  currency,
  amount,
  interval,
  intervalCount: 1,
});

test("Missing prices block publishing, unusual ones warn, and both are fixed or confirmed on the page", async ({
  ownerPage: page,
}) => {
  const pack = await makePricedPackage(page, {
    prices: [
      price("EUR", 1300, "month"),
      price("EUR", 13_000, "year"),
      price("USD", 1400, "month"),
      price("USD", 18_400, "year"),
      price("JPY", 2080, "month"),
      price("PLN", 5600, "month"),
    ],
  });
  await page.goto(`/package/publish/${pack.id}`);
  const send = page.getByRole("button", { name: "Publish version 1" });
  await expect(send).toBeDisabled();
  await expect(page.getByText("USD yearly is 13.1 times the monthly price")).toBeVisible();
  await page.getByRole("button", { name: "Add 20,800 JPY" }).click();
  await expect(page.getByText("JPY has no yearly price")).toHaveCount(0);
  await expect(send).toBeDisabled();
  await page.getByRole("button", { name: "Sell monthly only" }).click();
  await expect(send).toBeEnabled();
  await page.getByRole("button", { name: "Use 140.00 USD" }).click();
  await expect(page.getByText("Nothing prevents publishing")).toBeVisible();
  // The ticket follows the currency and the interval.
  await page.getByRole("radio", { name: "JPY" }).check();
  await page.getByRole("radio", { name: "Yearly" }).check();
  await expect(page.locator(".ticket")).toContainText(/20,800\s*JPY\s*a year/);
  await page.getByRole("radio", { name: "PLN" }).check();
  await expect(page.getByText("Not for sale in this combination.")).toBeVisible();
  await page.getByRole("textbox", { name: "Note" }).fill("The first");
  await send.click();
  await expect(toast(page, "version 1 published")).toBeVisible();
  const stored = await callApi<Package & { prices: object[] }>(page, {
    path: `/packages/${pack.id}`,
  });
  expect(stored.prices).toContainEqual({ ...price("JPY", 20_800, "year"), perUnit: false });
  expect(stored.prices).toContainEqual({ ...price("USD", 14_000, "year"), perUnit: false });
});

test("The review says what changes since the version on sale, and asks again about a price that changed @nightly", async ({
  ownerPage: page,
}) => {
  const eur = [price("EUR", 1200, "month"), price("EUR", 12_000, "year")];
  const pack = await makePricedPackage(page, { prices: eur });
  await publish(page, pack);
  const change = (yearly: number) =>
    changePackage(page, pack.id, {
      trialDays: 30,
      prices: [
        ...eur.map((one) => ({ ...one, perUnit: one.interval === "month" })),
        price("USD", 1300, "month"),
        price("USD", yearly, "year"),
      ],
    });
  await change(18_400);
  await page.goto(`/package/publish/${pack.id}`);
  const head = page.locator(".page-head");
  await expect(head).toContainText(/4 changes since version 1.*edited by/);
  const prices = page.getByRole("region", { name: "Prices" });
  await expect(prices.getByRole("row").nth(1)).toContainText("12.00 per unit");
  await expect(page.getByText(/^Trial days 14\s*30$/)).toBeVisible();
  await page.getByRole("button", { name: "Keep 184.00" }).click();
  await expect(page.getByText("Nothing prevents publishing")).toBeVisible();
  // A colleague changes the price while the review is open.
  await change(184_000);
  await expect(page.getByRole("button", { name: "Keep 1,840.00" })).toBeVisible();
});

test("A version is scheduled for a date and time in the company's time zone @nightly", async ({
  ownerPage: page,
  product,
}) => {
  const { pack } = await makeHeld(page, product, 0);
  await openMatrix(page, pack);
  await setCell(page, "F1 limit", "25");
  await review(page).click();
  await page.getByRole("textbox", { name: "Note" }).fill("From the new year");
  // Without subscribers there is no one to migrate.
  await expect(page.getByRole("radio", { name: "Everyone now" })).toHaveCount(0);
  await page.getByRole("radio", { name: /^At a set time/ }).check();
  await expect(page.getByText("Time zone UTC")).toBeVisible();
  await page.getByRole("button", { name: "Schedule version 2" }).click();
  await expect(page.getByText("Choose a date and time.")).toBeVisible();
  await page.getByLabel("On sale from").fill("2099-01-01T09:00");
  await page.getByRole("button", { name: "Schedule version 2" }).click();
  await expect(toast(page, "version 2 scheduled for Jan 1, 2099, 9:00 AM UTC")).toBeVisible();
  expect(await callApi<Package>(page, { path: `/packages/${pack.id}` })).toMatchObject({
    scheduled: { number: 2, publishAt: "2099-01-01T09:00:00.000Z" },
  });
});

test("Without a draft no value can be typed, and a draft is started from the page @nightly", async ({
  ownerPage: page,
}) => {
  const { pack } = await makeMatrix(page, ["limit"]);
  await publish(page, pack);
  await openMatrix(page, pack);
  await expect(
    page.getByText("Version 1 can't be edited. Create a draft to change it."),
  ).toBeVisible();
  await cellOf(page, { name: "F1 limit" }).focus();
  await page.keyboard.type("3");
  await expect(page.getByText("unsaved change")).toHaveCount(0);
  await page.getByRole("button", { name: "Create draft" }).click();
  await expect(page.getByText("Draft of version 2", { exact: true })).toBeVisible();
  await setCell(page, "F1 limit", "3");
  await expect(page.getByRole("button", { name: "1 unsaved change" })).toBeVisible();
  await impactPanel(page).getByRole("button", { name: "Discard changes" }).click();
  await expect(page.getByText("unsaved change")).toHaveCount(0);
  await impactPanel(page).getByRole("button", { name: "Discard draft" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Discard draft" }).click();
  await expect(
    page.getByText("Version 1 can't be edited. Create a draft to change it."),
  ).toBeVisible();
});

for (const scheme of schemes) {
  test(`SH10 A changed and an invalid cell have no axe violation, ${scheme} @nightly`, async ({
    ownerPage: page,
    product,
  }) => {
    const { pack } = await makeHeld(page, product, 2);
    await openMatrix(page, pack);
    await useColorScheme(page, scheme);
    await switchOf(page, { name: "F2 switch" }).click();
    await setCell(page, "F1 limit", "4.5");
    await expect(impactPanel(page)).toContainText("Would gain something");
    expect(await accessibilityViolations(page)).toEqual([]);
  });

  test(`SH10 The matrix on a phone and its review have no axe violation, ${scheme} @nightly`, async ({
    ownerPage: page,
    product,
  }) => {
    const { pack } = await makeHeld(page, product, 2);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`/package/apps/${pack.id}`);
    await useColorScheme(page, scheme);
    await page.getByRole("switch", { name: "F2 switch" }).click();
    await expect(impactPanel(page)).toContainText("Would gain something");
    expect(await accessibilityViolations(page)).toEqual([]);
    await review(page).click();
    await expect(publishButton(page)).toBeVisible();
    expect(await accessibilityViolations(page, wcag)).toEqual([]);
  });
}

test("On a phone each feature has its editor below its name without horizontal scrolling @nightly", async ({
  ownerPage: page,
}) => {
  const { features, pack } = await makeMatrix(page, ["limit", "switch", "choice"]);
  const saves = watchSaves(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/package/apps/${pack.id}`);
  await page.getByRole("textbox", { name: "F1 limit" }).fill("6");
  await page.getByRole("switch", { name: "F2 switch" }).click();
  await page.getByRole("combobox", { name: "F3 choice" }).selectOption("Print and proof");
  await expect(page.getByRole("button", { name: "3 unsaved changes" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Compare with…" })).toBeHidden();
  const beyond = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return scrollWidth - clientWidth;
  });
  expect(beyond).toBeLessThanOrEqual(0);
  await page.getByRole("button", { name: "Save draft" }).click();
  await expect(toast(page, "Draft of version 1 saved")).toBeVisible();
  expect(saves.map(({ cells }) => cells.map(({ featureId, value }) => [featureId, value]))).toEqual(
    [
      [
        [features[0]?.id, 6],
        [features[1]?.id, true],
        [features[2]?.id, "proof"],
      ],
    ],
  );
  await page.getByRole("button", { name: "Darkroom" }).first().click();
  await expect(page.getByRole("switch", { name: "F2 switch" })).toHaveCount(0);
});
