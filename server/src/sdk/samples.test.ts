import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test, vi } from "vitest";
import { buildClient, writeTypes } from "../../../client/build.ts";
import { samplesIn } from "../docs.testing.ts";
import { newWebhookSecret, signedHeaders } from "../modules/webhooks/sign.ts";
import { patiently } from "../patience.testing.ts";
import { atEnd } from "../testing.ts";
import { soldApp } from "./app.testing.ts";

const { grants, exported, maps, app, newKey, newSubscriber, address } = await soldApp();
const ada = await grants.newCustomer({ email: "ada@example.com" });
await grants.grantTo(ada.email, { featureId: exported.id, value: 10 });
await grants.grantTo(ada.email, { featureId: maps.id, value: true });

const rootOf = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const cache = rootOf("server/node_modules/.cache");
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, "sdk-"));
atEnd(async () => rmSync(folder, { recursive: true }));

/** The package as apps install it. */
const installed = join(folder, "node_modules/@purser/client");
mkdirSync(installed, { recursive: true });
cpSync(rootOf("client/package.json"), join(installed, "package.json"));
await buildClient(join(installed, "dist"));
writeTypes(join(installed, "dist"));

const page = readFileSync(rootOf("docs/sdk.md"), "utf8");
const samples = samplesIn(page);
const environment = {
  PATH: process.env["PATH"],
  PURSER: address,
  PURSER_KEY: (await newKey()).key,
  PURSER_APP: app.code,
};

const runs = samples.flatMap(({ heading, language, code }, place) => {
  const next = samples[place + 1];
  return language === "js" && next?.language === "text"
    ? [{ heading, code, printed: next.code }]
    : [];
});

test("every sample prints what the page shows, with the package as apps install it", async () => {
  expect(runs).toHaveLength(6);
  for (const [place, { heading, code, printed }] of runs.entries()) {
    const file = join(folder, `sample-${place}.mjs`);
    writeFileSync(file, code);
    const run = promisify(execFile)(process.execPath, [file], { cwd: folder, env: environment });
    expect((await run).stdout, heading).toBe(printed);
  }
});

const freePort = async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const found = server.address();
  server.close();
  return typeof found === "object" && found ? found.port : 0;
};

test("the sample of the package page runs", async () => {
  const [sample] = samplesIn(readFileSync(rootOf("client/README.md"), "utf8"));
  const file = join(folder, "readme.mjs");
  writeFileSync(file, sample?.code ?? "");
  const run = promisify(execFile)(process.execPath, [file], { cwd: folder, env: environment });
  expect((await run).stdout).toBe("Maps are on.\nrecorded 2\n");
});

test("the sample for webhooks accepts a signed event and refuses others", async () => {
  const sample = samples.find(({ heading }) => heading === "Webhooks");
  writeFileSync(join(folder, "webhooks.mjs"), sample?.code ?? "");
  const [port, secret] = [await freePort(), newWebhookSecret()];
  const env = { ...environment, PORT: String(port), WEBHOOK_SECRET: secret };
  const child = spawn(process.execPath, ["webhooks.mjs"], { cwd: folder, env });
  atEnd(async () => void child.kill());
  const body = JSON.stringify({ type: "test", timestamp: "", data: {} });
  const headers = signedHeaders({ id: "msg-1", at: new Date(), body }, [secret]);
  const send = (text: string) =>
    fetch(`http://127.0.0.1:${port}`, { method: "POST", headers, body: text });
  await vi.waitFor(async () => expect((await send(body)).status).toBe(204), {
    timeout: patiently(10_000),
  });
  expect((await send(`${body} `)).status).toBe(400);
});

test("the sample for React compiles with the types of the package", async () => {
  const sample = samples.find(({ language }) => language === "tsx");
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "App.tsx"), sample?.code ?? "");
  for (const name of ["react", "@types/react", "csstype"]) {
    mkdirSync(join(folder, "node_modules", name, ".."), { recursive: true });
    symlinkSync(rootOf(`node_modules/${name}`), join(folder, "node_modules", name));
  }
  const strict = ["--ignoreConfig", "--noEmit", "--strict", "--jsx", "react-jsx"];
  const target = ["--module", "nodenext", "--target", "es2024", "--lib", "esnext,dom"];
  const words = [...strict, ...target, "--types", "", "App.tsx"];
  const compiled = promisify(execFile)(rootOf("node_modules/.bin/tsc"), words, { cwd: folder });
  expect(await compiled.catch((error: { stdout: string }) => error)).toMatchObject({ stdout: "" });
});

test("the example for OpenFeature asks Purser in fewer than 20 lines", async () => {
  const text = readFileSync(rootOf("examples/openfeature/main.js"), "utf8");
  expect(text.split("\n").length).toBeLessThan(20);
  const file = join(folder, "openfeature.mjs");
  writeFileSync(file, text);
  const bob = await newSubscriber();
  const run = promisify(execFile)(process.execPath, [file, bob.email], { env: environment });
  expect((await run).stdout).toBe("Offline maps: true\nExports left: 20000\n");
});

test("every sample of the page is run or compiled", () => {
  const tested = new Set([...runs.map(({ code }) => code)]);
  const others = samples.filter(({ code }) => !tested.has(code));
  expect(others.map(({ heading, language }) => `${heading}: ${language}`)).toEqual([
    "Install: sh",
    "Install: sh",
    "Install: text",
    "Check and count: text",
    "Keep usage over a restart: text",
    "React: tsx",
    "Snapshots: text",
    "Leases: text",
    "Webhooks: js",
    "Test your app: text",
  ]);
});
