import { type Catalog, catalog } from "@purser/contract/catalog/catalog";
import { expect, test } from "vitest";
import type { StoredCatalog } from "./diff/outcomeRules.ts";
import { countsInLabels, diffCatalog } from "./rules.ts";
import { storedCatalogWith } from "./testing/storedCatalog.ts";

const seats = { code: "seats", name: "Seats", kind: "limit", defaultValue: 1 } as const;
const harbor = { code: "harbor", name: "Harbor", status: "active", features: [seats] } as const;
const studio = { code: "studio", name: "Studio", apps: { harbor: { seats: 10 } } } as const;

const fileOf = (apps: unknown[], packages: unknown[] = []) =>
  catalog.parse({ version: 1, apps, packages });
const storedWith = (apps: unknown[], packages: unknown[] = []) =>
  storedCatalogWith(fileOf(apps, packages));
const empty: StoredCatalog = { apps: [], features: [], packages: [] };

const differences = (stored: StoredCatalog, file: Catalog, archiveMissing = false) => {
  const { steps, blockingIssues, notes } = diffCatalog(stored, file, archiveMissing);
  return {
    steps: steps.map(({ shown }) => `${shown.action} ${shown.what} ${shown.code}`),
    blockingIssues: blockingIssues.map(
      ({ code, message, path }) => `${code} ${path?.join("/")} ${message.text}`,
    ),
    notes: notes.map(({ text }) => text),
  };
};

const lives = [
  [null, "draft", ["create app harbor"]],
  [null, "active", ["create app harbor"]],
  [null, "archived", []],
  ["draft", "draft", []],
  ["draft", "active", ["activate app harbor"]],
  ["active", "draft", []],
  ["active", "active", []],
  ["active", "archived", ["archive app harbor"]],
  ["archived", "active", ["restore app harbor"]],
  ["archived", "archived", []],
] as const;

test.each(lives)("an app that is %s here and %s in the file: %j", (statusHere, wanted, steps) => {
  const bare = { code: "harbor", name: "Harbor" };
  const stored = statusHere ? storedWith([{ ...bare, status: statusHere }]) : empty;
  const file = fileOf([{ ...bare, status: wanted }]);
  expect(differences(stored, file)).toMatchObject({ steps, blockingIssues: [] });
});

test("refuses to archive a draft, and to make an archived app a draft", () => {
  const bare = { code: "harbor", name: "Harbor" };
  const archived = fileOf([{ ...bare, status: "archived" }]);
  expect(differences(storedWith([bare]), archived).blockingIssues).toEqual([
    "harbor apps/0/status This app is a draft and can't be archived. Delete it, or remove it from the file.",
  ]);
  expect(differences(storedCatalogWith(archived), fileOf([bare])).blockingIssues).toEqual([
    "harbor apps/0/status This app is archived. Set its status to active to restore it, or to archived to keep it archived.",
  ]);
});

test("notes records that are archived in the file and don't exist here", () => {
  const file = fileOf(
    [
      { ...harbor, features: [{ ...seats, status: "archived" }] },
      { ...harbor, code: "atlas", status: "archived" },
    ],
    [{ code: "old", name: "Old", status: "archived" }],
  );
  expect(differences(empty, file)).toEqual({
    steps: ["create app harbor"],
    blockingIssues: [],
    notes: [
      "Archived apps that don't exist here aren't created: atlas.",
      "Archived features that don't exist here aren't created: harbor/seats.",
      "Archived packages that don't exist here aren't created: old.",
    ],
  });
});

test("archives records missing from the file only on request, and never drafts", () => {
  const stored = storedWith(
    [
      {
        ...harbor,
        features: [
          { ...seats, status: "active" },
          { ...seats, code: "storage" },
        ],
      },
      { ...harbor, code: "atlas" },
      { ...harbor, code: "quay", status: "draft" },
    ],
    [studio],
  );
  const file = fileOf([{ ...harbor, features: [] }]);
  expect(differences(stored, file)).toEqual({ steps: [], blockingIssues: [], notes: [] });
  expect(differences(stored, file, true)).toEqual({
    steps: ["archive app atlas", "archive feature harbor/seats", "archive package studio"],
    blockingIssues: [],
    notes: [
      "1 draft app isn't in the file. Drafts can't be archived, so nothing changes.",
      "1 draft feature isn't in the file. Drafts can't be archived, so nothing changes.",
    ],
  });
});

test("refuses to archive a package with a scheduled version", () => {
  const stored = storedWith([], [{ code: "studio", name: "Studio" }]);
  const packages = stored.packages.map((one) => ({ ...one, scheduled: { number: 4 } }));
  expect(differences({ ...stored, packages }, fileOf([]), true).blockingIssues).toEqual([
    "studio undefined Version 4 is scheduled. Unschedule it first.",
  ]);
});

test("refuses changes to the frozen fields of a feature, each at its path", () => {
  const stored = storedWith([harbor], [studio]);
  const features = stored.features.map((one) => ({ ...one, frozen: true, packages: 1 }));
  const metered = { ...seats, kind: "metered", reset: "month", combining: "sum" };
  const file = fileOf([{ ...harbor, features: [metered] }], [studio]);
  const { blockingIssues } = diffCatalog({ ...stored, features }, file, false);
  expect(blockingIssues).toMatchObject(
    ["kind", "reset", "combining"].map((field) => ({
      code: "harbor/seats",
      path: ["apps", 0, "features", 0, field],
      message: { code: `feature_${field}_frozen` },
    })),
  );
});

const contents = [
  ["an unknown app", { atlas: {} }, "packages/0/apps/atlas This app doesn't exist."],
  [
    "an unknown feature",
    { harbor: { sets: 1 } },
    "packages/0/apps/harbor/sets This feature doesn't exist.",
  ],
  [
    "a value of another kind",
    { harbor: { seats: true } },
    "packages/0/apps/harbor/seats Enter a whole number or “unlimited” for Seats in Harbor.",
  ],
] as const;

test.each(contents)("refuses a package with %s", (_name, apps, message) => {
  const file = fileOf([harbor], [{ ...studio, apps }]);
  expect(differences(empty, file).blockingIssues).toEqual([`studio ${message}`]);
});

test("refuses to add archived records to a package, but keeps those it has", () => {
  const archived = { ...harbor, features: [{ ...seats, status: "archived" }] };
  const file = fileOf([archived], [studio]);
  expect(differences(storedWith([archived], [studio]), file).blockingIssues).toEqual([]);
  expect(differences(storedWith([archived]), file).blockingIssues).toEqual([
    "studio packages/0/apps/harbor/seats Seats is archived. Restore it to include it in a package.",
  ]);
  const gone = fileOf([{ ...harbor, status: "archived" }], [studio]);
  expect(differences(empty, gone).blockingIssues).toEqual([
    "studio packages/0/apps/harbor Harbor is archived. Restore it to include it in a package.",
    "studio packages/0/apps/harbor/seats Seats is archived. Restore it to include it in a package.",
  ]);
});

test("lists the changes of a package and the draft they go into", () => {
  const price = { currency: "EUR", amount: 1200, interval: "month" } as const;
  const stored = storedWith([harbor], [{ ...studio, prices: [price] }]);
  const file = fileOf(
    [harbor],
    [{ ...studio, name: "Studio 2", prices: [{ ...price, amount: 1500 }], apps: { harbor: {} } }],
  );
  const { steps, counts } = diffCatalog(stored, file, false);
  expect(steps.map(({ shown }) => shown)).toEqual([
    {
      action: "change",
      what: "package",
      code: "studio",
      name: "Studio 2",
      changes: [
        { field: "name", before: "Studio", after: "Studio 2" },
        { field: "prices/EUR every 1 month", before: 1200, after: 1500 },
        { field: "apps/harbor/seats", before: 10, after: null },
      ],
      note: {
        code: "catalog_draft_created",
        text: "Creates a draft, version 2, from version 1.",
        parameters: { next: 2, number: 1 },
      },
    },
  ]);
  expect(countsInLabels(counts)).toBe("1 change");
});

test("describes the counts in words and leaves out zeros", () => {
  const counts = { create: 3, change: 2, activate: 0, restore: 0, archive: 1 };
  expect(countsInLabels(counts)).toBe("3 create, 2 change, 1 archive");
});
