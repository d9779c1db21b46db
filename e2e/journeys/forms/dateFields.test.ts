import { expect, type Page } from "@playwright/test";
import { heading } from "../../data/packageVersions.ts";
import { makePromotion, readPromotion } from "../../data/promotions.ts";
import { test } from "../../fixtures/test.ts";
import { accessibilityViolations, wcag } from "../../pages/accessibility.ts";

// @nightly: How texts are read in other languages is tested without a browser.

const field = (page: Page, path: string) => page.locator(`[data-path="${path}"]`);
const calendar = (page: Page) => page.getByRole("dialog", { name: "Choose a date" });

/** The form of a new promotion on a Monday. */
const openSchedule = async (page: Page) => {
  await page.clock.setFixedTime(new Date("2026-11-16T10:00:00Z"));
  const { id, name } = await makePromotion(page);
  await page.goto(`/promotion/edit/${id}`);
  await expect(heading(page)).toContainText(name);
  return id;
};

test("S2.22 A date is typed in words, digits or as a distance from today", async ({
  ownerPage: page,
}) => {
  const id = await openSchedule(page);
  const start = field(page, "startsAt");
  for (const [typed, shown] of [
    ["+30d", "Dec 16, 2026"],
    ["16 nov", "Nov 16, 2026"],
    ["3/4/2027", "Mar 4, 2027"],
    ["tomorrow", "Nov 17, 2026"],
  ] as const) {
    await start.fill(typed);
    await start.blur();
    await expect(start).toHaveValue(shown);
  }
  await start.fill("next week");
  await start.blur();
  await expect(start).toHaveValue("next week");
  await expect(start).toHaveAccessibleDescription(
    /Enter a date such as Nov 16, 2026, \+30d or tomorrow/,
  );
  const save = page.getByRole("button", { name: "Save promotion" });
  await save.click();
  await expect(start).toBeFocused();
  await expect(start).toHaveAttribute("aria-invalid", "true");

  await start.fill("tomorrow");
  const saved = page.waitForResponse((response) => response.request().method() === "PUT");
  await save.click();
  expect((await saved).ok()).toBe(true);
  const { startsAt } = await readPromotion(page, id);
  expect(startsAt).toBe("2026-11-17T00:00:00.000Z");
});

test("S9.8 A date is chosen from the calendar with the keyboard @nightly", async ({
  ownerPage: page,
}) => {
  await openSchedule(page);
  const end = field(page, "endsAt");
  const day = (name: string) =>
    calendar(page).getByRole("button", { name: new RegExp(`, ${name}$`) });
  await end.focus();
  await page.keyboard.press("ArrowDown");
  await expect(day("November 16, 2026")).toBeFocused();
  expect(await accessibilityViolations(page, wcag)).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(calendar(page)).toBeHidden();
  await expect(end).toBeFocused();
  await expect(end).toHaveValue("");

  await page.keyboard.press("ArrowDown");
  await expect(day("November 16, 2026")).toBeFocused();
  // Over the end of the month.
  for (const key of ["ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight"])
    await page.keyboard.press(key);
  await expect(day("December 2, 2026")).toBeFocused();
  await page.keyboard.press("PageDown");
  await page.keyboard.press("Home");
  await expect(day("December 27, 2026")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(calendar(page)).toBeHidden();
  await expect(end).toBeFocused();
  await expect(end).toHaveValue("Dec 27, 2026");
});

test.describe("in German", () => {
  test.use({ locale: "de-DE" });

  test("Dates and numbers are typed and shown in the user's language @nightly", async ({
    ownerPage: page,
  }) => {
    await openSchedule(page);
    const start = field(page, "startsAt");
    for (const [typed, shown] of [
      ["morgen", "17. Nov. 2026"],
      ["3.4.2027", "3. Apr. 2027"],
      ["16. Nov", "16. Nov. 2026"],
    ] as const) {
      await start.fill(typed);
      await start.blur();
      await expect(start).toHaveValue(shown);
    }
    const percent = field(page, "basisPoints");
    await percent.fill("12,5");
    await percent.blur();
    await expect(percent).toHaveValue("12,5");
    const saved = page.waitForResponse((response) => response.request().method() === "PUT");
    await percent.press("ControlOrMeta+s");
    expect((await saved).request().postDataJSON()).toMatchObject({ basisPoints: 1250 });

    await start.press("ArrowDown");
    const popup = page.locator(".calendar");
    await expect(popup.getByRole("button", { name: "Montag, 16. November 2026" })).toBeFocused();
    await expect(popup.getByRole("columnheader").first()).toHaveText("Mo");
  });
});
