import { expect, type Page } from "@playwright/test";
import { changeDraft, makeMatrix, valuesOf } from "../../data/packages.ts";
import { test } from "../../fixtures/test.ts";
import { toast } from "../../pages/forms.ts";
import { streamOfChanges } from "../../pages/liveChanges.ts";
import { cellOf, openMatrix, watchSaves } from "../../pages/matrix.ts";

// @nightly: The gate merges two people's cells once; the merge rules have tables of cases.

const conflict = (page: Page) =>
  page.getByRole("dialog", { name: "Someone else changed the same values" });

const setCell = async (page: Page, name: string, typed: string) => {
  await cellOf(page, { name }).focus();
  await page.keyboard.type(typed);
  await page.keyboard.press("Enter");
};

const makeShared = async (page: Page) => {
  const { features, pack } = await makeMatrix(page, ["limit", "limit"]);
  const [seats = "", storage = ""] = features.map(({ id }) => id);
  return { pack, seats, storage };
};

test("MX7 Edits of different cells by two users are merged without a question", async ({
  ownerPage: page,
  colleaguePage,
}) => {
  const { pack, seats, storage } = await makeShared(page);
  await openMatrix(page, pack);
  await setCell(page, "F1 limit", "11");
  await changeDraft(colleaguePage, pack, { cells: [{ featureId: storage, value: 22, was: null }] });
  // The other change appears live, and the own one stays.
  await expect(cellOf(page, { name: "F2 limit" })).toContainText("22");
  await expect(cellOf(page, { name: "F1 limit" })).toContainText("11");
  await page.keyboard.press("Control+s");
  await expect(toast(page, "Draft of version 1 saved")).toBeVisible();
  await expect(conflict(page)).toHaveCount(0);
  expect(await valuesOf(page, pack)).toEqual({ [seats]: 11, [storage]: 22 });
});

for (const chosen of ["yours", "theirs"] as const)
  test(`MX7 Edits of the same cell by two users ask, and ${chosen} wins @nightly`, async ({
    ownerPage: page,
    colleaguePage,
  }) => {
    const { pack, seats, storage } = await makeShared(page);
    const saves = watchSaves(page);
    await openMatrix(page, pack);
    await setCell(page, "F1 limit", "11");
    await setCell(page, "F2 limit", "12");
    await changeDraft(colleaguePage, pack, { cells: [{ featureId: seats, value: 44, was: null }] });
    await page.keyboard.press("Control+s");
    await expect(conflict(page)).toBeVisible();
    // Nothing is saved before it is decided, and nothing is chosen for anybody.
    expect(await valuesOf(colleaguePage, pack)).toEqual({ [seats]: 44, [storage]: null });
    await expect(conflict(page).getByRole("button", { name: "Save my choices" })).toBeDisabled();
    await conflict(page)
      .getByRole("radio", { name: new RegExp(`^F1 limit, ${chosen}: `) })
      .check();
    await conflict(page).getByRole("button", { name: "Save my choices" }).click();
    await expect(toast(page, "Draft of version 1 saved")).toBeVisible();
    const value = chosen === "yours" ? 11 : 44;
    expect(await valuesOf(page, pack)).toEqual({ [seats]: value, [storage]: 12 });
    await expect(cellOf(page, { name: "F1 limit" })).toContainText(String(value));
    const sent = saves.at(-1)?.cells.find(({ featureId }) => featureId === seats);
    expect(sent?.was ?? null).toBe(chosen === "yours" ? 44 : null);
  });

test("MX7 A cell that changed at the moment of saving asks too @nightly", async ({
  ownerPage: page,
  colleaguePage,
}) => {
  const { pack, seats, storage } = await makeShared(page);
  // Live updates are blocked.
  await page.route(streamOfChanges, (route) => route.abort());
  await openMatrix(page, pack);
  await setCell(page, "F1 limit", "11");
  await changeDraft(colleaguePage, pack, {
    cells: [
      { featureId: seats, value: 44, was: null },
      { featureId: storage, value: 55, was: null },
    ],
  });
  await page.keyboard.press("Control+s");
  await expect(conflict(page)).toBeVisible();
  await conflict(page).getByRole("button", { name: "Use their version" }).click();
  await expect(conflict(page)).toHaveCount(0);
  await expect(cellOf(page, { name: "F1 limit" })).toContainText("44");
  await expect(cellOf(page, { name: "F2 limit" })).toContainText("55");
  await expect(page.getByText("unsaved change")).toHaveCount(0);
});
