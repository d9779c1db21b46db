import { expect, test } from "vitest";
import { decideBulk, refusalOfAction } from "./lifecycle.ts";

test.each([
  ["draft", "activate"],
  ["active", "archive"],
  ["archived", "restore"],
] as const)("allows a %s record to %s", (status, action) => {
  expect(refusalOfAction("app", status, action)).toBeNull();
});

test.each([
  ["app", "draft", "archive", "Only an active app can be archived. This one is draft."],
  ["app", "draft", "restore", "Only an archived app can be restored. This one is draft."],
  ["app", "active", "activate", "Only a draft can be activated. This one is active."],
  ["feature", "active", "restore", "Only an archived feature can be restored. This one is active."],
  ["feature", "archived", "activate", "Only a draft can be activated. This one is archived."],
  [
    "feature",
    "archived",
    "archive",
    "Only an active feature can be archived. This one is archived.",
  ],
] as const)("refuses an action in the wrong status: %s, %s, %s", (one, status, action, detail) => {
  expect(refusalOfAction(one, status, action)).toEqual({ code: "wrong_state", detail });
});

const id = "01a1dd06-0000-7000-8000-00000000000a";

test.each([
  [{ status: "draft", version: 3 }, 3, undefined],
  [{ status: "draft", version: 3 }, 2, "stale_version"],
  [{ status: "active", version: 3 }, 2, "stale_version"],
  [{ status: "active", version: 3 }, 3, "wrong_state"],
  [undefined, 1, "not_found"],
] as const)("decides on %j, seen at version %i, with %s", (record, version, code) => {
  const stored = record ? [{ id, name: "Harbor", ...record }] : [];
  const { allowed, refused } = decideBulk("app", "activate", {
    targets: [{ id, version }],
    stored,
  });
  expect(refused.map((one) => one.code)).toEqual(code ? [code] : []);
  expect(allowed).toEqual(code ? [] : [id]);
});

test("finds a record whose id is written in capitals", () => {
  const stored = [{ id, name: "Harbor", status: "draft", version: 1 } as const];
  const targets = [{ id: id.toUpperCase(), version: 1 }];
  expect(decideBulk("app", "activate", { targets, stored })).toEqual({
    allowed: [id],
    refused: [],
  });
});
