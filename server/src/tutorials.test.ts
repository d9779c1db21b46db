import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApp } from "@purser/contract/apps/endpoints";
import { createAppKey } from "@purser/contract/apps/keys";
import { createFeature } from "@purser/contract/features/endpoints";
import { createPackage, getPackage } from "@purser/contract/packages/endpoints";
import { changeMatrix } from "@purser/contract/packages/matrix";
import { previewImpact, publishPackage } from "@purser/contract/packages/publishing";
import { createTransaction } from "@purser/contract/transactions/sales";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { catalog } from "./commands/catalog.ts";
import { runHere } from "./commands/testing.ts";
import { samplesIn } from "./docs.testing.ts";
import { sampleRunner } from "./samples.testing.ts";
import { testProduct } from "./testing.ts";

// Follows the tutorials: what they do in the dashboard is done over the API, and every command and sample is run.

const page = (name: string) =>
  readFileSync(new URL(`../../docs/tutorials/${name}.md`, import.meta.url), "utf8");

const product = await testProduct();
const { call, app: server, config } = product;
const owner = await product.signIn("owner");
const folder = mkdtempSync(join(tmpdir(), "purser-tutorial-"));
const environment: Record<string, string> = {};

beforeAll(async () => {
  environment["PURSER"] = await server.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => rmSync(folder, { recursive: true }));

const runSample = sampleRunner(folder, environment);

/** What the steps of the first tutorial do in the dashboard. */
const followFirstPackage = async () => {
  const lantern = await call(owner, createApp, { body: { name: "Lantern", code: "lantern" } });
  expect(lantern.status).toBe(201);
  const appId = lantern.body.id;
  const unit = { one: "trip", many: "trips" };
  const maps = await call(owner, createFeature, {
    body: {
      appId,
      name: "Offline maps",
      code: "offline-maps",
      kind: "switch",
      defaultValue: false,
    },
  });
  const trips = await call(owner, createFeature, {
    body: { appId, name: "Trips", code: "trips", kind: "limit", unit, defaultValue: 3 },
  });
  expect([maps.status, trips.status]).toEqual([201, 201]);
  const price = { currency: "EUR", amount: 900, interval: "month", intervalCount: 1 } as const;
  const starter = await call(owner, createPackage, {
    body: { name: "Starter", code: "starter", prices: [price] },
  });
  expect(starter.status).toBe(201);
  const params = { id: starter.body.id };
  const draftId = (await call(owner, getPackage, { params })).body.draft?.id ?? "";
  const cells = [
    { featureId: maps.body.id, value: true, was: null },
    { featureId: trips.body.id, value: 25, was: null },
  ];
  const saved = await call(owner, changeMatrix, {
    params,
    body: { draftId, addApps: [appId], cells },
  });
  expect(saved.status).toBe(200);
  const { hash } = (await call(owner, previewImpact, { params, body: {} })).body;
  const note = "The first version";
  const published = await call(owner, publishPackage, {
    params,
    body: { draftId, note, impact: hash },
  });
  expect(published.status).toBe(200);
  return { appId, packageId: params.id };
};

const tutorial = followFirstPackage();

const createKey = async () => {
  const { appId } = await tutorial;
  const made = await call(owner, createAppKey, {
    params: { id: appId },
    body: {
      name: "tutorial",
      kind: "server",
      scopes: ["entitlements:read"],
      expiresAt: new Date(Date.now() + 365 * 86_400_000).toISOString(),
    },
  });
  expect(made.status).toBe(201);
  environment["PURSER_KEY"] = made.body.secret;
};

const sellPackage = async () => {
  const { packageId } = await tutorial;
  const sold = await call(owner, createTransaction, {
    body: {
      email: "ada@example.com",
      packageId,
      currency: "EUR",
      interval: "month",
      intervalCount: 1,
      state: "succeeded",
      reference: "tutorial 1",
      occurredAt: new Date().toISOString(),
      total: 900,
    },
  });
  expect(sold.status).toBe(201);
};

/** What a heading asks to do in the dashboard before its samples. */
const inDashboard: Record<string, () => Promise<void>> = {
  "1. Create an API key": createKey,
  "3. Sell the package": sellPackage,
};

test("the first package exports as the tutorial shows it", async () => {
  await tutorial;
  const [command, file] = samplesIn(page("first-package"));
  expect(command?.code).toBe("npm run purser -- catalog export catalog.yaml\n");
  const target = join(folder, "catalog.yaml");
  const { code } = await runHere(config, catalog, "export", target);
  expect(code).toBe(0);
  expect(parse(readFileSync(target, "utf8"))).toMatchObject(parse(file?.code ?? ""));
});

test("every command of the first gated feature prints what the tutorial shows", async () => {
  const text = page("first-gated-feature");
  const samples = samplesIn(text);
  expect(samples.length).toBeGreaterThan(12);
  const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading = ""]) => heading);
  expect(headings).toEqual(expect.arrayContaining(Object.keys(inDashboard)));
  let printed = "";
  for (const heading of headings) {
    await inDashboard[heading]?.();
    for (const sample of samples.filter((one) => one.heading === heading))
      printed = await runSample(sample, printed);
  }
});
