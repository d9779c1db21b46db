import { expect, test } from "vitest";
import { errorsShownAt, inOrder } from "./errorPaths.ts";

test("what is wrong stands at a part that has an input of its own, otherwise at its field", () => {
  const errors = { "options.1.name": "must not be empty", "platforms.0": "is unknown", name: "is" };
  expect(errorsShownAt(errors, ["options"])).toEqual({
    "options.1.name": "must not be empty",
    platforms: "is unknown",
    name: "is",
  });
});

test("of several errors at one field the first is shown", () => {
  expect(errorsShownAt({ "unit.one": "first", "unit.many": "second" }, [])).toEqual({
    unit: "first",
  });
});

test("errors are told in the order of the form, and none that it has no field for", () => {
  const errors = { "options.0.code": "b", reason: "c", name: "a", "options.0.name": "b", code: "" };
  expect(inOrder(["name", "code", "options"], errors)).toEqual([
    "name",
    "options.0.code",
    "options.0.name",
  ]);
});
