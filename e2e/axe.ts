import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

/** What fades or slides has arrived: a colour half way is nobody's choice. What never ends is left alone. */
export const waitUntilStill = (page: Page) =>
  page.evaluate(async () => {
    await document.fonts.ready;
    const passing = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
    await Promise.allSettled(passing.map(({ finished }) => finished));
  });

/** Without tags every rule is asked, also those that are only good practice; without a part the whole page. */
export const problemsOf = async (page: Page, tags: string[] = [], part = "html") => {
  await waitUntilStill(page);
  const builder = new AxeBuilder({ page }).include(part);
  const { violations, passes } = await (tags.length > 0
    ? builder.withTags(tags)
    : builder
  ).analyze();
  expect(passes.length).toBeGreaterThan(0);
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, failureSummary }) => `${html} (${failureSummary})`).join("\n")}`,
  );
};

export const wcag = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

export const schemes = ["light", "dark"] as const;

/** As somebody sees it who left the theme to their system. */
export const showIn = async (page: Page, colorScheme: (typeof schemes)[number]) => {
  await page.emulateMedia({ colorScheme });
  await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", colorScheme);
};
