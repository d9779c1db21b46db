import { setTimeout } from "node:timers/promises";
import { applyCatalog, diffCatalog, exportCatalog } from "@purser/contract/catalog/catalog";
import fc from "fast-check";
import { expect, test } from "vitest";
import { patiently } from "#patience.testing.ts";
import { sized } from "#runs.testing.ts";
import { testProduct } from "#testing.ts";
import { writeCatalogFile } from "./file/write.ts";
import { anyCatalog } from "./testing/arbitraries.ts";

const { app, call: callAtOnce, signIn, owner } = await testProduct();
const call: typeof callAtOnce = async (...request) => {
  while (app.isUnderPressure()) await setTimeout(50);
  return callAtOnce(...request);
};
const admin = await signIn("admin");

const exported = async () => (await call(admin, exportCatalog, {})).text;

const apply = async (source: string) => {
  const { body } = await call(admin, diffCatalog, { body: { source } });
  expect(body.blockingIssues).toEqual([]);
  const applied = await call(admin, applyCatalog, { body: { source, hash: body.hash } });
  expect(applied.status).toBe(200);
  return applied.body.applied.changes;
};

const empty = () => owner.query("truncate apps, features, packages cascade");

test(
  "any catalog applied to an empty workspace is exported as the same bytes",
  async () => {
    await fc.assert(
      fc.asyncProperty(anyCatalog({ archives: false }), async (given) => {
        await empty();
        const source = writeCatalogFile(given, "yaml");
        await apply(source);
        expect(await exported()).toBe(source);
        expect(await apply(source)).toEqual([]);
        expect(await apply(writeCatalogFile(given, "json"))).toEqual([]);
      }),
      { numRuns: sized({ gate: 5, nightly: 50 }) },
    );
  },
  patiently(300_000),
);
