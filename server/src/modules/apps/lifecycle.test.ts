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
  ["app", "draft", "archive", "app_draft_archive"],
  ["app", "archived", "archive", "app_already_archived"],
  ["app", "draft", "restore", "app_not_archived"],
  ["app", "active", "restore", "app_not_archived"],
  ["app", "active", "activate", "app_already_active"],
  ["app", "archived", "activate", "app_archived_activate"],
  ["feature", "draft", "archive", "feature_draft_archive"],
  ["feature", "archived", "archive", "feature_already_archived"],
  ["feature", "draft", "restore", "feature_not_archived"],
  ["feature", "active", "restore", "feature_not_archived"],
  ["feature", "active", "activate", "feature_already_active"],
  ["feature", "archived", "activate", "feature_archived_activate"],
] as const)("refuses an action in the wrong status: %s, %s, %s", (one, status, action, reason) => {
  const refusal = refusalOfAction(one, status, action);
  expect([refusal?.code, refusal?.detail.code]).toEqual(["wrong_state", reason]);
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
