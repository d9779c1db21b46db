import { expect, test } from "vitest";
import {
  refusalOfKey,
  refusalToAct,
  refusalToChange,
  refusalToDelete,
  statusAfter,
} from "./rules.ts";

test.each([
  ["draft", "activate", "active"],
  ["active", "archive", "archived"],
  ["archived", "restore", "active"],
] as const)("a %s app can %s and is then %s", (status, act, next) => {
  expect(statusAfter(status, act)).toBe(next);
});

test.each([
  ["draft", "archive"],
  ["draft", "restore"],
  ["active", "activate"],
  ["active", "restore"],
  ["archived", "activate"],
  ["archived", "archive"],
] as const)("a %s app cannot %s", (status, act) => {
  expect(statusAfter(status, act)).toMatchObject({ code: "wrong_state" });
});

test("the refusal says which state is needed and which there is", () => {
  expect(statusAfter("draft", "archive")).toMatchObject({
    detail: "Only an active app can be archived. This one is draft.",
  });
});

test.each([
  [{ status: "draft", version: 3 }, 3, undefined],
  [{ status: "draft", version: 3 }, 2, "stale_version"],
  [{ status: "active", version: 3 }, 2, "stale_version"],
  [{ status: "active", version: 3 }, 3, "wrong_state"],
  [undefined, 1, "not_found"],
] as const)("activating %j, seen at version %i, is refused as %s", (seen, version, code) => {
  expect(refusalToAct(seen, "activate", version)?.code).toBe(code);
});

const stored = { code: "harbor", status: "draft", codeFrozen: false } as const;

test("a code changes freely until it is used, everything else always, nothing once archived", () => {
  expect(refusalToChange(stored, { code: "port" })).toBeNull();
  expect(refusalToChange({ ...stored, codeFrozen: true }, { code: "harbor" })).toBeNull();
  expect(refusalToChange({ ...stored, codeFrozen: true }, { code: "port" })?.code).toBe(
    "code_frozen",
  );
  expect(refusalToChange({ ...stored, status: "archived" }, { code: "harbor" })?.code).toBe(
    "wrong_state",
  );
});

test("only a draft that nothing refers to is deleted", () => {
  expect(refusalToDelete(stored, 0)).toBeNull();
  expect(refusalToDelete({ ...stored, codeFrozen: true }, 0)?.code).toBe("in_use");
  expect(refusalToDelete({ ...stored, status: "active", codeFrozen: true }, 0)?.code).toBe(
    "wrong_state",
  );
});

test.each([
  [1, "It has 1 feature. Delete it first, or activate and archive the app."],
  [3, "It has 3 features. Delete them first, or activate and archive the app."],
])("a draft with %i features stays, and says what to do with them", (features, detail) => {
  expect(refusalToDelete(stored, features)).toEqual({ code: "in_use", detail });
});

test("an archived app takes no key", () => {
  expect(refusalOfKey({ status: "draft" })).toBeNull();
  expect(refusalOfKey({ status: "active" })).toBeNull();
  expect(refusalOfKey({ status: "archived" })?.code).toBe("wrong_state");
});
