import { expect, type Page } from "@playwright/test";
import { problemsOf, schemes, showIn, waitUntilStill, wcag } from "../axe.ts";
import { complaintsOf } from "../complaints.ts";
import { doorsteps, makeCareful, type Visitors } from "../doorsteps.ts";
import { createOwner, newPerson } from "../people.ts";
import { layers, makeRecords, noApp, nowhere, type Records, rooms, showList } from "../places.ts";
import { test as base } from "../test.ts";

type OfWorker = { records: Records; visitors: Visitors };

/** The same records and visitors for all places of a worker: whoever opens a place changes nothing. */
const test = base.extend<object, OfWorker>({
  records: [
    async ({ browser, product, boss }, provide) => {
      const { state: storageState } = boss;
      const context = await browser.newContext({ baseURL: product.origin, storageState });
      const records = await makeRecords(await context.newPage());
      await context.close();
      await provide(records);
    },
    { scope: "worker", timeout: 60_000 },
  ],
  visitors: [
    async ({ browser, product }, provide) => {
      const context = await browser.newContext({ baseURL: product.origin });
      const careful = await makeCareful(await context.newPage(), product);
      const link = await createOwner(product, newPerson("Ole Owner"));
      await context.close();
      await provide({ careful, link });
    },
    { scope: "worker", timeout: 60_000 },
  ],
});

const expectNoProblems = async (page: Page) => {
  for (const scheme of schemes) {
    await showIn(page, scheme);
    expect(await problemsOf(page, wcag), scheme).toEqual([]);
  }
};

for (const { name, open } of [...rooms, ...layers])
  test(`SH10 axe finds nothing in light and dark: ${name}`, async ({ office, records }) => {
    await open(office, records);
    await expectNoProblems(office);
  });

test("SH10 axe finds nothing in light and dark before signing in", async ({ page, visitors }) => {
  for (const { name, open } of doorsteps)
    await test.step(name, async () => {
      await open(page, visitors);
      await expectNoProblems(page);
    });
});

// The documents of unknown addresses are answered with 404, as are the records that nobody has.
const missing = [
  { status: 404, path: nowhere },
  { status: 404, path: `/api/apps/${noApp}` },
  { status: 404, path: `/apps/view/${noApp}/_payload.json` },
];

for (const { what, places } of [
  { what: "in any room of the office", places: rooms },
  { what: "with anything that opens over it", places: layers },
])
  test(`SH11 the browser has nothing to complain about ${what}`, async ({ office, records }) => {
    const complaints = await complaintsOf(office, missing);
    for (const { name, open } of places)
      await test.step(name, async () => {
        await open(office, records);
        await waitUntilStill(office);
        expect(complaints, name).toEqual([]);
      });
  });

test("SH11 the browser has nothing to complain about before signing in", async ({
  page,
  visitors,
}) => {
  const complaints = await complaintsOf(page, missing);
  for (const { name, open } of doorsteps)
    await test.step(name, async () => {
      await open(page, visitors);
      await waitUntilStill(page);
      expect(complaints, name).toEqual([]);
    });
});

/** How far the page, or its main part, can be scrolled sideways. */
const sidewaysPx = (page: Page) =>
  page.evaluate(() => {
    const scrollers = [document.scrollingElement, document.body, document.getElementById("main")];
    return Math.max(...scrollers.map((one) => (one ? one.scrollWidth - one.clientWidth : 0)));
  });

test.describe("at 375 pixels", () => {
  test.use({ viewport: { width: 375, height: 720 } });

  test("SH9 no room of the office scrolls sideways on a phone", async ({ office, records }) => {
    for (const { name, open } of rooms)
      await test.step(name, async () => {
        await open(office, records);
        expect(await sidewaysPx(office), name).toBe(0);
      });
  });

  test("SH9 nothing before signing in scrolls sideways on a phone", async ({ page, visitors }) => {
    for (const { name, open } of doorsteps)
      await test.step(name, async () => {
        await open(page, visitors);
        expect(await sidewaysPx(page), name).toBe(0);
      });
  });

  test("SH9 the menu opens by its button, and a link in it leads there and closes it", async ({
    office,
    records,
  }) => {
    await office.goto("/");
    const button = office.getByRole("button", { name: "Menu" });
    const drawer = office.getByRole("dialog", { name: "Menu" });
    await expect(button).toHaveAttribute("aria-expanded", "false");
    await button.click();
    await expect(drawer).toBeVisible();
    await expectNoProblems(office);
    expect(await sidewaysPx(office)).toBe(0);

    await office.keyboard.press("Escape");
    await expect(drawer).toBeHidden();
    await expect(button).toBeFocused();

    await button.click();
    await drawer.getByRole("link", { name: "Apps" }).click();
    await expect(office.getByRole("heading", { level: 1, name: "Apps" })).toBeVisible();
    await expect(office).toHaveURL("/apps");
    await expect(drawer).toBeHidden();
    await showList(office, records);
  });
});
