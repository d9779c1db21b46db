import { expect } from "@playwright/test";
import { test } from "../../fixtures/test.ts";
import { insertApp, listRegion, openList, rowNames, rowOf, uniqueWord } from "../../pages/lists.ts";
import { boxOf, holdsFocus, openRows, press, selectedIn } from "./rows.ts";

// @nightly: The gate covers rows by keyboard, preview, bulk actions and live updates; this is a detail.

test("The header checkbox selects the page, Shift selects a range, and a new filter clears the selection @nightly", async ({
  ownerPage,
  product,
}) => {
  const word = await openRows(ownerPage, product, 6);
  const all = listRegion(ownerPage).getByRole("checkbox", { name: "Select all on this page" });
  const checked = listRegion(ownerPage).getByRole("checkbox", {
    name: `Select ${word}`,
    checked: true,
  });
  await all.click();
  await expect(checked).toHaveCount(6);
  await expect(selectedIn(ownerPage)).toContainText("6 selected");
  await all.click();
  await expect(checked).toHaveCount(0);
  await expect(selectedIn(ownerPage)).toBeHidden();

  await boxOf(rowOf(ownerPage, `${word} 0002`)).click();
  await expect(all).toBeChecked({ indeterminate: true });
  await boxOf(rowOf(ownerPage, `${word} 0005`)).click({ modifiers: ["Shift"] });
  await expect(checked).toHaveCount(4);
  for (const one of [2, 3, 4, 5])
    await expect(boxOf(rowOf(ownerPage, `${word} 000${one}`))).toBeChecked();

  await ownerPage.getByLabel("Search apps").fill(`${word} 0003`);
  await expect(rowNames(ownerPage)).toHaveText([`${word} 0003`]);
  await expect(ownerPage.getByText("Selection cleared because the list changed")).toBeVisible();
  await expect(selectedIn(ownerPage)).toBeHidden();
  await ownerPage.getByLabel("Search apps").fill(word);
  await expect(rowNames(ownerPage)).toHaveCount(6);
  await expect(checked).toHaveCount(0);
});

test("A range selection follows the current sort order @nightly", async ({
  ownerPage,
  product,
}) => {
  const word = uniqueWord();
  for (const [name, status] of [
    ["1", "draft"],
    ["2", "active"],
    ["3", "draft"],
    ["4", "active"],
  ] as const)
    await insertApp(product, { name: `${word} ${name}`, status });
  await openList(ownerPage, { q: word, sort: "name" });
  await expect(rowNames(ownerPage)).toHaveCount(4);
  await ownerPage.getByRole("button", { name: "Status" }).click();
  await expect(rowNames(ownerPage)).toHaveText(["2", "4", "1", "3"].map((one) => `${word} ${one}`));
  await boxOf(rowOf(ownerPage, `${word} 4`)).click();
  await boxOf(rowOf(ownerPage, `${word} 3`)).click({ modifiers: ["Shift"] });
  await expect(selectedIn(ownerPage)).toContainText("3 selected");
  await expect(boxOf(rowOf(ownerPage, `${word} 1`))).toBeChecked();
  await expect(boxOf(rowOf(ownerPage, `${word} 2`))).not.toBeChecked();
});

test("Several apps are archived after a confirmation with numbers, and Undo restores them", async ({
  ownerPage,
  product,
}) => {
  const word = await openRows(ownerPage, product, 3);
  await insertApp(product, { name: `${word} draft`, status: "draft" });
  await ownerPage.reload();
  await expect(rowNames(ownerPage)).toHaveCount(4);
  await listRegion(ownerPage).getByRole("checkbox", { name: "Select all on this page" }).click();
  await expect(selectedIn(ownerPage).getByRole("button", { name: "Activate 1" })).toBeVisible();
  await selectedIn(ownerPage).getByRole("button", { name: "Archive 3" }).click();
  const dialog = ownerPage.getByRole("dialog", { name: "Archive 3 apps?" });
  await expect(
    dialog.getByRole("row", { name: /can no longer be added to packages/ }),
  ).toContainText(/3$/);
  await expect(dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
  await dialog.getByRole("button", { name: "Archive 3 apps" }).click();

  await expect(dialog).toBeHidden();
  const states = listRegion(ownerPage).getByRole("cell", { name: /^(Active|Archived|Draft)$/ });
  await expect(states).toHaveText(["Archived", "Archived", "Archived", "Draft"]);
  await expect(selectedIn(ownerPage)).toBeHidden();
  const toast = ownerPage.getByRole("alert").filter({ hasText: "3 apps archived" });
  await toast.getByRole("button", { name: "Undo" }).click();
  await expect(ownerPage.getByText("3 apps restored")).toBeVisible();
  await expect(states).toHaveText(["Active", "Active", "Active", "Draft"]);
});

test("S2.4 The confirmation is a dialog that traps the focus, closes only by Escape and returns the focus", async ({
  ownerPage,
  product,
}) => {
  const word = await openRows(ownerPage, product, 2);
  await boxOf(rowOf(ownerPage, `${word} 0001`)).click();
  const opener = selectedIn(ownerPage).getByRole("button", { name: "Archive 1" });
  await opener.click();
  const dialog = ownerPage.getByRole("dialog", { name: `Archive ${word} 0001?` });
  await expect(dialog).toHaveAttribute("aria-modal", "true");
  await expect(dialog.getByRole("button", { name: "Close" })).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
  for (let step = 0; step < 20; step++) {
    await press(ownerPage, "Tab");
    expect(await holdsFocus(dialog), `after ${step + 1} tabs`).toBe(true);
  }
  await ownerPage.mouse.click(8, 8);
  await expect(dialog).toBeVisible();
  await press(ownerPage, "Escape");
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();
  await expect(selectedIn(ownerPage)).toContainText("1 selected");
});
