import type { Page } from "@playwright/test";
import { callApi } from "../data/api.ts";
import {
  makePromotion,
  type Promotion,
  publishPromotion,
  usePromotion,
} from "../data/promotions.ts";
import type { Product } from "../environment/product.ts";
import { expect, heading, type Screenshot } from "./screenshot.ts";

type Workspace = { page: Page; product: Product };

/** The promotions of the screenshots: one of the demo data, a draft, one without and one with redemptions. */
export const makePromotions = async ({ page, product }: Workspace) => {
  const find = async (code: string) => {
    const path = `/promotions?q=${code}`;
    const { items } = await callApi<{ items: Promotion[] }>(page, { path });
    const [found] = items;
    if (!found) throw new Error(`The demo has no ${code}.`);
    return found;
  };
  await makePromotion(page, { name: "Winter berth", code: null, basisPoints: 1250 });
  const details = { name: "Early birds", code: "EARLY", redemptionLimit: 2000 };
  const early = await publishPromotion(page, await makePromotion(page, details));
  await usePromotion(product, early, 8);
  const yearly = { name: "First year", code: "FIRST20", intervals: ["year"] };
  const unused = await publishPromotion(page, await makePromotion(page, yearly));
  return { unused, work: await find("BACKTOWORK"), early };
};

const change = async (page: Page, { name }: Promotion) => {
  await heading(page, `Edit ${name}`);
  await page.getByRole("textbox", { name: "Percent off" }).fill("25");
  await page.getByRole("textbox", { name: "Percent off" }).blur();
  await expect(page.getByText("instead of")).toBeVisible();
};

type DemoCompany = { promotions: Awaited<ReturnType<typeof makePromotions>> };

export const promotionScreenshots = ({
  promotions: { unused, work, early },
}: DemoCompany): Screenshot[] => [
  {
    name: "promotions-list",
    as: "marta",
    path: "/promotion",
    allVariants: true,
    prepare: (page) => expect(page.getByRole("row", { name: "Autumn 20" })).toBeVisible(),
  },
  {
    name: "promotion-preview",
    as: "marta",
    path: `/promotion?preview=${work.id}`,
    allVariants: true,
    prepare: (page) =>
      expect(page.getByRole("dialog").getByText(/redemptions? by \d+ customers?\./)).toBeVisible(),
  },
  {
    name: "promotion-edit",
    as: "marta",
    path: `/promotion/edit/${unused.id}`,
    allVariants: true,
    prepare: (page) => change(page, unused),
  },
  {
    name: "promotion-edit-not-eligible",
    as: "marta",
    path: `/promotion/edit/${unused.id}`,
    prepare: async (page) => {
      await change(page, unused);
      await page.getByLabel("Interval to preview").selectOption({ label: "Monthly, EUR" });
      await expect(page.getByText("the list price")).toBeVisible();
    },
  },
  {
    name: "promotion-simulation",
    as: "marta",
    keepsScroll: true,
    path: `/promotion/edit/${unused.id}`,
    allVariants: true,
    prepare: async (page) => {
      await change(page, unused);
      await page.getByRole("button", { name: "Simulate", exact: true }).click();
      await expect(page.getByText(/redemptions? by .* in .* sales?/)).toBeVisible();
      await page.getByRole("button", { name: "Simulate again" }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: "promotion-edit-locked",
    as: "marta",
    path: `/promotion/edit/${early.id}`,
    prepare: (page) => heading(page, "Edit Early birds"),
  },
  {
    name: "promotion-create",
    as: "marta",
    path: "/promotion/create",
    allVariants: true,
    prepare: async (page) => {
      await heading(page, "New promotion");
      await expect(page.getByLabel("Package to preview")).not.toHaveValue("");
    },
  },
  {
    name: "promotion-codes",
    as: "marta",
    path: `/promotion?preview=${early.id}`,
    prepare: async (page) => {
      const preview = page.getByRole("dialog", { name: "Preview of Early birds" });
      await preview.getByRole("button", { name: "Generate codes" }).click();
      await expect(
        page.getByRole("dialog", { name: "Generate codes for Early birds" }),
      ).toBeVisible();
    },
  },
];
