import { expect, test } from "vitest";
import { heightOf, partsInView, partsOf } from "./entitlementRows.ts";
import type { Explained } from "./queries.ts";

const features = (app: string, count: number) =>
  Array.from({ length: count }, () => ({ app: { id: app } }) as Explained);

test("features are divided into parts of one app each", () => {
  const parts = partsOf([...features("a", 45), ...features("b", 3)]);
  expect(
    parts.map(({ app, isFirst, items, from }) => [app.id, isFirst, items.length, from]),
  ).toEqual([
    ["a", true, 20, 0],
    ["a", false, 20, 20],
    ["a", false, 5, 40],
    ["b", true, 3, 45],
  ]);
});

test("only parts near the window are rendered, wherever it is", () => {
  const heights = partsOf(features("a", 2000)).map((part) => heightOf(part, undefined));
  expect(heights).toHaveLength(100);
  const rendered = (top: number) => {
    const { first, last } = partsInView(heights, { top, height: 900 });
    return last - first + 1;
  };
  for (const top of [-500, 0, 10_000, 42_000, 83_000])
    expect(rendered(top), `at ${top}`).toBeLessThanOrEqual(5);
  expect(partsInView(heights, { top: -5000, height: 900 })).toEqual({ first: 0, last: 0 });
  expect(partsInView(heights, { top: 99_000, height: 900 })).toEqual({ first: 99, last: 99 });
});

test("measured heights replace estimates", () => {
  const [part] = partsOf(features("a", 20));
  expect(part && heightOf(part, undefined)).toBe(885);
  expect(part && heightOf(part, 1200)).toBe(1200);
});
