import type { Page } from "@playwright/test";
import { callApi } from "../data/api.ts";
import { expect, type Screenshot } from "./screenshot.ts";

const currency = "EUR";

const chartIsDrawn = (page: Page) =>
  expect(page.locator(".chart-stroke, .chart-bars rect").first()).toBeAttached();

/** The home screen and every report. */
export const reportScreenshots: Screenshot[] = [
  {
    name: "home",
    as: "marta",
    path: "/?range=90d",
    allVariants: true,
    prepare: async (page) => {
      await chartIsDrawn(page);
      await expect(page.getByRole("heading", { name: "Running promotions" })).toBeVisible();
    },
  },
  ...[
    { name: "reports-revenue", path: `/reports?range=90d&unit=week&currency=${currency}` },
    { name: "reports-mrr", path: `/reports?tab=mrr&currency=${currency}` },
  ].map((one): Screenshot => ({ ...one, as: "marta", allVariants: true, prepare: chartIsDrawn })),
  {
    name: "reports-country",
    as: "marta",
    path: `/reports?group=country&range=12m&unit=month&currency=${currency}`,
    prepare: chartIsDrawn,
  },
  {
    name: "reports-retention",
    as: "marta",
    path: `/reports?tab=retention&currency=${currency}`,
    allVariants: true,
    prepare: (page) => expect(page.getByText("Weighted average").first()).toBeVisible(),
  },
  {
    name: "reports-app-share",
    as: "marta",
    path: `/reports?tab=app-share&range=12m&currency=${currency}`,
    allVariants: true,
    prepare: (page) => expect(page.getByText("Not included").first()).toBeVisible(),
  },
  {
    name: "reports-tax",
    as: "marta",
    path: `/reports?tab=tax&range=12m&unit=month&currency=${currency}`,
    prepare: chartIsDrawn,
  },
  {
    name: "reports-promotions",
    as: "marta",
    path: `/reports?tab=promotions&range=12m&unit=month&currency=${currency}`,
    allVariants: true,
    prepare: chartIsDrawn,
  },
  {
    name: "reports-customers",
    as: "marta",
    path: `/reports?tab=customers&range=12m&currency=${currency}`,
    prepare: (page) => expect(page.getByRole("button", { name: "Load more" })).toBeVisible(),
  },
  {
    name: "reports-saved",
    as: "marta",
    path: "/reports?tab=saved",
    allVariants: true,
    before: async (page) => {
      await page.goto("/reports?tab=saved");
      // Refused if an earlier variant saved it.
      for (const [name, search] of [
        [
          "Revenue by country, last month",
          { tab: "revenue", group: "country", range: "last-month" },
        ],
        ["MRR, last 12 months", { tab: "mrr" }],
      ] as const)
        await callApi(page, {
          method: "POST",
          path: "/reports/saved",
          body: { name, search },
        }).catch(() => undefined);
    },
    prepare: (page) => expect(page.getByRole("link", { name: "Revenue by country" })).toBeVisible(),
  },
];
