import { expect, test } from "vitest";
import { refusalToChange, refusalToCreate, refusalToDelete } from "./rules.ts";

test("refuses a feature in an archived app, at the app's field", () => {
  expect(refusalToCreate({ status: "draft" })).toBeNull();
  expect(refusalToCreate({ status: "active" })).toBeNull();
  expect(refusalToCreate({ status: "archived" })).toMatchObject({
    code: "wrong_state",
    detail: { code: "app_archived_features" },
    errors: [{ pointer: "/appId", code: "app_archived_features" }],
  });
});

const seats = {
  code: "seats",
  kind: "limit",
  unit: { one: "seat", many: "seats" },
  reset: null,
  anchor: "calendar",
  combining: "largest",
  options: [],
} as const;
const stored = {
  ...seats,
  status: "active",
  frozen: false,
  usedOptions: [],
  packages: 0,
} as const;
const changes = {
  code: { code: "places" },
  kind: { kind: "switch", unit: null },
  unit: { unit: { one: "seat", many: "places" } },
  "unit away": { unit: null },
  reset: { kind: "metered", reset: "month", combining: "sum" },
  anchor: { anchor: "subscription" },
  combining: { combining: "sum" },
} as const;
const pointersOf = (refusal: ReturnType<typeof refusalToChange>) =>
  refusal?.errors?.map(({ pointer }) => pointer);

test.each([
  ["code", ["/code"]],
  ["kind", ["/kind", "/unit"]],
  ["unit", ["/unit"]],
  ["unit away", ["/unit"]],
  ["reset", ["/kind", "/reset", "/combining"]],
  ["anchor", ["/anchor"]],
  ["combining", ["/combining"]],
] as const)("freezes the %s once a published package has the feature: %j", (what, pointers) => {
  const next = { ...seats, ...changes[what] };
  expect(refusalToChange(stored, next)).toBeNull();
  const refusal = refusalToChange({ ...stored, frozen: true, packages: 1 }, next);
  expect(refusal?.code).toBe("frozen");
  expect(pointersOf(refusal)).toEqual(pointers);
});

test("says which field is frozen, why, and what to do instead", () => {
  const frozen = { ...stored, frozen: true };
  const text =
    "The code can't be changed because a published package includes this feature. Create a new feature instead.";
  expect(refusalToChange(frozen, { ...seats, code: "places" })).toEqual({
    code: "frozen",
    detail: { code: "feature_code_frozen", text },
    errors: [{ in: "body", pointer: "/code", code: "feature_code_frozen", message: text }],
  });
});

test("allows other changes while a package with the feature is on sale", () => {
  const frozen = { ...stored, frozen: true, packages: 2 };
  expect(refusalToChange(frozen, { ...seats, unit: { ...seats.unit } })).toBeNull();
});

test("refuses to change an archived feature", () => {
  expect(refusalToChange({ ...stored, status: "archived" }, seats)).toMatchObject({
    code: "wrong_state",
    detail: { code: "feature_archived" },
  });
});

test.each([
  ["switch", 0, undefined],
  [
    "switch",
    1,
    "The draft of 1 package includes this feature. Remove it from there before you change its type.",
  ],
  [
    "switch",
    2,
    "The drafts of 2 packages include this feature. Remove it from there before you change its type.",
  ],
  // Both kinds are counted, so the values in drafts stay valid.
  ["metered", 2, undefined],
] as const)("a limit becomes a %s while %i drafts have it: %s", (kind, packages, detail) => {
  const refusal = refusalToChange({ ...stored, packages }, { ...seats, kind });
  expect(refusal?.detail.text).toBe(detail);
  expect(pointersOf(refusal)).toEqual(detail && ["/kind"]);
});

const options = (...codes: string[]) => codes.map((code) => ({ code, name: code.toUpperCase() }));
const plan = { ...seats, kind: "choice", unit: null, options: options("s1", "s2", "s3") } as const;
const missing =
  "Packages use S3, so this option can't be removed. You can rename options and add others.";
const order = "Packages use S1 and S3. Keep them in this order, from lowest to highest.";

test.each([
  ["removes an unused option", ["s1", "s3"], undefined],
  ["options are added anywhere", ["s0", "s1", "s2", "new", "s3", "s4"], undefined],
  ["moves an unused option", ["s2", "s1", "s3"], undefined],
  ["a given one goes", ["s1", "s2"], missing],
  ["two given ones change places", ["s3", "s2", "s1"], order],
] as const)("%s, to %j: %s", (_what, codes, detail) => {
  const choice = { ...stored, ...plan, frozen: true, usedOptions: ["s3", "s1"], packages: 1 };
  const refusal = refusalToChange(choice, { ...plan, options: options(...codes) });
  expect(refusal?.detail.text).toBe(detail);
  expect(pointersOf(refusal)).toEqual(detail && ["/options"]);
});

test("allows renaming an option in use", () => {
  const choice = { ...stored, ...plan, frozen: true, usedOptions: ["s1", "s2", "s3"] };
  const renamed = plan.options.map(({ code }) => ({ code, name: `${code} anew` }));
  expect(refusalToChange(choice, { ...plan, options: renamed })).toBeNull();
});

test("refuses another kind for a choice in a draft, at the kind and not at its options", () => {
  const choice = { ...stored, ...plan, usedOptions: ["s1"], packages: 1 };
  expect(pointersOf(refusalToChange(choice, seats))).toEqual(["/kind"]);
});

test.each([
  [{ status: "draft", frozen: false, packages: 0 }, false, undefined],
  [{ status: "active", frozen: false, packages: 0 }, false, "feature_not_draft"],
  [{ status: "draft", frozen: true, packages: 0 }, false, "feature_published"],
  [{ status: "draft", frozen: false, packages: 1 }, false, "feature_in_drafts"],
  [{ status: "draft", frozen: false, packages: 0 }, true, "feature_granted_delete"],
] as const)("deleting %j, granted by itself %s: %s", (seen, granted, reason) => {
  expect(refusalToDelete(seen, granted)?.detail.code).toBe(reason);
});
