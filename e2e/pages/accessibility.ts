import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

type AxeResults = Awaited<ReturnType<AxeBuilder["analyze"]>>;

/** Waits for transitions to end, because a color in between isn't part of the design. Endless animations are ignored. */
export const waitForAnimations = (page: Page) =>
  page.evaluate(async () => {
    await document.fonts.ready;
    const passing = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
    await Promise.allSettled(passing.map(({ finished }) => finished));
  });

const read = ({ violations, passes }: AxeResults) => {
  expect(passes.length).toBeGreaterThan(0);
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, failureSummary }) => `${html} (${failureSummary})`).join("\n")}`,
  );
};

// Legacy mode checks the page in place. The default opens a blank page per analysis for frames of
// other origins, and Purser has none.
const builderFor = (page: Page, part: string) =>
  new AxeBuilder({ page }).setLegacyMode(true).include(part);

/** Without tags every rule is checked, also those that are only good practice; without a part the whole page. */
export const accessibilityViolations = async (page: Page, tags: string[] = [], part = "html") => {
  await waitForAnimations(page);
  const builder = builderFor(page, part);
  return read(await (tags.length > 0 ? builder.withTags(tags) : builder).analyze());
};

/** An experimental rule, which isn't checked by default: an accessible name has the visible text. */
export const mismatchedNames = async (page: Page, part: string) =>
  read(await builderFor(page, part).withRules(["label-content-name-mismatch"]).analyze());

/** WCAG 2.2 A and AA in one theme. */
export const expectAccessibleIn = async (page: Page, scheme: (typeof schemes)[number]) => {
  await useColorScheme(page, scheme);
  expect(await accessibilityViolations(page, wcag), scheme).toEqual([]);
};

/** WCAG 2.2 A and AA in the light theme, then contrast in the dark one: a theme changes nothing but colors. */
export const expectAccessible = async (page: Page, part = "html") => {
  await useColorScheme(page, "light");
  expect(await accessibilityViolations(page, wcag, part), "light").toEqual([]);
  await useColorScheme(page, "dark");
  await waitForAnimations(page);
  const contrast = builderFor(page, part).withRules(["color-contrast"]);
  expect(read(await contrast.analyze()), "dark").toEqual([]);
};

export const wcag = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

export const schemes = ["light", "dark"] as const;

/** As for a user whose theme follows the system. */
export const useColorScheme = async (page: Page, colorScheme: (typeof schemes)[number]) => {
  await page.emulateMedia({ colorScheme });
  await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", colorScheme);
};
