import { expect, type Page } from "@playwright/test";
import { callApi } from "../../data/api.ts";
import type { Package } from "../../data/packages.ts";
import { openPackage, sellPackage } from "../../data/packageVersions.ts";
import type { Product } from "../../environment/product.ts";
import { test } from "../../fixtures/test.ts";
import { fieldOf, toast } from "../../pages/forms.ts";
import { cellOf, grid, impactPanel } from "../../pages/matrix.ts";
import { choose } from "./featureForm.ts";

// @nightly: The gate fills each form and the matrix once; impact and rollouts are covered over HTTP.

const heading = (page: Page) => page.getByRole("heading", { level: 1 });

/** Customers with a subscription of a year to the version on sale. */
const subscribe = ({ database }: Product, { id }: Package, amount: number) =>
  database.query(
    `with customers as (
       insert into users (email, name, status)
       select gen_random_uuid() || '@example.com', 'Subscriber ' || n, 'active' from generate_series(1, $2::int) n
       returning id
     ), subscribed as (
       insert into subscriptions (user_id, package_id, version_id, price_id, status, period_start, period_end, access_until)
       select p.id, $1, v.id, (select id from version_prices where version_id = v.id limit 1), 'active', now(), now() + interval '1 year', now() + interval '1 year'
       from customers p, package_versions v where v.package_id = $1 and v.state = 'on sale'
       returning id, user_id, version_id, period_start, access_until
     )
     insert into grants (user_id, package_id, version_id, subscription_id, source, source_id, starts_at, ends_at)
     select user_id, $1, version_id, id, 'import', 'test', period_start, access_until from subscribed`,
    [id, amount],
  );

test("A catalog manager lowers a limit, reviews who loses access, publishes for renewals and sees the report @nightly", async ({
  ownerPage: page,
  product,
}) => {
  const pack = await sellPackage(page);
  await subscribe(product, pack, 3);
  await openPackage(page, pack);
  await page.getByRole("link", { name: "Apps and features" }).first().click();
  await page.getByRole("button", { name: "Create draft" }).click();
  await expect(page.getByText("Draft of version 2", { exact: true })).toBeVisible();
  await cellOf(page, { name: "Seats" }).focus();
  await page.keyboard.type("2");
  await page.keyboard.press("Enter");
  await expect(impactPanel(page).getByText("3 lose something")).toBeVisible();
  await expect(impactPanel(page)).toContainText("Subscriber 1");
  await page.getByRole("button", { name: "Review version 2" }).click();
  await page.getByRole("radio", { name: "At each subscriber's next renewal" }).check();
  await page.getByRole("textbox", { name: "Note" }).fill("Fewer seats");
  await page.getByRole("button", { name: "Publish version 2" }).click();
  await expect(toast(page, "version 2 published")).toBeVisible();
  await expect(page).toHaveURL(`/package/view/${pack.id}`);
  const progress = page.getByRole("progressbar", { name: "Rollout of version 2" });
  await expect(progress).toHaveAttribute("aria-valuetext", /3 at renewal/);
  await page.getByRole("button", { name: "Show report" }).click();
  const report = page.getByRole("dialog", { name: "Rollout of version 2" });
  await expect(report.getByRole("row", { name: /At renewal/ })).toHaveCount(3);
});

const addFeature = async (page: Page, appId: string, name: string, fill: () => Promise<void>) => {
  await page.goto(`/feature/create?app=${appId}`);
  await fieldOf(page, "name").fill(name);
  await fill();
  await page.keyboard.press("Control+s");
  await expect(page).toHaveURL(/\/feature\/view\//);
  await expect(heading(page)).toHaveText(name);
};

test("A new user creates an app with four features and a package with three prices, fills the matrix by keyboard and publishes @nightly", async ({
  ownerPage: page,
}) => {
  const kind = (name: string) => choose(page, name);
  const unit = async (one: string, many: string) => {
    await page.getByLabel("Unit, singular").fill(one);
    await page.getByLabel("Unit, plural").fill(many);
  };
  await page.goto("/apps/create");
  const appName = `Darkroom ${Date.now()}`;
  await fieldOf(page, "name").fill(appName);
  await page.keyboard.press("Control+s");
  await expect(page).toHaveURL(/\/apps\/view\//);
  const appId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  await expect(heading(page)).toHaveText(appName);

  await addFeature(page, appId, "RAW development", () => kind("Switch"));
  await addFeature(page, appId, "Seats", async () => {
    await kind("Limit");
    await unit("seat", "seats");
    await page.getByRole("textbox", { name: "Default value" }).fill("1");
  });
  await addFeature(page, appId, "Exports", async () => {
    await kind("Metered");
    await unit("export", "exports");
    await page.getByRole("textbox", { name: "Default allowance" }).fill("0");
  });
  await addFeature(page, appId, "Profiles", async () => {
    await kind("Choice");
    for (const [place, name] of ["Standard", "Print"].entries())
      await page.getByLabel(`Name of option ${place + 1}`).fill(name);
    await page.getByRole("combobox", { name: "Default value" }).selectOption("Standard");
  });

  await page.goto("/package/create");
  await fieldOf(page, "name").fill(`Studio ${Date.now()}`);
  for (const [place, [currency, amount]] of [
    ["EUR", "12,00"],
    ["USD", "13.00"],
    ["JPY", "1900"],
  ].entries()) {
    await page.getByRole("button", { name: "Add price" }).click();
    const part = (name: string) =>
      page
        .getByRole("group", { name: "Prices" })
        .getByLabel(new RegExp(`rice ${place + 1}.*${name}`, "i"));
    await part("currency").fill(`${currency}`);
    await page.getByRole("option", { name: new RegExp(`^${currency}`) }).click();
    await part("amount").fill(`${amount}`);
  }
  await page.keyboard.press("Control+s");
  await expect(page).toHaveURL(/\/package\/view\//);
  const id = new URL(page.url()).pathname.split("/").at(-1);
  await page.getByRole("link", { name: "Apps and features" }).first().click();

  await page.getByRole("button", { name: "Add app", exact: true }).click();
  const adding = page.getByRole("dialog", { name: "Add app" });
  await expect(adding.getByRole("searchbox")).toBeFocused();
  await page.keyboard.type(appName);
  await expect(adding.getByRole("button")).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(grid(page)).toBeVisible();
  await expect(cellOf(page, { name: "RAW development" })).toBeFocused();
  await page.keyboard.press("Space");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.type("5");
  await page.keyboard.press("Enter");
  await page.keyboard.type("300");
  await page.keyboard.press("Enter");
  await page.keyboard.type("p");
  await page.keyboard.press("Control+s");
  await expect(toast(page, "Draft of version 1 saved")).toBeVisible();
  await page.getByRole("button", { name: "Review version 1" }).click();
  await page.getByRole("textbox", { name: "Note" }).fill("The first");
  await page.getByRole("button", { name: "Publish version 1" }).click();
  await expect(page).toHaveURL(/\/package\/view\//);
  const stored = await callApi<Package & { prices: object[] }>(page, { path: `/packages/${id}` });
  expect(stored).toMatchObject({ onSale: { number: 1 }, prices: [{}, {}, {}] });
  const { contents } = await callApi<{
    contents: { features: { name: string; value: unknown }[] }[];
  }>(page, { path: `/packages/${id}/versions/1` });
  expect(contents[0]?.features.map(({ name, value }) => [name, value])).toEqual([
    ["RAW development", true],
    ["Seats", 5],
    ["Exports", 300],
    ["Profiles", "print"],
  ]);
});
