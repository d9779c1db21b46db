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
  const { steps, obstacles, notes } = diffCatalog(stored, file, archiveMissing);
  return {
    steps: steps.map(({ shown }) => `${shown.action} ${shown.what} ${shown.code}`),
    obstacles: obstacles.map(({ code, message, path }) => `${code} ${path?.join("/")} ${message}`),
    notes,
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
  expect(differences(stored, file)).toMatchObject({ steps, obstacles: [] });
});

test("refuses to archive a draft, and to make an archived app a draft", () => {
  const bare = { code: "harbor", name: "Harbor" };
  const archived = fileOf([{ ...bare, status: "archived" }]);
  expect(differences(storedWith([bare]), archived).obstacles).toEqual([
    "harbor apps/0/status Only an active app can be archived. This one is a draft here: delete it, or leave it out.",
  ]);
  expect(differences(storedCatalogWith(archived), fileOf([bare])).obstacles).toEqual([
    'harbor apps/0/status This app is archived here. Write "status: active" to restore it, or "status: archived".',
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
    obstacles: [],
    notes: [
      "atlas: archived in the file and unknown here, so this app is not made.",
      "harbor/seats: archived in the file and unknown here, so this feature is not made.",
      "old: archived in the file and unknown here, so this package is not made.",
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
  expect(differences(stored, file)).toEqual({ steps: [], obstacles: [], notes: [] });
  expect(differences(stored, file, true)).toEqual({
    steps: ["archive app atlas", "archive feature harbor/seats", "archive package studio"],
    obstacles: [],
    notes: [
      "1 app that the file does not have stays: it is a draft, and only what was active can be archived.",
      "1 feature that the file does not have stays: it is a draft, and only what was active can be archived.",
    ],
  });
});

test("refuses to archive a package with a scheduled version", () => {
  const stored = storedWith([], [{ code: "studio", name: "Studio" }]);
  const packages = stored.packages.map((one) => ({ ...one, scheduled: { number: 4 } }));
  expect(differences({ ...stored, packages }, fileOf([]), true).obstacles).toEqual([
    "studio undefined Version 4 is scheduled. Take it off the schedule first.",
  ]);
});

test("refuses changes to the frozen fields of a feature, each at its path", () => {
  const stored = storedWith([harbor], [studio]);
  const features = stored.features.map((one) => ({ ...one, frozen: true, packages: 1 }));
  const metered = { ...seats, kind: "metered", reset: "month", combining: "sum" };
  const file = fileOf([{ ...harbor, features: [metered] }], [studio]);
  expect(differences({ ...stored, features }, file).obstacles).toEqual(
    ["kind", "reset", "combining"].map(
      (field) =>
        `harbor/seats apps/0/features/0/${field} A published package has this feature, so its ${field} stays. Create another feature instead.`,
    ),
  );
});

const contents = [
  ["an unknown app", { atlas: {} }, "packages/0/apps/atlas There is no such app."],
  [
    "an unknown feature",
    { harbor: { sets: 1 } },
    "packages/0/apps/harbor/sets There is no such feature.",
  ],
  [
    "a value of another kind",
    { harbor: { seats: true } },
    "packages/0/apps/harbor/seats Seats in Harbor must be a whole number from 0, or unlimited.",
  ],
] as const;

test.each(contents)("refuses a package with %s", (_name, apps, message) => {
  const file = fileOf([harbor], [{ ...studio, apps }]);
  expect(differences(empty, file).obstacles).toEqual([`studio ${message}`]);
});

test("refuses to add archived records to a package, but keeps those it has", () => {
  const archived = { ...harbor, features: [{ ...seats, status: "archived" }] };
  const file = fileOf([archived], [studio]);
  expect(differences(storedWith([archived], [studio]), file).obstacles).toEqual([]);
  expect(differences(storedWith([archived]), file).obstacles).toEqual([
    "studio packages/0/apps/harbor/seats Seats is archived. Restore it to give it to people.",
  ]);
  const gone = fileOf([{ ...harbor, status: "archived" }], [studio]);
  expect(differences(empty, gone).obstacles).toEqual([
    "studio packages/0/apps/harbor Harbor is archived. Restore it to sell it.",
    "studio packages/0/apps/harbor/seats Seats is archived. Restore it to give it to people.",
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
      note: "Starts the draft of version 2 from version 1, which is on sale.",
    },
  ]);
  expect(countsInLabels(counts)).toBe("1 change");
});

test("describes the counts in words and leaves out zeros", () => {
  const counts = { create: 3, change: 2, activate: 0, restore: 0, archive: 1 };
  expect(countsInLabels(counts)).toBe("3 create, 2 change, 1 archive");
});
