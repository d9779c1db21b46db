import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createAppKey } from "@purser/contract/apps/keys";
import { createCustomerToken } from "@purser/contract/entitlements/customerTokens";
import { expect, test } from "vitest";
import { samplesIn } from "./docs.testing.ts";
import { grantsIn } from "./modules/entitlements/testing/testing.ts";
import { productWithProviders } from "./modules/providers/testing/testing.ts";
import { shopIn } from "./modules/transactions/testing/testing.ts";
import { keyIn } from "./modules/usage/testing/testing.ts";
import { serviceAccountsIn } from "./modules/users/testing/serviceAccounts.testing.ts";
import { sampleRunner } from "./samples.testing.ts";
import { atEnd } from "./testing.ts";

// Samples of the developer guide and of payments, with the address of the test instead of the example's.

const samplesOf = (page: string) =>
  samplesIn(readFileSync(new URL(`../../docs/${page}`, import.meta.url), "utf8"));

const product = await productWithProviders();
const { call } = product;
const shop = await shopIn(product);
const address = await product.app.listen({ host: "127.0.0.1", port: 0 });
const folder = mkdtempSync(join(tmpdir(), "purser-guides-"));
atEnd(async () => rmSync(folder, { recursive: true }));

const company = "https://purser.example.com";
const here = (code = "") => code.replaceAll(company, address);
const guide = samplesOf("guides/developer.md");

test("the command of a backend creates a customer", async () => {
  const { serviceKey } = await serviceAccountsIn(product, shop.admin).newCaller();
  const sample = guide.find(({ heading }) => heading === "Call the API from your backend");
  expect(sample?.code).toContain(`${company}/api/v1/users`);
  const run = sampleRunner(folder, { PURSER_SERVICE_KEY: serviceKey });
  const command = { heading: "", language: "sh", code: here(sample?.code) };
  const created = JSON.parse(await run(command, ""));
  expect(created).toMatchObject({ name: "Ada Byron", email: "ada@example.com" });
  // The same key and body return the stored reply.
  expect(JSON.parse(await run(command, ""))).toEqual(created);
});

test("the sample for a web page checks a feature of the customer of the token", async () => {
  const origin = "https://shop.example.com";
  const app = await shop.newApp();
  const details = { kind: "switch", unit: null, defaultValue: false, code: "offline-maps" };
  const maps = await shop.newLimit(app.id, "Offline maps", details);
  const { newCustomer, grantTo } = grantsIn(product, shop.admin);
  const customer = await newCustomer({ email: "eve@example.com" });
  const pack = await shop.newPackage({ name: "Pro" });
  await shop.give(pack.id, maps, true);
  await shop.publish(pack.id);
  await grantTo(customer.email, { packageId: pack.id });
  const headers = await keyIn(product, shop.admin, app.id);
  const asked = { body: { user: customer.email, minutes: 10 }, headers };
  const { token } = (await call(null, createCustomerToken, asked)).body;
  const body = { name: "Page", kind: "publishable" as const, origins: [origin] };
  const made = await call(shop.admin, createAppKey, {
    params: { id: app.id },
    body: { ...body, scopes: ["entitlements:read"] },
  });

  const sample = guide.find(({ heading }) => heading === "Check from a web page");
  expect(sample?.code).toContain("purser_pk_…");
  // What a browser adds.
  const browser = `const send = globalThis.fetch;
const token = ${JSON.stringify(token)};
const fetch = async (url, { headers }) =>
  console.log(await (await send(url, { headers: { ...headers, origin: "${origin}" } })).text());
`;
  const file = join(folder, "page.mjs");
  writeFileSync(file, browser + here(sample?.code).replace("purser_pk_…", made.body.secret));
  const { stdout } = await promisify(execFile)(process.execPath, [file]);
  expect(JSON.parse(stdout)).toMatchObject({ allowed: true, value: true });
});

test("the notification of another provider settles its transaction", async () => {
  const [sample] = samplesOf("payments.md");
  const pack = await shop.sellPackage();
  const more = { state: "pending", provider: "bank", reference: "order 1" };
  const sale = await shop.sell(shop.saleOf(pack.id), more);
  expect(sample?.code).toContain("TX-7F3K-9QMB");
  const event = {
    ...JSON.parse(sample?.code ?? ""),
    transaction: sale.number,
    at: new Date().toISOString(),
  };
  const { statusCode } = await product.postBank(event);
  expect(statusCode).toBe(202);
  await product.settleAll();
  const { state, reference } = await shop.read(sale.id);
  expect([state, reference]).toEqual(["succeeded", "order 1"]);
});
