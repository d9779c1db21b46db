import { expect, type Route } from "@playwright/test";
import { test } from "../../fixtures/test.ts";
import {
  advanceClockUntil,
  expectIconsDrawn,
  insertIcons,
  leaveAndReturn,
  neverRespond,
  pauseClock,
  publicIconService,
  respondWithIcons,
  showIcons,
  watchIcons,
} from "../../pages/icons.ts";
import { listUrl, rowNames } from "../../pages/lists.ts";
import { dot, placesOf } from "./icons.ts";

// @nightly: The gate covers each rule for icons once; this is a variant of it.

test("S9.4 An unresponsive server times out after 1500 ms and is requested again only on the next page", async ({
  ownerPage: page,
  product,
}) => {
  const word = await insertIcons(product, ["anchor"]);
  const { asked, failed } = watchIcons(page);
  const local = `${product.origin}/icons/tabler.json?icons=anchor`;
  await page.route("**/icons/**", neverRespond);
  await pauseClock(page);
  await page.goto(listUrl({ q: word }));
  const passedMs = await advanceClockUntil(page, () => asked.length > 0);
  await page.clock.runFor(1499 - passedMs);
  expect(failed).toEqual([]);
  await page.clock.runFor(1 + passedMs);
  await expect.poll(() => failed).toEqual([local]);
  await page.clock.runFor(60_000);
  expect(asked).toEqual([local]);
  await expectIconsDrawn(page, [false]);

  await page.unroute("**/icons/**");
  await page.clock.resume();
  await leaveAndReturn(page);
  await expectIconsDrawn(page, [true]);
  expect(asked).toEqual([local, local]);
});

test("S9.4 After any failure the next page retries @nightly", async ({
  ownerPage: page,
  product,
}) => {
  const failures: Record<string, Parameters<Route["fulfill"]>[0]> = {
    refused: { status: 500, json: { icons: { anchor: { body: dot } } } },
    garbled: { status: 200, body: "<!doctype html>" },
    empty: { status: 200, body: "null" },
    strange: { status: 200, json: { icons: null } },
  };
  const word = await insertIcons(
    product,
    [...Object.keys(failures), "unreachable"].map((collection) => `${collection}:anchor`),
  );
  const { asked } = watchIcons(page);
  await page.route("**/icons/**", (route) => {
    const [, collection = ""] = /icons\/(\w+)/.exec(route.request().url()) ?? [];
    return collection in failures ? route.fulfill(failures[collection]) : route.abort();
  });
  await showIcons(page, word);
  await expect.poll(() => asked).toHaveLength(5);
  await expectIconsDrawn(page, [false, false, false, false, false]);
  await page.unroute("**/icons/**");
  await page.route("**/icons/**", respondWithIcons({ anchor: dot }));
  await leaveAndReturn(page);
  await expectIconsDrawn(page, [true, true, true, true, true]);
  expect(asked).toHaveLength(10);
});

test("S9.4 With the fallback the public service is requested after 1500 ms and for missing icons @nightly", async ({
  startWorkspace,
}) => {
  const { page, product } = await startWorkspace({ ICON_FALLBACK: "true" });
  const { asked, failed } = watchIcons(page);
  const local = `${product.origin}/icons/tabler.json?icons=`;
  const open = `${publicIconService}/tabler.json?icons=`;
  await page.route(`${publicIconService}/**`, respondWithIcons({ anchor: dot, "ghost-ship": dot }));

  const lacking = await insertIcons(product, ["ghost-ship", "sailboat", "no-such-icon"]);
  await showIcons(page, lacking);
  await expectIconsDrawn(page, [true, true, false]);
  const first = [`${local}ghost-ship,no-such-icon,sailboat`, `${open}ghost-ship,no-such-icon`];
  expect(asked).toEqual(first);

  const silent = await insertIcons(product, ["anchor"]);
  await page.route("**/icons/**", neverRespond);
  await pauseClock(page);
  await page.goto(listUrl({ q: silent }));
  const passedMs = await advanceClockUntil(page, () => asked.length > 2);
  await page.clock.runFor(1499 - passedMs);
  expect(asked).toEqual([...first, `${local}anchor`]);
  expect(failed).toEqual([]);
  await page.clock.runFor(1 + passedMs);
  await expectIconsDrawn(page, [true]);
  expect(failed).toEqual([`${local}anchor`]);
  expect(asked).toEqual([...first, `${local}anchor`, `${open}anchor`]);
});

test("S9.6 An unresponsive public service times out after 5000 ms without another request or an error", async ({
  startWorkspace,
}) => {
  const { page, product } = await startWorkspace({
    ICON_PROVIDER: "iconify",
    ICON_FALLBACK: "true",
  });
  const word = await insertIcons(product, ["anchor"]);
  const { asked, failed } = watchIcons(page);
  const address = `${publicIconService}/tabler.json?icons=anchor`;
  const hosts = new Set<string>();
  page.on("request", (request) => hosts.add(new URL(request.url()).origin));
  await page.route(`${publicIconService}/**`, neverRespond);
  await pauseClock(page);
  await page.goto(listUrl({ q: word }));
  const passedMs = await advanceClockUntil(page, () => asked.length > 0);
  const before = await placesOf(page);
  await page.clock.runFor(4999 - passedMs);
  expect(failed).toEqual([]);
  await page.clock.runFor(1 + passedMs);
  await expect.poll(() => failed).toEqual([address]);
  await page.clock.runFor(60_000);
  expect(asked).toEqual([address]);
  expect([...hosts]).toEqual([product.origin, publicIconService]);
  expect(await placesOf(page)).toEqual(before);
  await expectIconsDrawn(page, [false]);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Apps");
  await expect(rowNames(page)).toHaveCount(1);
});
