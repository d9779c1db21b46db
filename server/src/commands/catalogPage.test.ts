import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { samplesIn } from "../docs.testing.ts";
import { atEnd, testConfig, testDatabase } from "../testing.ts";
import { catalog } from "./catalog.ts";
import { runHere } from "./testing.ts";

const page = readFileSync(new URL("../../../docs/catalog.md", import.meta.url), "utf8");
const samples = samplesIn(page);
const sampleIn = (language: string) =>
  samples.find((sample) => sample.language === language)?.code ?? "";

const database = await testDatabase();
const folder = mkdtempSync(join(tmpdir(), "purser-catalog-page-"));
atEnd(async () => {
  rmSync(folder, { recursive: true });
  await database.drop();
});
const config = testConfig(database.url);

/** The arguments of the commands on the page, with the file of the test. */
const commands = sampleIn("sh")
  .trim()
  .split("\n")
  .map((line) => line.replace(/\s+#.*$/, "").split(" "));
const file = join(folder, "catalog.yaml");
const purser = (words: readonly string[] = []) =>
  runHere(config, catalog, ...words.map((word) => (word === "catalog.yaml" ? file : word)));

test("the file on the page of the catalog can be compared, applied and exported unchanged", async () => {
  const text = sampleIn("yaml");
  writeFileSync(file, text);
  const [diff, apply] = commands.map(([program, command, ...words]) => {
    expect([program, command]).toEqual(["purser", "catalog"]);
    return words;
  });
  const compared = await purser(diff);
  expect(compared).toMatchObject({ code: 2, stderr: "" });
  expect(compared.stdout).toMatch(/^\+ /m);
  expect(await purser(apply)).toMatchObject({ code: 0, stderr: "" });
  expect((await purser(diff)).code).toBe(0);
  expect((await purser(["export", "-"])).stdout).toBe(text);
});
