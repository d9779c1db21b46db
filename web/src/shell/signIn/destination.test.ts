import { expect, test } from "vitest";
import { destinationOf } from "./destination.ts";

test.each(["/apps", "/apps?f=status:any:draft&page=3", "/apps/view/1?tab=activity#5"])(
  "opens %s after signing in",
  (wanted) => {
    expect(destinationOf(wanted)).toBe(wanted);
  },
);

test.each([
  undefined,
  "",
  "apps",
  "//evil.example",
  "\\/evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  "/nope",
  "/promotion/view/1",
  "/\\evil.example",
  "https://evil.example",
  "javascript:alert(1)",
  "/login?redirect=/login",
])("LG3 2.4 opens the home page instead of %j", (wanted) => {
  expect(destinationOf(wanted)).toBe("/");
});
