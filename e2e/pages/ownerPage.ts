import type { Browser } from "@playwright/test";
import { addOwner } from "../data/team.ts";
import type { Product } from "../environment/product.ts";

/** A page without the dashboard, which can call the API as an owner. */
export const openOwnerPage = async (browser: Browser, product: Product) => {
  const context = await browser.newContext({ baseURL: product.origin });
  await addOwner(context, product);
  const page = await context.newPage();
  await page.route("**/empty", (route) =>
    route.fulfill({ contentType: "text/html", body: "<!doctype html>" }),
  );
  await page.goto("/empty");
  return page;
};
