import type { Page } from "@playwright/test";
import { callApi, uniqueCode } from "../data/api.ts";
import { type App, activateApp, makeApp } from "../data/apps.ts";
import { makeUser, type User } from "../data/customers.ts";
import { type Feature, makeFeature, regions } from "../data/features.ts";
import type { Package } from "../data/packages.ts";
import { sellPackage } from "../data/packageVersions.ts";
import { makePromotion, type Promotion, publishPromotion } from "../data/promotions.ts";
import { type Sale, sell } from "../data/transactions.ts";

/** The records that the screens show, with a unique word that finds both apps. */
export type Records = {
  word: string;
  draft: App;
  active: App;
  feature: Feature;
  sold: Package;
  promotion: Promotion;
  sale: Sale;
  user: User;
};

export const makeRecords = async (page: Page): Promise<Records> => {
  const word = uniqueCode("both");
  const make = (kind: string) =>
    makeApp(page, { code: `${word}-${kind}`, name: `${kind} ${word}`, description: "For people." });
  const draft = await make("draft");
  const active = await activateApp(page, await make("active"));
  await callApi(page, {
    method: "POST",
    path: `/apps/${active.id}/keys`,
    body: { name: "web-server-1", kind: "server", scopes: ["entitlements:read"] },
  });
  const feature = await makeFeature(page, { ...regions, name: `Regions ${word}` }, active);
  const sold = await sellPackage(
    page,
    { name: `Sold ${word}` },
    { app: active, feature, value: "ocean" },
  );
  const promotion = await publishPromotion(
    page,
    await makePromotion(page, {
      name: `Autumn ${word}`,
      packageIds: [sold.id],
      redemptionLimit: 100,
    }),
  );
  const user = await makeUser(page, { name: `Buyer ${word}`, country: "PL", note: "Pays late." });
  const sale = await sell(page, sold, { tax: 228, email: user.email });
  return { word, draft, active, feature, sold, promotion, sale, user };
};
