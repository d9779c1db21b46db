import { icon } from "@purser/contract/fields/text";
import { searchIcons } from "@purser/contract/workspace/icons";
import { expect, test } from "vitest";
import { testProduct } from "../../testing.ts";
import { readCollection } from "./collection.ts";
import { general, searchNames } from "./search.ts";

const { app, call, signIn } = await testProduct();
const viewer = await signIn("viewer");

const search = async (q: string) => (await call(viewer, searchIcons, { query: { q } })).body;

test("sorts by closeness: same name, prefix, word, any part", () => {
  const names = ["a-bar", "bar", "bar-chart", "crowbar", "foo", "rebar-bar", "barrel"];
  expect(searchNames(names, "bar").names).toEqual([
    "bar",
    "bar-chart",
    "barrel",
    "a-bar",
    "rebar-bar",
    "crowbar",
  ]);
});

test("finds outlined icons in any case, at most 48 with the total", async () => {
  expect((await search("Chart BAR")).names[0]).toBe("chart-bar");
  const heart = await search("heart");
  expect(heart.names[0]).toBe("heart");
  expect(heart.names.join()).not.toContain("filled");
  const many = await search("a");
  expect(many.names).toHaveLength(48);
  expect(many.total).toBeGreaterThan(1000);
  expect(await search("no such thing")).toEqual({ names: [], total: 0 });
  expect(await search("constructor")).toEqual({ names: [], total: 0 });
});

test("returns general icons that exist without a search", async () => {
  const { outlines } = await readCollection();
  const first = await call(viewer, searchIcons);
  expect(first.body).toEqual({ names: [...general], total: outlines.length });
  expect(await search("  ")).toEqual(first.body);
  expect(general.filter((name) => !outlines.includes(name))).toEqual([]);
  expect(new Set(general).size).toBe(48);
});

test("returns only names that an app can use", async () => {
  const { outlines } = await readCollection();
  expect(outlines.filter((name) => !icon.safeParse(name).success)).toEqual([]);
});

test("S7.10 serves drawings to anyone for a week, and names unknown icons", async () => {
  const response = await app.inject(
    "/icons/tabler.json?icons=anchor,2fa,no-such,constructor,anchor",
  );
  expect(response.statusCode).toBe(200);
  expect(response.headers["cache-control"]).toBe("public, max-age=604800");
  expect(response.json()).toEqual({
    prefix: "tabler",
    icons: {
      anchor: { body: expect.stringContaining("<path") },
      "2fa": { body: expect.stringContaining("<path") },
    },
    width: 24,
    height: 24,
    not_found: ["no-such", "constructor"],
  });
  const head = await app.inject({ method: "HEAD", url: "/icons/tabler.json?icons=anchor" });
  expect([head.statusCode, head.body]).toEqual([200, ""]);
});

const manyNames = (count: number) => Array.from({ length: count }, (_, n) => `icon-${n}`).join();

test.each([
  ["/icons/tabler.json", 400],
  ["/icons/tabler.json?icons=", 400],
  ["/icons/tabler.json?icons=Anchor", 400],
  ["/icons/tabler.json?icons=anchor,", 400],
  ["/icons/tabler.json?icons=__proto__", 400],
  ["/icons/tabler.json?icons=a&icons=b", 400],
  [`/icons/tabler.json?icons=${manyNames(101)}`, 400],
  ["/icons/lucide.json?icons=anchor", 404],
  ["/icons/lucide.json", 404],
  ["/icons/tabler.svg?icons=anchor", 404],
  ["/icons/tabler", 404],
])("S7.10 refuses %s with %i, which is not cached", async (url, status) => {
  const response = await app.inject({ url, headers: { accept: "text/html" } });
  expect(response.statusCode).toBe(status);
  expect(response.headers["content-type"]).toContain("application/problem+json");
  expect(response.headers["cache-control"]).toBe("no-store");
});

test("S9.5 accepts as many names as fit one URL, and names the allowed method", async () => {
  const response = await app.inject(`/icons/tabler.json?icons=${manyNames(100)}`);
  expect(response.statusCode).toBe(200);
  const other = await app.inject({ method: "POST", url: "/icons/tabler.json" });
  expect([other.statusCode, other.headers.allow]).toEqual([405, "GET, HEAD"]);
});
