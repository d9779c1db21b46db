import type { VersionContents } from "@purser/contract/packages/versions";
import { expect, test } from "vitest";
import { type Compared, differencesOf } from "./compare.ts";

type App = VersionContents["contents"][number];
type Feature = App["features"][number];

const feature = (name: string, given: Partial<Feature>): Feature => ({
  id: name,
  code: name,
  name,
  kind: "switch",
  unit: null,
  reset: null,
  combining: "largest",
  options: [],
  defaultValue: false,
  status: "active",
  value: null,
  perUnit: false,
  ...given,
});

const storage = (value: Feature["value"]) =>
  feature("Cloud storage", {
    kind: "limit",
    unit: { one: "GB", many: "GB" },
    defaultValue: 1,
    value,
  });

const app = (name: string, features: Feature[]): App => ({
  id: name,
  code: name,
  name,
  icon: "apps",
  status: "active",
  features,
});

const version = (given: Partial<Compared>): Compared => ({
  number: 1,
  trialDays: 14,
  prices: [{ currency: "EUR", amount: 1000, interval: "month", intervalCount: 1, perUnit: false }],
  contents: [app("Darkroom", [storage(50), feature("RAW development", { value: true })])],
  ...given,
});

test("finds no differences between a version and itself", () =>
  expect(differencesOf(version({}), version({ number: 2 }))).toEqual([]));

test("lists old and new prices and trial days", () => {
  const after = version({
    trialDays: 0,
    prices: [
      { currency: "EUR", amount: 1200, interval: "month", intervalCount: 1, perUnit: false },
      { currency: "JPY", amount: 1900, interval: "year", intervalCount: 1, perUnit: false },
    ],
  });
  expect(differencesOf(version({}), after)).toEqual([
    {
      title: "Prices and trial",
      differences: [
        { what: "Trial", before: "14 days", after: null },
        { what: "EUR, Monthly", before: "10.00 EUR a month", after: "12.00 EUR a month" },
        { what: "JPY, Yearly", before: null, after: "1,900 JPY a year" },
      ],
    },
  ]);
});

test("formats values as text and marks defaults", () => {
  const after = version({
    contents: [app("Darkroom", [storage(null), feature("RAW development", { value: false })])],
  });
  expect(differencesOf(version({}), after)).toEqual([
    {
      title: "Darkroom",
      differences: [
        { what: "Cloud storage", before: "50 GB", after: "1 GB (default)" },
        { what: "RAW development", before: "On", after: "Off" },
      ],
    },
  ]);
});

test("marks prices per unit and values that are multiplied by the quantity", () => {
  const after = version({
    prices: [{ currency: "EUR", amount: 1000, interval: "month", intervalCount: 1, perUnit: true }],
    contents: [
      app("Darkroom", [
        { ...storage(50), perUnit: true },
        feature("RAW development", { value: true }),
      ]),
    ],
  });
  expect(differencesOf(version({}), after)).toEqual([
    {
      title: "Prices and trial",
      differences: [
        {
          what: "EUR, Monthly",
          before: "10.00 EUR a month",
          after: "10.00 EUR a month per unit",
        },
      ],
    },
    {
      title: "Darkroom",
      differences: [{ what: "Cloud storage", before: "50 GB", after: "50 GB × quantity" }],
    },
  ]);
});

test("lists an added or removed app with all its features", () => {
  const loupe = app("Loupe", [feature("Redaction", { value: true })]);
  const before = version({ contents: [] });
  const after = version({ contents: [loupe] });
  const cameIn = [
    { what: "App", before: null, after: "Included" },
    { what: "Redaction", before: null, after: "On" },
  ];
  expect(differencesOf(before, after)).toEqual([{ title: "Loupe", differences: cameIn }]);
  expect(differencesOf(after, before)).toEqual([
    {
      title: "Loupe",
      differences: cameIn.map(({ what, before: none, after: some }) => ({
        what,
        before: some,
        after: none,
      })),
    },
  ]);
});
