import { execFileSync, spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const root = new URL("../..", import.meta.url).pathname;
const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith("db/schema.ts"))
  // One that is being removed is listed until that is committed.
  .filter((file) => existsSync(join(root, file)));
const sources = files.map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));

/** The modules, lowest first: an import may only point down. One that isn't here is above all of these. */
const order = [
  "settings",
  "apps",
  "features",
  "packages",
  "promotions",
  "users",
  "rights",
  "subscriptions",
  "transactions",
  "people",
  "providers",
  "catalogue",
  "webhooks",
  "privacy",
  "approvals",
  "entitlements",
];

const importsOf = (text: string) =>
  [...text.matchAll(/(?:from|import\() ?"([^"]+)"/g)].map(([, path]) => path ?? "");
const moduleOf = (path: string) => /modules\/(\w+)\//.exec(path)?.[1];

const placeOf = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);

const upwardImports = (all: typeof sources) =>
  all.flatMap(({ file, text }) => {
    const own = moduleOf(file);
    if (!own) return [];
    return importsOf(text)
      .map((path) => moduleOf(path) ?? /^\.\.\/(\w+)\//.exec(path)?.[1])
      .filter((other) => other !== undefined && other !== own)
      .filter((other) => placeOf(other ?? "") >= placeOf(own))
      .map((other) => `${file} imports ${other}`);
  });

test("modules import only from modules below them", () => {
  expect(upwardImports(sources)).toEqual([]);
  const planted = {
    file: "server/src/modules/apps/rules.ts",
    text: 'import { x } from "#modules/users/rules.ts";',
  };
  expect(upwardImports([planted])).toEqual(["server/src/modules/apps/rules.ts imports users"]);
  const unknown = { ...planted, text: 'import { x } from "#modules/coupons/rules.ts";' };
  expect(upwardImports([unknown])).toEqual(["server/src/modules/apps/rules.ts imports coupons"]);
});

test("no file is longer than 400 lines", () => {
  const long = sources.filter(({ text }) => text.split("\n").length > 400).map(({ file }) => file);
  expect(long).toEqual([]);
});

test("T28 only contract/src/text.ts takes bare strings from outside", () => {
  const bare = sources
    .filter(({ file }) => file.startsWith("contract/") && !file.endsWith("src/text.ts"))
    .filter(({ text }) => /z\.string\(|z\.any\(/.test(text))
    .map(({ file }) => file);
  expect(bare).toEqual([]);
});

const secretForms = (all: typeof sources) =>
  all
    .filter(({ text }) => /\bRecordForm\b|\buseRecordForm\b/.test(text))
    .filter(({ text }) => /PasswordInput|NewPassword|secretText|type="password"/.test(text))
    .map(({ file }) => file);

test("no form that keeps drafts asks for a secret: it would be stored readable", () => {
  const ofScreens = sources.filter(({ file }) => file.startsWith("web/src/"));
  expect(secretForms(ofScreens)).toEqual([]);
  const planted = {
    file: "web/src/screens/planted.tsx",
    text: 'import { useRecordForm } from "#ui/form/useRecordForm.ts";\n<PasswordInput />',
  };
  expect(secretForms([planted])).toEqual([planted.file]);
});

test("only main.ts and tests read the environment", () => {
  const readers = sources
    .filter(({ file }) => file.startsWith("server/src/"))
    .filter(
      ({ file }) => !/\.(test|testing|fixture)\.ts$|\/testing\.ts$|testTemplate\.ts$/.test(file),
    )
    .filter(({ text }) => text.includes("process.env"))
    .map(({ file }) => file);
  expect(readers).toEqual(["server/src/main.ts"]);
});

test("no module or platform file keeps a database handle of its own", () => {
  const keepers = sources
    .filter(({ file }) => file.startsWith("server/src/modules/") && !file.endsWith(".test.ts"))
    .filter(({ text }) => /connect\(|new Pool|new Kysely/.test(text))
    .map(({ file }) => file);
  expect(keepers).toEqual([]);
});

test("Biome refuses an import against the direction of the house", () => {
  const planted = [
    ["contract/src/planted.ts", 'import { fastify } from "fastify";\nexport const x = fastify;\n'],
    [
      "server/src/platform/planted.ts",
      'import { x } from "#modules/apps/rules.ts";\nexport const y = x;\n',
    ],
    ["server/src/modules/apps/rules.ts", 'import { sql } from "kysely";\nexport const y = sql;\n'],
    [
      "server/src/modules/users/queries.ts",
      'import { x } from "#modules/apps/routes.ts";\nexport const y = x;\n',
    ],
    [
      "web/src/screens/home/planted.ts",
      'import { x } from "../apps/List.tsx";\nexport const y = x;\n',
    ],
    ["web/src/ui/planted.ts", 'import { x } from "#screens/home/Home.tsx";\nexport const y = x;\n'],
    [
      "web/src/lib/planted.ts",
      'import { x } from "@purser/server/compose";\nexport const y = x;\n',
    ],
  ] as const;
  const house = mkdtempSync(join(tmpdir(), "purser-house-"));
  copyFileSync(join(root, "biome.json"), join(house, "biome.json"));
  for (const [file, text] of planted) {
    mkdirSync(join(house, dirname(file)), { recursive: true });
    writeFileSync(join(house, file), text);
  }
  const { stdout } = spawnSync(
    join(root, "node_modules/.bin/biome"),
    ["lint", "--vcs-enabled=false", "--reporter=json", "--only=style/noRestrictedImports"],
    { cwd: house, encoding: "utf8" },
  );
  rmSync(house, { recursive: true });
  for (const [file] of planted) expect(stdout).toContain(file);
});
