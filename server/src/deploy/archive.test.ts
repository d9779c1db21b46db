import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { makeArchive } from "../../../scripts/release/archive.ts";
import { changelogFaults } from "../../../scripts/release/changelog.ts";
import { signChecksums } from "../../../scripts/release/checksums.ts";
import { licensesOf } from "../../../scripts/release/licenses.ts";
import { productFiles } from "../../../scripts/release/productFiles.ts";
import { referenceFiles } from "../../../scripts/release/reference.ts";
import { makeSbom } from "../../../scripts/release/sbom.ts";
import { hasScalar } from "../platform/http/reference/scalar.ts";
import { isInRepository, read } from "./facts.testing.ts";

const folder = mkdtempSync(join(tmpdir(), "purser-release-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const files = productFiles();

test("the archive has the product without its tests", () => {
  for (const file of [
    "server/src/main.ts",
    "server/migrations/0001_platform.sql",
    "messages/de.po",
    "docs/README.md",
    "docs/guides/finance.md",
  ])
    expect(files).toContain(file);
  expect(
    files.filter((file) => /\.(test|testing|fixture)\.ts$|\/testing\/|^e2e\/.*\.ts$/.test(file)),
  ).toEqual([]);
});

const importsOf = (text: string) =>
  [...text.matchAll(/(?:^import|^export|^\}).*? from "([^"]+)"|import\("([^"]+)"\)/gm)].map(
    ([, named, dynamic]) => named ?? dynamic ?? "",
  );

/** The file of an import inside the repository, or null for packages. */
const targetOf = (file: string, path: string) => {
  if (path.startsWith(".")) return join(dirname(file), path);
  if (path.startsWith("#")) return join("server/src", path.slice(1));
  const [, inContract] = /^@purser\/contract\/(.+)$/.exec(path) ?? [];
  return inContract ? `contract/src/${inContract}.ts` : null;
};

const missingImports = (all: readonly string[]) =>
  all
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) =>
      importsOf(read(file))
        .map((path) => targetOf(file, path))
        .filter((target) => target !== null && !all.includes(target))
        .map((target) => `${file} imports ${target}`),
    );

test("every file that the archive's files import is in the archive", () => {
  expect(missingImports(files)).toEqual([]);
  const without = files.filter((file) => file !== "server/src/commands/command.ts");
  expect(missingImports(without)).toContain(
    "server/src/main.ts imports server/src/commands/command.ts",
  );
});

test("a version can be released once the changelog has its section and nothing unreleased", () => {
  const dated = "# Changelog\n\n## Unreleased\n\n## 1.2.0 (2026-01-31)\n- A change.\n";
  expect(changelogFaults(dated, "1.2.0")).toEqual([]);
  expect(changelogFaults(dated, "1.3.0")).toEqual([
    'CHANGELOG.md has no section "## 1.3.0 (<date>)".',
  ]);
  expect(changelogFaults(dated.replace("Unreleased\n", "Unreleased\n- More.\n"), "1.2.0")).toEqual([
    'CHANGELOG.md has unreleased changes. Move them to "## 1.2.0 (<date>)".',
  ]);
  expect(changelogFaults(dated.replace(" (2026-01-31)", ""), "1.2.0")).toHaveLength(1);
});

test("every version of the changelog has a date, newest first", () => {
  const versions = [...read("CHANGELOG.md").matchAll(/^## (?!Unreleased)(.+)$/gm)].map(
    ([, title]) => title ?? "",
  );
  expect(versions.filter((title) => !/^\d+\.\d+\.\d+ \(\d{4}-\d{2}-\d{2}\)$/.test(title))).toEqual(
    [],
  );
  expect(versions).toEqual(
    versions.toSorted((one, other) => other.localeCompare(one, "en", { numeric: true })),
  );
});

const date = new Date("2026-01-31T12:00:00Z");
const sbom = makeSbom("1.2.0", date);
const names = sbom.components.map(({ name }) => name);

test("the SBOM has the packages of the server and of the pages, and none of the tools", () => {
  for (const name of ["fastify", "pg", "react", "zod"]) expect(names).toContain(name);
  for (const name of ["vitest", "typescript", "@playwright/test", "autocannon"])
    expect(names).not.toContain(name);
  expect(sbom.metadata.timestamp).toBe(date.toISOString());
});

const license = (name: string, version = "1.0.0") => ({
  name,
  version,
  purl: `pkg:npm/${name}@${version}`,
  licenses: [{ license: { id: "MIT" } }],
});

test("the licenses have the text of each package, and a missing package is an error", () => {
  const root = join(folder, "licenses");
  const nested = "node_modules/a/node_modules/b";
  mkdirSync(join(root, nested), { recursive: true });
  mkdirSync(join(root, "node_modules/b"));
  writeFileSync(join(root, nested, "LICENSE.md"), "Text of b 2\n");
  const packages = {
    "node_modules/a": { version: "1.0.0" },
    "node_modules/b": { version: "1.0.0" },
    [nested]: { version: "2.0.0" },
    "node_modules/c": { version: "1.0.0" },
  };
  writeFileSync(join(root, "package-lock.json"), JSON.stringify({ packages }));
  const text = licensesOf([license("b", "2.0.0"), license("a")], [root]);
  expect(text).toContain("these 2 packages");
  expect(text).toContain("b 2.0.0\nLicense: MIT\n\nText of b 2");
  expect(text).toContain("a 1.0.0\nLicense: MIT\n\nThe package has no license file.");
  expect(() => licensesOf([license("c")], [root])).toThrow("c 1.0.0 isn't installed.");
});

const build = join(folder, "build");
for (const part of ["meta", "pages"]) mkdirSync(join(build, "builds", part), { recursive: true });
writeFileSync(join(build, "builds/latest.json"), "{}");
writeFileSync(join(build, "main.js"), "");
const target = join(folder, "out");
const written = makeArchive(target, { version: "1.2.0", date, sbom, build });
const inTarget = (command: string, words: string[], input = "") =>
  spawnSync(command, words, { cwd: target, encoding: "utf8", input });

test("the archive has the product, the build, the licenses and the SBOM below one folder", () => {
  expect(written).toEqual([
    "purser-1.2.0.tar.gz",
    "purser-1.2.0.sbom.cdx.json",
    "purser-client-1.2.0.tgz",
    "SHA256SUMS",
  ]);
  const listed = inTarget("tar", ["-tzf", "purser-1.2.0.tar.gz"]).stdout.split("\n");
  const expected = ["server/src/main.ts", "web/dist/assets/main.js", "deploy/compose.yaml"];
  for (const file of [...expected, "LICENSE", "THIRD_PARTY_LICENSES.txt", "sbom.cdx.json"])
    expect(listed).toContain(`purser-1.2.0/${file}`);
  expect(listed.filter((file) => file !== "" && !file.startsWith("purser-1.2.0/"))).toEqual([]);
});

test("the archive has the file that makes the API reference interactive, if it is installed", () => {
  expect(referenceFiles().map(isInRepository)).toEqual(hasScalar() ? [true] : []);
});

test("the package of the SDK has all its entries with their types, and no source", () => {
  const { exports } = JSON.parse(read("client/package.json")) as { exports: object };
  const listed = inTarget("tar", ["-tzf", "purser-client-1.2.0.tgz"]).stdout.trim().split("\n");
  for (const path of Object.values(exports) as string[]) {
    const file = path.replace("./", "package/");
    expect(listed).toContain(file);
    expect(listed).toContain(file.replace(/js$/, "d.ts"));
  }
  expect(
    listed.filter((file) => !/^package\/(dist\/|package\.json$|README\.md$)/.test(file)),
  ).toEqual([]);
  expect(readFileSync(join(target, "SHA256SUMS"), "utf8")).toMatch(
    / {2}purser-client-1\.2\.0\.tgz$/m,
  );
});

test("the same content gives the same archive", () => {
  const again = join(folder, "again");
  makeArchive(again, { version: "1.2.0", date, sbom: makeSbom("1.2.0", date), build });
  expect(readFileSync(join(again, "SHA256SUMS"), "utf8")).toBe(
    readFileSync(join(target, "SHA256SUMS"), "utf8"),
  );
});

test("without a build there is no archive", () => {
  const empty = join(folder, "empty");
  expect(() => makeArchive(target, { version: "1.2.0", date, sbom, build: empty })).toThrow(
    "Run `npm run build` first.",
  );
});

test("checksums and their signature can be verified, and a changed file is found", () => {
  const key = join(folder, "key");
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", key]);
  const signers = join(folder, "signers");
  writeFileSync(signers, `releases ${readFileSync(`${key}.pub`, "utf8")}`);
  signChecksums(target, key);

  const verify = (sums: string) =>
    inTarget(
      "ssh-keygen",
      [
        "-Y",
        "verify",
        "-f",
        signers,
        "-I",
        "releases",
        "-n",
        "purser-release",
        "-s",
        "SHA256SUMS.sig",
      ],
      sums,
    ).status;
  const sums = readFileSync(join(target, "SHA256SUMS"), "utf8");
  expect(verify(sums)).toBe(0);
  expect(verify(sums.replace(/^./, (digit) => (digit === "0" ? "1" : "0")))).not.toBe(0);

  expect(inTarget("sha256sum", ["-c", "SHA256SUMS"]).status).toBe(0);
  appendFileSync(join(target, "purser-1.2.0.tar.gz"), "x");
  expect(inTarget("sha256sum", ["-c", "SHA256SUMS"]).stdout).toContain(
    "purser-1.2.0.tar.gz: FAILED",
  );
});
