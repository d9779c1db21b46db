import { expect, type Locator, type Page } from "@playwright/test";
import type { Product } from "../../environment/product.ts";
import { insertApp } from "../../pages/lists.ts";

/** Four apps that differ in everything a list is filtered by. */
export const makeVaried = async (product: Product, word: string) => {
  const apps = [
    { name: "a", status: "draft", platforms: ["web", "ios"], createdAt: "2024-03-10T12:00:00Z" },
    { name: "b", status: "active", platforms: ["android"], createdAt: "2024-03-20T12:00:00Z" },
    { name: "c", status: "archived", platforms: [], createdAt: "2024-04-05T12:00:00Z" },
    { name: "d", status: "active", platforms: ["ios"], createdAt: new Date().toISOString() },
  ] as const;
  for (const { name, platforms, ...rest } of apps)
    await insertApp(product, {
      ...rest,
      name: `${word} ${name}`,
      platforms: [...platforms],
      ...(name === "b" && { supportEmail: `help@${word}.example.com` }),
    });
};

export const namesOf = (word: string, letters: string) =>
  [...letters].map((one) => `${word} ${one}`);

export const addFilter = async (
  page: Page,
  { field, operator, fill }: { field: string; operator: string; fill: (popup: Locator) => unknown },
) => {
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  const popup = page.getByRole("dialog", { name: "Add filter" });
  await popup.getByRole("button", { name: field, exact: true }).click();
  await popup.getByLabel("Operator").selectOption({ label: operator });
  await fill(popup);
  await popup.getByRole("button", { name: "Apply filter" }).click();
  await expect(popup).toBeHidden();
};
export const tick =
  (...options: string[]) =>
  async (popup: Locator) => {
    for (const name of options) await popup.getByRole("checkbox", { name }).check();
  };
