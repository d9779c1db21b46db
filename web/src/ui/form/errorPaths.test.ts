import { expect, test } from "vitest";
import { errorsShownAt, inOrder } from "./errorPaths.ts";

test("shows an error at the part if it has its own input, otherwise at the field", () => {
  const errors = { "options.1.name": "must not be empty", "platforms.0": "is unknown", name: "is" };
  expect(errorsShownAt(errors, ["options"])).toEqual({
    "options.1.name": "must not be empty",
    platforms: "is unknown",
    name: "is",
  });
});

test("shows the first of several errors of a field", () => {
  expect(errorsShownAt({ "unit.one": "first", "unit.many": "second" }, [])).toEqual({
    unit: "first",
  });
});

test("sorts errors by field order and drops those of unknown fields", () => {
  const errors = { "options.0.code": "b", reason: "c", name: "a", "options.0.name": "b", code: "" };
  expect(inOrder(["name", "code", "options"], errors)).toEqual([
    "name",
    "options.0.code",
    "options.0.name",
  ]);
});
