import { expect, type Page } from "@playwright/test";
import { entitlementsOf, makeSellablePackage, type Sale, sell } from "../../data/transactions.ts";
import { test } from "../../fixtures/test.ts";
import { toast } from "../../pages/forms.ts";

// @nightly: The gate changes a package; other actions are covered over HTTP.

const panel = (page: Page) =>
  page
    .locator("section")
    .filter({ has: page.getByRole("heading", { name: "Subscription", exact: true }) });
const asked = (page: Page, name: string) =>
  page.getByRole("dialog", { name }).or(page.getByRole("alertdialog", { name }));

const openView = async (page: Page, { id }: Sale) => {
  await page.goto(`/transaction/view/${id}`);
  await expect(panel(page)).toBeVisible();
};

const items = async (page: Page) => {
  await page.getByRole("button", { name: "Subscription actions" }).click();
  const menu = page.getByRole("menu", { name: "Subscription actions" });
  await expect(menu.getByRole("menuitem").first()).toBeVisible();
  return menu.getByRole("menuitem");
};

const choose = async (page: Page, name: string) =>
  (await items(page)).filter({ hasText: name }).click();

const seats = ["Seats: 5 seats"];

test("S2.26 A subscription is extended, paused and resumed, and each action shows its consequences @nightly", async ({
  ownerPage: page,
}) => {
  const sale = await sell(page, await makeSellablePackage(page));
  await openView(page, sale);
  await expect(panel(page)).toContainText("12.00 EUR a month");
  await choose(page, "Extend…");
  const extend = asked(page, "Extend subscription to");
  await extend.getByRole("spinbutton", { name: "Days" }).fill("14");
  await expect(extend).toContainText(/The next payment is due on .+ instead of .+\./);
  await extend.getByRole("button", { name: "Add 14 days" }).click();
  await expect(extend).toContainText("This field is required.");
  await extend.getByRole("textbox", { name: "Reason" }).fill("An outage");
  await extend.getByRole("button", { name: "Add 14 days" }).click();
  await expect(toast(page, "Subscription extended to")).toBeVisible();
  await expect(extend).toHaveCount(0);

  await choose(page, "Pause…");
  const pause = asked(page, "Pause subscription to");
  await expect(pause).toContainText(/stops immediately\. \d+ remaining days are kept/);
  await pause.getByRole("textbox", { name: "Reason" }).fill("A long journey");
  await pause.getByRole("button", { name: "Pause subscription" }).click();
  await expect(panel(page)).toContainText("Paused");
  expect(await entitlementsOf(page, sale.user)).toEqual([]);

  expect(await (await items(page)).allInnerTexts()).toEqual(["Resume…", "End subscription…"]);
  await page.getByRole("menuitem", { name: "Resume…" }).click();
  const resume = asked(page, "Resume subscription to");
  await resume.getByRole("button", { name: "Resume subscription" }).click();
  await expect(panel(page)).toContainText("Active");
  expect(await entitlementsOf(page, sale.user)).toEqual(seats);
});

test("S2.26 A subscription is canceled at period end, kept after all, or ended immediately @nightly", async ({
  ownerPage: page,
}) => {
  const sale = await sell(page, await makeSellablePackage(page));
  await openView(page, sale);
  const end = asked(page, "End subscription to");
  await choose(page, "End subscription…");
  await end.getByRole("textbox", { name: "Reason" }).fill("Asked by phone");
  await end.getByRole("button", { name: "End subscription" }).click();
  await expect(panel(page)).toContainText("Ending");
  expect(await entitlementsOf(page, sale.user)).toEqual(seats);

  await choose(page, "Keep subscription…");
  const keep = asked(page, "Keep subscription to");
  await expect(keep).toContainText("12.00 EUR a month");
  await keep.getByRole("button", { name: "Keep subscription" }).click();
  await expect(panel(page)).toContainText("Renews");

  await choose(page, "End subscription…");
  await end.getByRole("radio", { name: /^Now/ }).check();
  await end.getByRole("textbox", { name: "Reason" }).fill("Asked again");
  await end.getByRole("button", { name: "End subscription" }).click();
  await expect(panel(page)).toContainText("Ended");
  expect(await entitlementsOf(page, sale.user)).toEqual([]);
  await expect(page.getByRole("button", { name: "Subscription actions" })).toHaveCount(0);
});

/** Opens the dialog and chooses another package. */
const chooseOther = async (page: Page, { name }: { name: string }) => {
  const change = asked(page, "Change package");
  await choose(page, "Change package…");
  const input = change.getByRole("combobox", { name: "Package" });
  // The name of the current package must not appear while the other one is typed.
  await expect(input).not.toHaveValue("");
  await input.fill(name);
  await page.getByRole("option", { name }).click();
  await expect(change.getByRole("row", { name: /^Due now|^To balance/ })).toBeVisible();
  return change;
};

test("S2.26 A package change applies at renewal, or immediately with a prorated payment", async ({
  ownerPage: page,
}) => {
  const [pack, other] = [await makeSellablePackage(page), await makeSellablePackage(page)];
  const sale = await sell(page, pack);
  await openView(page, sale);
  await choose(page, "Change package…");
  const change = asked(page, "Change package");
  await change.getByRole("button", { name: "Change package" }).click();
  await expect(change).toContainText("Choose another package, interval or quantity.");
  await change.getByRole("button", { name: "Cancel" }).click();
  await chooseOther(page, other);
  await change.getByRole("combobox", { name: "Interval" }).selectOption("Yearly, 120.00 EUR");
  await expect(
    change.getByRole("row", { name: new RegExp(`^Credit for ${pack.name}`) }),
  ).toContainText(sale.number);
  await expect(change.getByRole("row", { name: /^Due now/ })).toContainText("108.");
  await expect(change).toContainText("The package changes once the payment is settled.");
  await expect(
    change.getByRole("button", { name: /^Change and charge 108\.\d\d EUR/ }),
  ).toBeVisible();
  await change.getByRole("radio", { name: /^On/ }).check();
  await expect(change).toContainText(
    /The price is 120\.00 EUR from .+\. No payment is due until then/,
  );
  await change.getByRole("textbox", { name: "Reason" }).fill("Grew out of it");
  await change.getByRole("button", { name: "Schedule change" }).click();
  await expect(toast(page, `Changes to ${other.name} on`)).toBeVisible();
  await expect(panel(page)).toContainText(`${other.name}, version 1`);
});

test("S2.26 A change that waits for its payment is shown instead of another one, and withdrawn @nightly", async ({
  ownerPage: page,
}) => {
  const [pack, other] = [await makeSellablePackage(page), await makeSellablePackage(page)];
  await openView(page, await sell(page, pack));
  const change = await chooseOther(page, other);
  await change.getByRole("combobox", { name: "Interval" }).selectOption("Yearly, 120.00 EUR");
  await change.getByRole("textbox", { name: "Reason" }).fill("Grew out of it");
  await change.getByRole("button", { name: /^Change and charge 108\./ }).click();
  await expect(toast(page, "Waiting for a payment of 108.")).toBeVisible();
  await expect(panel(page)).toContainText(/Pending change.+108\.\d\d EUR due TX/);

  await choose(page, "Change package…");
  const withdraw = asked(page, `Withdraw change to ${other.name}?`);
  await expect(withdraw).toContainText(/waiting for a payment of 108\.\d\d EUR/);
  await withdraw.getByRole("button", { name: "Withdraw change" }).click();
  await expect(toast(page, "Change withdrawn")).toBeVisible();
  await expect(panel(page)).not.toContainText("Pending change");
});

test("S2.26 A cheaper package credits the difference to the balance @nightly", async ({
  ownerPage: page,
}) => {
  const [pack, other] = [await makeSellablePackage(page), await makeSellablePackage(page)];
  await openView(page, await sell(page, pack, { interval: "year" }));
  const change = await chooseOther(page, other);
  await change.getByRole("combobox", { name: "Interval" }).selectOption("Monthly, 12.00 EUR");
  await expect(change.getByRole("row", { name: /^To balance/ })).toContainText(/10[78]\.\d\d/);
  await change.getByRole("textbox", { name: "Reason" }).fill("Needs less");
  await change.getByRole("button", { name: /^Change and credit 10[78]\.\d\d EUR/ }).click();
  await expect(toast(page, "Package changed")).toBeVisible();
});

test("S2.26 Support can cancel subscriptions, finance can only view them @nightly", async ({
  ownerPage: page,
  signInAs,
}) => {
  const sale = await sell(page, await makeSellablePackage(page));
  const support = await signInAs("support", "Sam Support");
  await openView(support, sale);
  await expect(await items(support)).toHaveText([
    "Change package…",
    "Extend…",
    "Pause…",
    "End subscription…",
  ]);
  const finance = await signInAs("finance", "Fina Finance");
  await openView(finance, sale);
  await expect(finance.getByRole("button", { name: "Subscription actions" })).toHaveCount(0);
});
