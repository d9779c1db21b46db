import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { shopIn } from "./modules/transactions/testing/testing.ts";
import { keyIn } from "./modules/usage/testing/testing.ts";
import { serviceAccountsIn } from "./modules/users/testing/serviceAccounts.testing.ts";
import { patiently } from "./patience.testing.ts";
import { testProduct } from "./testing.ts";

// Only in the nightly part `client`, which installs the fixture. The gate compares the document with the contract.
const isInstalled = process.env["GENERATED_CLIENT"] === "true";

const folder = fileURLToPath(new URL("../../fixtures/generated-client", import.meta.url));

/** Without blocking this process, which answers the client. */
const npmRun = async (script: string, environment: Record<string, string> = {}) => {
  const { PATH, HOME } = process.env;
  const { stdout } = await promisify(execFile)("npm", ["run", "--silent", script], {
    cwd: folder,
    env: { PATH, HOME, ...environment },
  });
  return stdout;
};

test.runIf(isInstalled)(
  "a client that is generated from the document buys, consumes and checks",
  { timeout: patiently(300_000) },
  async () => {
    const product = await testProduct();
    const { admin, newApp, newLimit, newPackage, give, publish } = await shopIn(product);
    const { id: appId } = await newApp();
    const metered = { kind: "metered", reset: "month", combining: "sum", defaultValue: 0 };
    const exported = await newLimit(appId, "Exports", metered);
    const prices = [{ currency: "EUR", amount: 1200, interval: "month" }];
    const pack = await newPackage({ name: "Pro", prices });
    await give(pack.id, exported, 10);
    expect((await publish(pack.id)).status).toBe(200);
    const { serviceKey } = await serviceAccountsIn(product, admin).newCaller();
    const { authorization } = await keyIn(product, admin, appId, [
      "entitlements:read",
      "usage:write",
      "customers:read",
      "customers:write",
    ]);

    mkdirSync(`${folder}/dist`, { recursive: true });
    const document = await product.app.inject({ url: "/api/v1/openapi.json" });
    writeFileSync(`${folder}/dist/openapi.json`, document.body);
    for (const script of ["lint", "generate", "compile"]) await npmRun(script);
    const printed = await npmRun("start", {
      PURSER: await product.app.listen({ host: "127.0.0.1", port: 0 }),
      PURSER_KEY: authorization.replace("Bearer ", ""),
      PURSER_SERVICE_KEY: serviceKey,
      PURSER_PACKAGE: pack.id,
      PURSER_FEATURE: exported.code,
    });
    expect(JSON.parse(printed)).toEqual({
      state: "succeeded",
      consumed: "recorded",
      allowed: true,
      remaining: 8,
      subscriptions: ["active"],
    });
  },
);
