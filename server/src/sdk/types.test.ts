import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { writeTypes as writeDeclarations } from "../../../client/build.ts";
import { runHere } from "../commands/testing.ts";
import { writeTypes } from "../commands/types.ts";
import { atEnd } from "../testing.ts";
import { soldApp } from "./app.testing.ts";

const { product, admin, app } = await soldApp();
const purser = (...words: string[]) => runHere(product.config, writeTypes, ...words);

const rootOf = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const cache = rootOf("server/node_modules/.cache");
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, "types-"));
atEnd(async () => rmSync(folder, { recursive: true }));
const installed = join(folder, "node_modules/@purser/client");
mkdirSync(installed, { recursive: true });
cpSync(rootOf("client/package.json"), join(installed, "package.json"));
writeDeclarations(join(installed, "dist"));

/** What the compiler says about a file of an app that has only the package, without zod and the contract. */
const compile = (text: string) => {
  writeFileSync(join(folder, "app.ts"), text);
  const options = [
    "--ignoreConfig",
    "--noEmit",
    "--strict",
    "--module",
    "nodenext",
    "--target",
    "es2024",
  ];
  const libraries = ["--lib", "esnext,dom", "--types", ""];
  try {
    const files = [join(folder, "app.ts"), join(folder, "purser.d.ts")];
    execFileSync(rootOf("node_modules/.bin/tsc"), [...options, ...libraries, ...files], {
      cwd: folder,
      encoding: "utf8",
    });
    return "";
  } catch (error) {
    return String((error as { stdout: string }).stdout);
  }
};

const start = `import { createClient } from "@purser/client";
const client = createClient({ url: "https://purser.example.com", key: "k" });
`;

test("an unknown feature code is a type error, and values have their types", async () => {
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  writeFileSync(join(folder, "purser.d.ts"), "export {};\n");
  expect(compile(`${start}await client.isAllowed("ada", "anything");\n`)).toBe("");

  const file = join(folder, "purser.d.ts");
  expect(await purser("--app", app.code, file)).toMatchObject({ code: 0, stdout: "" });
  expect(readFileSync(file, "utf8")).toContain('"exports": number | "unlimited";');
  expect(
    compile(`${start}const { value } = await client.check("ada", "exports");
const limit: number | "unlimited" | null = value;
const { value: isOn } = await client.check("ada", "offline-maps");
const shown: boolean | null = isOn;
client.record("ada", "exports");
console.log(limit, shown);
`),
  ).toBe("");
  const faults = compile(`${start}await client.isAllowed("ada", "export");
client.record("ada", "export");
const text: string | null = (await client.check("ada", "exports")).value;
console.log(text);
`);
  const codes = [...faults.matchAll(/^app\.ts\((\d+),\d+\): error (TS\d+)/gm)];
  expect(codes.map(([, line, code]) => `${line} ${code}`)).toEqual([
    "3 TS2345",
    "4 TS2345",
    "5 TS2322",
  ]);
});

test("several apps need a choice, and an unknown one is refused", async () => {
  expect((await purser()).stdout).toContain(`purser types --app ${app.code}`);
  expect(await purser("--app", "gone")).toMatchObject({
    code: 1,
    stderr: `No app "gone". Apps: ${app.code}.\n`,
  });
  const { createApp } = await import("@purser/contract/apps/endpoints");
  await product.call(admin, createApp, { body: { code: "second", name: "Second" } });
  const both = [app.code, "second"].toSorted().join(", ");
  expect((await purser()).stderr).toBe(`Choose an app with --app. Apps: ${both}.\n`);
});
