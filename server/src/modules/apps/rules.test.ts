import { expect, test } from "vitest";
import { refusalToChange, refusalToDelete } from "./rules.ts";

const stored = { code: "harbor", status: "draft", codeFrozen: false } as const;

test("allows a new code until it is in use, and no change once archived", () => {
  expect(refusalToChange("app", stored, { code: "port" })).toBeNull();
  expect(refusalToChange("app", { ...stored, codeFrozen: true }, { code: "harbor" })).toBeNull();
  expect(refusalToChange("app", { ...stored, codeFrozen: true }, { code: "port" })?.code).toBe(
    "code_frozen",
  );
  expect(refusalToChange("app", { ...stored, status: "archived" }, { code: "harbor" })?.code).toBe(
    "wrong_state",
  );
});

test("deletes only an unused draft", () => {
  expect(refusalToDelete(stored, 0)).toBeNull();
  expect(refusalToDelete({ ...stored, codeFrozen: true }, 0)?.code).toBe("in_use");
  expect(refusalToDelete({ ...stored, status: "active", codeFrozen: true }, 0)?.code).toBe(
    "wrong_state",
  );
});

test.each([
  [1, "This app has 1 feature. Delete it first, or activate and archive the app."],
  [3, "This app has 3 features. Delete them first, or activate and archive the app."],
])("refuses to delete a draft with %i features", (features, text) => {
  expect(refusalToDelete(stored, features)).toEqual({
    code: "in_use",
    detail: { code: "app_has_features", text, parameters: { features } },
  });
});
