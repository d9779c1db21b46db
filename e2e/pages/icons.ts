import { expect, type Page, type Request, type Route } from "@playwright/test";
import { uniqueCode } from "../data/api.ts";
import type { Product } from "../environment/product.ts";
import { expectListLoaded, listRegion, openList, uniqueWord } from "./lists.ts";

export const publicIconService = "https://api.iconify.design";

/** Inserts apps with these icons by SQL, including names that the form rejects, and returns the word in their names. */
export const insertIcons = async ({ database, origin }: Product, icons: string[]) => {
  // The server reads its collection on the first request, which could time out on a busy machine.
  await fetch(`${origin}/icons/tabler.json?icons=anchor`);
  const word = uniqueWord();
  await database.query(
    `insert into apps (code, name, icon)
     select $1 || '-' || n, $2 || ' ' || to_char(n, 'FM0000'), icon
     from unnest($3::text[]) with ordinality as given (icon, n)`,
    [uniqueCode("icon"), word, icons],
  );
  return word;
};

/** In the order of the icons that the apps were inserted with. */
export const showIcons = (page: Page, word: string, size = 25) =>
  openList(page, { q: word, sort: "name", ...(size !== 25 && { size: String(size) }) });

/** The boxes in the list's rows. */
export const iconBoxes = (page: Page) => listRegion(page).locator(".tile > svg");

export const expectIconsDrawn = (page: Page, isDrawn: boolean[]) =>
  expect
    .poll(() =>
      iconBoxes(page).evaluateAll((boxes) => boxes.map((box) => box.childElementCount > 0)),
    )
    .toEqual(isDrawn);

/** The URLs at which the page requests icons, and those that failed. */
export const watchIcons = (page: Page) => {
  const asked: string[] = [];
  const failed: string[] = [];
  const noteIn = (addresses: string[]) => (request: Request) => {
    if (request.url().includes(".json?icons=")) addresses.push(request.url());
  };
  page.on("request", noteIn(asked));
  page.on("requestfailed", noteIn(failed));
  return { asked, failed };
};

/** An icon service that has these icons and no others. */
export const respondWithIcons = (bodies: Record<string, string>) => (route: Route) => {
  const names = new URL(route.request().url()).searchParams.get("icons")?.split(",") ?? [];
  const found = names.filter((name) => Object.hasOwn(bodies, name));
  return route.fulfill({
    headers: { "access-control-allow-origin": "*" },
    json: {
      prefix: "tabler",
      icons: Object.fromEntries(found.map((name) => [name, { body: bodies[name] }])),
      width: 24,
      height: 24,
      not_found: names.filter((name) => !found.includes(name)),
    },
  });
};

/** An icon service that accepts the request and never responds. */
export const neverRespond = () => undefined;

/** Goes to another page and returns to the list. */
export const leaveAndReturn = async (page: Page) => {
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Home" }).click();
  // The URL changes first, and the focus moves when the other page is ready.
  await expect(page.getByRole("heading", { level: 1, name: "Home" })).toBeFocused();
  await page.goBack();
  await expectListLoaded(page);
};

/** From here on the page's clock advances only on demand. */
export const pauseClock = async (page: Page) => {
  const now = Date.now();
  await page.clock.install({ time: now });
  await page.clock.pauseAt(now + 1000);
};

/** Advances the page's clock as little as needed and returns by how much. */
export const advanceClockUntil = async (page: Page, holds: () => boolean) => {
  let passedMs = 0;
  await expect
    .poll(
      async () => {
        passedMs += 1;
        await page.clock.runFor(1);
        return holds();
      },
      { intervals: [50] },
    )
    .toBe(true);
  return passedMs;
};
