import { type Catalogue, catalogue } from "@purser/contract/catalog/catalog";
import fc from "fast-check";
import { expect, test } from "vitest";
import { patiently } from "../../patience.testing.ts";
import { sized } from "../../runs.testing.ts";
import { inOrder } from "./orderRules.ts";
import { parseText } from "./parse.ts";
import { catalogueOf, countsInLabels, diffCatalogue, type Office } from "./rules.ts";
import { anyCatalogue, officeWith } from "./testing/testing.ts";
import { writeCatalogue } from "./write.ts";

const readBack = (source: string) => {
  const parsed = parseText(source);
  if ("faults" in parsed) throw new Error(parsed.faults[0]?.message);
  return catalogue.parse(parsed.value);
};

const runs = { numRuns: sized({ gate: 120, nightly: 1000 }) };

test(
  "a catalogue that is written and read is the same, in YAML and in JSON",
  () => {
    fc.assert(
      fc.property(anyCatalogue({ archives: true }), (given) => {
        for (const format of ["yaml", "json"] as const) {
          const written = writeCatalogue(given, format);
          const read = readBack(written);
          expect(read).toEqual(inOrder(given));
          expect(writeCatalogue(read, format)).toBe(written);
        }
      }),
      runs,
    );
  },
  patiently(300_000),
);

test(
  "an office compared with its own file differs in nothing, whatever is to be archived",
  () => {
    fc.assert(
      fc.property(anyCatalogue({ archives: true }), fc.boolean(), (given, archiveMissing) => {
        const office = officeWith(given);
        const file = readBack(writeCatalogue(catalogueOf(office), "yaml"));
        const { steps, obstacles } = diffCatalogue(office, file, archiveMissing);
        expect({ steps, obstacles }).toEqual({ steps: [], obstacles: [] });
      }),
      runs,
    );
  },
  patiently(300_000),
);

test(
  "the order in which a catalogue comes makes no other file",
  () => {
    fc.assert(
      fc.property(anyCatalogue({ archives: true }), (given) => {
        const turned: Catalogue = {
          ...given,
          apps: given.apps.toReversed().map((app) => ({
            ...app,
            features: app.features.toReversed(),
            platforms: app.platforms.toReversed(),
          })),
          packages: given.packages.toReversed().map((one) => ({
            ...one,
            prices: one.prices.toReversed(),
            apps: Object.fromEntries(Object.entries(one.apps).toReversed()),
          })),
        };
        expect(writeCatalogue(turned, "yaml")).toBe(writeCatalogue(given, "yaml"));
      }),
      { numRuns: sized({ gate: 60, nightly: 1000 }) },
    );
  },
  patiently(120_000),
);

const seats = { code: "seats", name: "Seats", kind: "limit", defaultValue: 1 } as const;
const harbor = { code: "harbor", name: "Harbor", status: "active", features: [seats] } as const;
const studio = { code: "studio", name: "Studio", apps: { harbor: { seats: 10 } } } as const;

const fileOf = (apps: unknown[], packages: unknown[] = []) =>
  catalogue.parse({ version: 1, apps, packages });
const workspaceUrl = (apps: unknown[], packages: unknown[] = []) =>
  officeWith(fileOf(apps, packages));
const empty: Office = { apps: [], features: [], packages: [] };

const told = (office: Office, file: Catalogue, archiveMissing = false) => {
  const { steps, obstacles, notes } = diffCatalogue(office, file, archiveMissing);
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

test.each(lives)("an app that is %s here and %s in the file: %j", (stored, wanted, steps) => {
  const bare = { code: "harbor", name: "Harbor" };
  const office = stored ? workspaceUrl([{ ...bare, status: stored }]) : empty;
  const file = fileOf([{ ...bare, status: wanted }]);
  expect(told(office, file)).toMatchObject({ steps, obstacles: [] });
});

test("a draft cannot be archived, and an archived app is no draft again: the file is told", () => {
  const bare = { code: "harbor", name: "Harbor" };
  const archived = fileOf([{ ...bare, status: "archived" }]);
  expect(told(workspaceUrl([bare]), archived).obstacles).toEqual([
    "harbor apps/0/status Only an active app can be archived. This one is a draft here: delete it, or leave it out.",
  ]);
  expect(told(officeWith(archived), fileOf([bare])).obstacles).toEqual([
    'harbor apps/0/status This app is archived here. Write "status: active" to restore it, or "status: archived".',
  ]);
});

test("what is archived in the file and unknown here is not made, and that is told", () => {
  const file = fileOf(
    [
      { ...harbor, features: [{ ...seats, status: "archived" }] },
      { ...harbor, code: "atlas", status: "archived" },
    ],
    [{ code: "old", name: "Old", status: "archived" }],
  );
  expect(told(empty, file)).toEqual({
    steps: ["create app harbor"],
    obstacles: [],
    notes: [
      "atlas: archived in the file and unknown here, so this app is not made.",
      "harbor/seats: archived in the file and unknown here, so this feature is not made.",
      "old: archived in the file and unknown here, so this package is not made.",
    ],
  });
});

test("what the file does not have is archived only when asked for; drafts stay", () => {
  const office = workspaceUrl(
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
  expect(told(office, file)).toEqual({ steps: [], obstacles: [], notes: [] });
  expect(told(office, file, true)).toEqual({
    steps: ["archive app atlas", "archive feature harbor/seats", "archive package studio"],
    obstacles: [],
    notes: [
      "1 app that the file does not have stays: it is a draft, and only what was active can be archived.",
      "1 feature that the file does not have stays: it is a draft, and only what was active can be archived.",
    ],
  });
});

test("a package with a scheduled version cannot be archived", () => {
  const office = workspaceUrl([], [{ code: "studio", name: "Studio" }]);
  const packages = office.packages.map((one) => ({ ...one, scheduled: { number: 4 } }));
  expect(told({ ...office, packages }, fileOf([]), true).obstacles).toEqual([
    "studio undefined Version 4 is scheduled. Take it off the schedule first.",
  ]);
});

test("what a published package has of a feature cannot change, each field told at its place", () => {
  const office = workspaceUrl([harbor], [studio]);
  const features = office.features.map((one) => ({ ...one, frozen: true, packages: 1 }));
  const metered = { ...seats, kind: "metered", reset: "month", combining: "sum" };
  const file = fileOf([{ ...harbor, features: [metered] }], [studio]);
  expect(told({ ...office, features }, file).obstacles).toEqual(
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

test.each(contents)("a package cannot hold %s", (_name, apps, message) => {
  const file = fileOf([harbor], [{ ...studio, apps }]);
  expect(told(empty, file).obstacles).toEqual([`studio ${message}`]);
});

test("what is archived enters no package; what has it already keeps it", () => {
  const archived = { ...harbor, features: [{ ...seats, status: "archived" }] };
  const file = fileOf([archived], [studio]);
  expect(told(workspaceUrl([archived], [studio]), file).obstacles).toEqual([]);
  expect(told(workspaceUrl([archived]), file).obstacles).toEqual([
    "studio packages/0/apps/harbor/seats Seats is archived. Restore it to give it to people.",
  ]);
  const gone = fileOf([{ ...harbor, status: "archived" }], [studio]);
  expect(told(empty, gone).obstacles).toEqual([
    "studio packages/0/apps/harbor Harbor is archived. Restore it to sell it.",
    "studio packages/0/apps/harbor/seats Seats is archived. Restore it to give it to people.",
  ]);
});

test("a package tells what changes and which draft it goes into", () => {
  const price = { currency: "EUR", amount: 1200, interval: "month" } as const;
  const office = workspaceUrl([harbor], [{ ...studio, prices: [price] }]);
  const file = fileOf(
    [harbor],
    [{ ...studio, name: "Studio 2", prices: [{ ...price, amount: 1500 }], apps: { harbor: {} } }],
  );
  const { steps, counts } = diffCatalogue(office, file, false);
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

test("counts are told in words, what there is none of left out", () => {
  const counts = { create: 3, change: 2, activate: 0, restore: 0, archive: 1 };
  expect(countsInLabels(counts)).toBe("3 create, 2 change, 1 archive");
});
