import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { keyScopes } from "@purser/contract/auth/keyScopes";
import { expect, test } from "vitest";
import { samplesIn } from "./docs.testing.ts";
import { grantsIn } from "./modules/entitlements/testing/testing.ts";
import { catalogIn } from "./modules/packages/testing/testing.ts";
import { keyIn } from "./modules/usage/testing/testing.ts";
import { sampleRunner } from "./samples.testing.ts";
import { atEnd, testProduct } from "./testing.ts";

const product = await testProduct();
const admin = await product.signIn("admin");
const { newApp, newLimit, newPackage, give, publish } = catalogIn(product, admin);
const { newCustomer, grantTo } = grantsIn(product, admin);

const app = await newApp();
const metered = { kind: "metered", reset: "month", combining: "sum", defaultValue: 0 };
const exported = await newLimit(app.id, "Exports", { ...metered, code: "exports" });
const onOff = { kind: "switch", unit: null, defaultValue: false };
const maps = await newLimit(app.id, "Offline maps", { ...onOff, code: "offline-maps" });
const pro = await newPackage({ name: "Pro" });
await give(pro.id, exported, 10);
await give(pro.id, maps, true);
await publish(pro.id);
const ada = await newCustomer({ email: "ada@example.com" });
await grantTo(ada.email, { packageId: pro.id });

// Next to the packages that the sample for OpenFeature imports.
const cache = fileURLToPath(new URL("../node_modules/.cache", import.meta.url));
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, "integrate-"));
atEnd(async () => rmSync(folder, { recursive: true }));

test("every sample of connecting an app runs and prints what the page shows", async () => {
  const { authorization } = await keyIn(product, admin, app.id, [...keyScopes]);
  const run = sampleRunner(folder, {
    PURSER: await product.app.listen({ host: "127.0.0.1", port: 0 }),
    PURSER_KEY: authorization.replace("Bearer ", ""),
  });
  const text = readFileSync(new URL("../../docs/integrate.md", import.meta.url), "utf8");
  const samples = samplesIn(text);
  expect(samples.length).toBeGreaterThan(8);
  let printed = "";
  for (const sample of samples) printed = await run(sample, printed);
  // The last one is the file for OpenFeature.
  const node = { heading: "", language: "sh", code: "node gate.mjs" };
  expect(await run({ ...samples[0], ...node }, "")).toBe("true\n");
});
