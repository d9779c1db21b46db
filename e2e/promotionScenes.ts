import type { Page } from "@playwright/test";
import type { Prepared } from "./northquay.ts";
import type { Package } from "./packages.ts";
import { makePromotion, type Promotion, publishPromotion, usePromotion } from "./promotions.ts";
import { expect, heading, type Scene } from "./scene.ts";
import type { Product } from "./start.ts";

/** A day before or after the one of the pictures. */
const day = (from: Date, days: number) =>
  new Date(Math.floor(from.getTime() / 86_400_000) * 86_400_000 + days * 86_400_000).toISOString();

type Office = { page: Page; product: Product; pack: (code: string) => Package; now: Date };

/** The promotions of the pictures: one of each state that a list shows. */
export const makePromotions = async ({ page, product, pack, now }: Office) => {
  const at = (days: number) => day(now, days);
  const ids = (...codes: string[]) => codes.map((code) => pack(code).id);
  const publish = async (details: Parameters<typeof makePromotion>[1]) =>
    publishPromotion(page, await makePromotion(page, details));
  const ended = await publish({
    name: "Summer sail",
    code: "SUMMER26",
    basisPoints: 2500,
    startsAt: at(-120),
    endsAt: at(-60),
    maxUses: 500,
  });
  await usePromotion(product, ended, 312);
  await publish({
    name: "Back to work",
    code: "BACKTOWORK",
    kind: "fixed",
    basisPoints: null,
    amounts: [{ currency: "EUR", off: 500 }],
    startsAt: at(-40),
    endsAt: at(5),
  });
  await publish({
    name: "Switch to Team",
    code: "SWITCH-TEAM",
    kind: "trial",
    basisPoints: null,
    trialDays: 30,
    packageIds: ids("team"),
    startsAt: at(6),
    endsAt: at(31),
  });
  await makePromotion(page, { name: "Winter berth", code: null, basisPoints: 1250 });
  const autumn = await publish({
    name: "Autumn 20",
    code: "AUTUMN20",
    basisPoints: 1500,
    packageIds: ids("solo", "studio", "team"),
    intervals: ["year"],
    audience: "new",
    startsAt: at(-12),
    endsAt: at(10),
    maxUses: 12_000,
    maxUsesPerUser: 1,
    amounts: [{ currency: "EUR", budget: 20_000_000 }],
  });
  const early = await publish({ name: "Early birds", code: "EARLY", maxUses: 2000 });
  await usePromotion(product, early, 8);
  return { autumn, early };
};

const change = async (page: Page, { name }: Promotion) => {
  await heading(page, `Edit ${name}`);
  await page.getByRole("textbox", { name: "Percent off" }).fill("20");
  await page.getByRole("textbox", { name: "Percent off" }).blur();
  await expect(page.getByText("instead of")).toBeVisible();
};

export const promotionScenes = ({ promotions: { autumn, early } }: Prepared): Scene[] => [
  {
    name: "promotions-list",
    as: "marta",
    path: "/promotion",
    everywhere: true,
    act: (page) => expect(page.getByRole("row", { name: "Autumn 20" })).toBeVisible(),
  },
  {
    name: "promotion-preview",
    as: "marta",
    path: `/promotion?preview=${early.id}`,
    everywhere: true,
    act: async (page) => {
      await expect(page.getByRole("dialog").getByText("Nobody has used it yet.")).toBeVisible();
      await expect(page.getByText("published the promotion")).toBeVisible();
    },
  },
  {
    name: "promotion-edit",
    as: "marta",
    path: `/promotion/edit/${autumn.id}`,
    everywhere: true,
    act: (page) => change(page, autumn),
  },
  {
    name: "promotion-edit-not-eligible",
    as: "marta",
    path: `/promotion/edit/${autumn.id}`,
    act: async (page) => {
      await change(page, autumn);
      await page.getByLabel("Interval to try").selectOption({ label: "Monthly" });
      await expect(page.getByText("the list price")).toBeVisible();
    },
  },
  {
    name: "promotion-edit-locked",
    as: "marta",
    path: `/promotion/edit/${early.id}`,
    act: (page) => heading(page, "Edit Early birds"),
  },
  {
    name: "promotion-create",
    as: "marta",
    path: "/promotion/create",
    everywhere: true,
    act: async (page) => {
      await heading(page, "New promotion");
      await expect(page.getByLabel("Package to try")).not.toHaveValue("");
    },
  },
  {
    name: "promotion-codes",
    as: "marta",
    path: `/promotion?preview=${early.id}`,
    act: async (page) => {
      await page.getByRole("button", { name: "Make codes" }).click();
      await expect(page.getByRole("dialog", { name: "Make codes for Early birds" })).toBeVisible();
    },
  },
];
