import { expect } from "@playwright/test";
import { test } from "../../fixtures/test.ts";
import {
  advanceClockUntil,
  expectIconsDrawn,
  iconBoxes,
  insertIcons,
  leaveAndReturn,
  pauseClock,
  publicIconService,
  respondWithIcons,
  showIcons,
  watchIcons,
} from "../../pages/icons.ts";
import { listUrl } from "../../pages/lists.ts";
import { dot, placesOf } from "./icons.ts";

// @nightly: The gate covers each rule for icons once; this is a variant of it.

test("S7.9 The icons of a screen are requested once, together and sorted, without a layout shift", async ({
  ownerPage: page,
  product,
}) => {
  const word = await insertIcons(product, ["sailboat", "tabler:anchor", "2fa", "anchor", "home"]);
  const { asked } = watchIcons(page);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await page.route("**/icons/**", async (route) => {
    await released;
    await route.continue();
  });
  await pauseClock(page);
  await page.goto(listUrl({ q: word, sort: "name" }));
  await advanceClockUntil(page, () => asked.length > 0);
  const address = `${product.origin}/icons/tabler.json?icons=2fa,anchor,sailboat`;
  expect(asked).toEqual([address]);
  // The last one is bundled.
  await expectIconsDrawn(page, [false, false, false, false, true]);
  const before = await placesOf(page);
  release();
  await expectIconsDrawn(page, [true, true, true, true, true]);
  expect(await placesOf(page)).toEqual(before);
  expect(await iconBoxes(page).first().getAttribute("aria-hidden")).toBe("true");

  await page.clock.resume();
  await leaveAndReturn(page);
  await expectIconsDrawn(page, [true, true, true, true, true]);
  expect(asked).toEqual([address]);
});

test("S7.9 Two collections are two requests, each drawn in its own size @nightly", async ({
  ownerPage: page,
  product,
}) => {
  const word = await insertIcons(product, ["lucide:anchor", "anchor", "lucide:ship-old"]);
  const { asked } = watchIcons(page);
  await page.route("**/icons/lucide.json?**", (route) =>
    route.fulfill({
      json: {
        prefix: "lucide",
        icons: { anchor: { body: dot }, ship: { body: dot, left: -1, width: 30 } },
        aliases: { "ship-old": { parent: "ship" } },
        width: 32,
        height: 32,
      },
    }),
  );
  await showIcons(page, word);
  await expectIconsDrawn(page, [true, true, true]);
  expect(asked.toSorted()).toEqual([
    `${product.origin}/icons/lucide.json?icons=anchor,ship-old`,
    `${product.origin}/icons/tabler.json?icons=anchor`,
  ]);
  const parts = iconBoxes(page).evaluateAll((boxes) =>
    boxes.map((box) => box.getAttribute("viewBox")),
  );
  expect(await parts).toEqual(["0 0 32 32", "0 0 24 24", "-1 0 30 32"]);
});

test("S7.9 A missing icon is an empty box and isn't requested again, and an invalid name is never requested @nightly", async ({
  ownerPage: page,
  product,
}) => {
  const icons = ["no-such-icon", "constructor", "Not an icon", "a,b", "nowhere:anchor", "anchor"];
  const word = await insertIcons(product, icons);
  const { asked } = watchIcons(page);
  await showIcons(page, word);
  const drawn = [false, false, false, false, false, true];
  await expectIconsDrawn(page, drawn);
  const addresses = [
    `${product.origin}/icons/nowhere.json?icons=anchor`,
    `${product.origin}/icons/tabler.json?icons=anchor,constructor,no-such-icon`,
  ];
  expect(asked.toSorted()).toEqual(addresses);
  await leaveAndReturn(page);
  await expectIconsDrawn(page, drawn);
  expect(asked.toSorted()).toEqual(addresses);
});

test("S9.5 One hundred icons are requested with URLs of at most 500 characters @nightly", async ({
  ownerPage: page,
  product,
}) => {
  const icons = Array.from({ length: 100 }, (_, n) => `ship-number-${String(n).padStart(4, "0")}`);
  const word = await insertIcons(product, icons);
  const { asked } = watchIcons(page);
  await page.route(
    "**/icons/**",
    respondWithIcons(Object.fromEntries(icons.map((name) => [name, dot]))),
  );
  // The page waits 1.5 s for icons, which a busy machine can exceed.
  await pauseClock(page);
  await page.goto(listUrl({ q: word, sort: "name", size: "100" }));
  await advanceClockUntil(page, () => asked.length > 3);
  await expectIconsDrawn(
    page,
    icons.map(() => true),
  );
  expect(asked.filter((address) => address.length > 500)).toEqual([]);
  expect(asked.flatMap((address) => address.split("?icons=")[1]?.split(","))).toEqual(icons);
});

/** Icon bodies that a service may send, and what the page may render of each. */
const hostile: Record<string, [sent: string, kept: string]> = {
  handler: ['<g onload="hit()"><path d="M0 0"/></g>', '<g><path d="M0 0"></path></g>'],
  script: ['<script>hit()</script><path d="M1 1"/>', '<path d="M1 1"></path>'],
  foreign: [
    '<foreignObject><img xmlns="http://www.w3.org/1999/xhtml" src="x" onerror="hit()"/></foreignObject>',
    "",
  ],
  style: ["<style>*{display:none}</style><g style='color:red' class='tile'/>", "<g></g>"],
  animation: ['<path d="M2 2"><set attributeName="d" to="M3 3"/></path>', '<path d="M2 2"></path>'],
  address: ['<a href="javascript:hit()"><path d="M4 4"/></a>', ""],
  use: [
    '<use href="https://evil.example/#a"/><use xlink:href="data:,#a"/>',
    "<use></use><use></use>",
  ],
  parts: [
    '<defs><path id="root" d="M5 5"/></defs><use href="#root"/><g mask="url(#root)"/>',
    '<defs><path id="icon-tabler-parts-root" d="M5 5"></path></defs>' +
      '<use href="#icon-tabler-parts-root"></use><g mask="url(#icon-tabler-parts-root)"></g>',
  ],
  fill: [
    '<g fill="url(https://evil.example)" stroke="u\\72l(//evil.example)" transform="rotate(9)"/>',
    '<g transform="rotate(9)"></g>',
  ],
  text: ["<g>&lt;img src=x onerror=hit()&gt;<![CDATA[<script>hit()</script>]]></g>", "<g></g>"],
  quote: ['<path d="&quot; onload=&quot;hit"/>', '<path d="&quot; onload=&quot;hit"></path>'],
  breakout: ["</svg><img src=x onerror=hit()><svg>", ""],
  entity: ['<!DOCTYPE svg [<!ENTITY e "x">]><path d="&e;"/>', ""],
};

test("S7.10 With the public provider only that service is requested, and malicious icons have no effect @nightly", async ({
  startWorkspace,
}) => {
  const { page, product } = await startWorkspace({ ICON_PROVIDER: "iconify" });
  const names = Object.keys(hostile);
  const word = await insertIcons(product, names);
  const { asked } = watchIcons(page);
  const bodies = Object.entries(hostile).map(([name, [sent]]) => [name, sent] as const);
  await page.route(`${publicIconService}/**`, respondWithIcons(Object.fromEntries(bodies)));
  await showIcons(page, word);
  await expect
    .poll(() => iconBoxes(page).evaluateAll((boxes) => boxes.map((box) => box.innerHTML)))
    .toEqual(Object.values(hostile).map(([, kept]) => kept));
  expect(asked).toEqual([`${publicIconService}/tabler.json?icons=${names.toSorted().join(",")}`]);
  await leaveAndReturn(page);
  expect(asked).toHaveLength(1);
});

test("S7.10 Without a provider nothing is requested, and bundled icons are shown @nightly", async ({
  startWorkspace,
}) => {
  const { page, product } = await startWorkspace({ ICON_PROVIDER: "none", ICON_FALLBACK: "true" });
  const word = await insertIcons(product, ["anchor", "home", "lucide:anchor"]);
  const { asked } = watchIcons(page);
  await showIcons(page, word);
  await expectIconsDrawn(page, [false, true, false]);
  await leaveAndReturn(page);
  await expectIconsDrawn(page, [false, true, false]);
  expect(asked).toEqual([]);
});
