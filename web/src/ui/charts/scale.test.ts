import { expect, test } from "vitest";
import { everyNth, ticksOf } from "./scale.ts";

test.each([
  [
    [0, 480],
    [0, 200, 400, 600],
  ],
  [[3], [0, 1, 2, 3]],
  [
    [-40, 100],
    [-50, 0, 50, 100],
  ],
  [[0, 0], [0]],
  [[], [0]],
  [[-7], [-7.5, -5, -2.5, 0]],
])("the axis of %j has %j", (values, ticks) => {
  expect(ticksOf(values)).toEqual(ticks);
});

test("labels that would overlap are left out", () => {
  expect(everyNth(30, 600, 60)).toBe(3);
  expect(everyNth(5, 600, 60)).toBe(1);
});
