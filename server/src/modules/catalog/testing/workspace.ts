import { setTimeout } from "node:timers/promises";
import { applyCatalog, diffCatalog, exportCatalog } from "@purser/contract/catalog/catalog";
import { catalogIn } from "#modules/packages/testing/testing.ts";
import { testProduct } from "#testing.ts";

/** A product of its own for one test, with an admin who calls the catalog endpoints. */
export const openWorkspace = async () => {
  // Reading a file may take 5 seconds of processor time, which can be more than the usual 10 seconds on a busy machine.
  const product = await testProduct({ environment: { REQUEST_TIMEOUT_MS: "60000" } });
  const admin = await product.signIn("admin", "Ada");
  const { app } = product;
  // On a busy machine the server answers 503. These tests wait until it has capacity.
  const call: typeof product.call = async (...request) => {
    while (app.isUnderPressure()) await setTimeout(50);
    return product.call(...request);
  };
  const exported = async (format: "yaml" | "json" = "yaml") =>
    (await call(admin, exportCatalog, { query: { format } })).text;
  const diff = (source: string, archiveMissing = false) =>
    call(admin, diffCatalog, { body: { source, archiveMissing } });
  const apply = async (source: string, archiveMissing = false) => {
    const { hash } = (await diff(source, archiveMissing)).body;
    return call(admin, applyCatalog, { body: { source, archiveMissing, hash } });
  };
  return {
    ...product,
    call,
    admin,
    exported,
    diff,
    apply,
    ...catalogIn({ ...product, call }, admin),
  };
};

export const smallCatalog = `version: 1
apps:
  - code: harbor
    name: Harbor
    platforms: [ web, ios ]
    status: active
    features:
      - code: export
        name: Export
        kind: switch
        defaultValue: false
      - code: seats
        name: Seats
        kind: limit
        unit: { one: seat, many: seats }
        combining: sum
        defaultValue: 1
        status: active
packages:
  - code: studio
    name: Studio
    group: plans
    sort: 20
    trialDays: 14
    prices:
      - { currency: EUR, amount: 1200, interval: month }
      - { currency: EUR, amount: 12000, interval: year }
    apps:
      harbor:
        export: true
        seats: 10
`;

export const noChanges = { create: 0, change: 0, activate: 0, restore: 0, archive: 0 };
