import type { Locator, Page } from "@playwright/test";

export type Actions = { clicks: number; keys: number };

/** Runs in the browser. Characters in a text field aren't keys: everyone has to type a name or an amount. */
const watch = () => {
  const report = (window as unknown as { countAction: (kind: string) => void }).countAction;
  window.addEventListener("pointerdown", () => report("clicks"), true);
  window.addEventListener(
    "keydown",
    ({ key, ctrlKey, metaKey, target }) => {
      if (["Control", "Meta", "Shift", "Alt"].includes(key)) return;
      const isText = target instanceof Element && target.matches("input, textarea");
      if (key.length > 1 || ctrlKey || metaKey || !isText) report("keys");
    },
    true,
  );
};

/** Opens Home and counts what the user clicks and presses from then on. */
export const countActions = async (page: Page): Promise<Actions> => {
  const counted: Actions = { clicks: 0, keys: 0 };
  await page.exposeBinding("countAction", (_, kind: keyof Actions) => {
    counted[kind] += 1;
  });
  await page.addInitScript(watch);
  await page.goto("/");
  // Keys that are pressed before the page is ready would be lost.
  await page.getByRole("heading", { level: 1 }).waitFor();
  return counted;
};

/** Types into a field as a person does: it is clicked first, unless it has the focus. */
export const typeInto = async (field: Locator, text: string) => {
  const hasFocus = await field.evaluate((input) => input === document.activeElement);
  if (!hasFocus) await field.click();
  await field.fill(text);
};

/** Chooses from a select: one click opens it, one chooses. */
export const choose = async (counted: Actions, select: Locator, label: string) => {
  await select.selectOption({ label });
  counted.clicks += 2;
};
