import type { Page } from "@playwright/test";
import { expect, type Screenshot } from "./screenshot.ts";

const countries = ["Sweden", "Germany", "Deutschlnd", "Norway", "Poland"];

/** Another shop each time, because customers that were imported before are not imported again. */
const fileOf = (shop: string) =>
  [
    "customer_id;E-mail;full_name;country;utm",
    ...Array.from(
      { length: 40 },
      (_, place) =>
        `${shop}-${place};${place % 9 === 4 ? "not an address" : `${shop}-${place}@example.com`};Customer ${place};${countries[place % 5]};a`,
    ),
  ].join("\r\n");

let shops = 0;

const upload = async (page: Page) => {
  shops += 1;
  await page.locator('input[type="file"]').setInputFiles({
    name: "shop.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(fileOf(`shop${shops}`)),
  });
  await expect(page.getByRole("button", { name: "Preview 40 rows" })).toBeVisible();
};

const preview = async (page: Page) => {
  await upload(page);
  await page.getByRole("button", { name: "Preview 40 rows" }).click();
  await expect(page.getByRole("button", { name: /^Import \d+ rows$/ })).toBeVisible();
};

/** Every step of an import. */
export const importScreenshots: Screenshot[] = (
  [
    [
      "import",
      (page: Page) => expect(page.getByRole("button", { name: "Choose file" })).toBeVisible(),
    ],
    ["import-map", upload],
    ["import-preview", preview],
    [
      "import-result",
      async (page: Page) => {
        await preview(page);
        await page.getByRole("button", { name: /^Import \d+ rows$/ }).click();
        await expect(page.getByText(/^Import finished with/)).toBeVisible();
      },
    ],
  ] as const
).map(([name, prepare]) => ({
  name,
  as: "marta",
  path: "/import",
  allVariants: true,
  prepare: async (page) => void (await prepare(page)),
}));
