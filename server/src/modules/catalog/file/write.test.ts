import { type Catalog, catalog } from "@purser/contract/catalog/catalog";
import fc from "fast-check";
import { expect, test } from "vitest";
import { patiently } from "../../../patience.testing.ts";
import { sized } from "../../../runs.testing.ts";
import { catalogOf, diffCatalog } from "../rules.ts";
import { anyCatalog } from "../testing/arbitraries.ts";
import { storedCatalogWith } from "../testing/storedCatalog.ts";
import { inOrder } from "./orderRules.ts";
import { parseText } from "./parse.ts";
import { writeCatalogFile } from "./write.ts";

const readBack = (source: string) => {
  const parsed = parseText(source);
  if ("faults" in parsed) throw new Error(JSON.stringify(parsed.faults[0]));
  return catalog.parse(parsed.value);
};

const runs = { numRuns: sized({ gate: 120, nightly: 1000 }) };

test(
  "a catalog written as YAML or JSON reads back the same",
  () => {
    fc.assert(
      fc.property(anyCatalog({ archives: true }), (given) => {
        for (const format of ["yaml", "json"] as const) {
          const written = writeCatalogFile(given, format);
          const read = readBack(written);
          expect(read).toEqual(inOrder(given));
          expect(writeCatalogFile(read, format)).toBe(written);
        }
      }),
      runs,
    );
  },
  patiently(300_000),
);

test(
  "writes the same file whatever the order of its records",
  () => {
    fc.assert(
      fc.property(anyCatalog({ archives: true }), (given) => {
        const reversed: Catalog = {
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
        expect(writeCatalogFile(reversed, "yaml")).toBe(writeCatalogFile(given, "yaml"));
      }),
      { numRuns: sized({ gate: 60, nightly: 1000 }) },
    );
  },
  patiently(120_000),
);

test(
  "finds no difference between a workspace and its own export",
  () => {
    fc.assert(
      fc.property(anyCatalog({ archives: true }), fc.boolean(), (given, archiveMissing) => {
        const stored = storedCatalogWith(given);
        const file = readBack(writeCatalogFile(catalogOf(stored), "yaml"));
        const { steps, blockingIssues } = diffCatalog(stored, file, archiveMissing);
        expect({ steps, blockingIssues }).toEqual({ steps: [], blockingIssues: [] });
      }),
      runs,
    );
  },
  patiently(300_000),
);
