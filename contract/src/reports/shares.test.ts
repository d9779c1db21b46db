import { expect, test } from "vitest";
import { shares } from "./shares.ts";

test.each([
  [
    [1, 1, 1],
    [0.334, 0.333, 0.333],
  ],
  [
    [398, 340, 233, 20, 9],
    [0.398, 0.34, 0.233, 0.02, 0.009],
  ],
  [
    [2, -1],
    [2, -1],
  ],
  [
    [0, 0],
    [0, 0],
  ],
  [[], []],
])("the shares of %j are %j", (values, expected) => {
  expect(shares(values)).toEqual(expected);
});
