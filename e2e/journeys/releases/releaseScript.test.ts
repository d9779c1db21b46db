import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "@playwright/test";
import { buildMeta, latestBuild } from "@purser/contract/pages/runtime";

// @nightly: The gate makes one release; clearing old ones takes several builds.

const script = fileURLToPath(new URL("../../../scripts/release.ts", import.meta.url));
const folders: string[] = [];
const newStore = () => {
  const folder = mkdtempSync(join(tmpdir(), "purser-store-"));
  folders.push(folder);
  return folder;
};
test.afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const release = (...words: string[]) =>
  execFileSync(process.execPath, [script, ...words], { encoding: "utf8" });

const readJson = (store: string, file: string) =>
  JSON.parse(readFileSync(join(store, file), "utf8"));

test("3.3 S7.4 S7.5 A release publishes its files first and its build ID last", () => {
  const store = newStore();
  release(store, "--stage");
  expect(existsSync(join(store, "builds/latest.json"))).toBe(false);
  const [file = ""] = readdirSync(join(store, "builds/meta"));
  const meta = buildMeta.parse(readJson(store, `builds/meta/${file}`));
  expect(meta.files.filter((name) => !existsSync(join(store, name)))).toEqual([]);
  expect(existsSync(join(store, `builds/pages/${meta.id}.html`))).toBe(true);

  release(store);
  const latest = latestBuild.parse(readJson(store, "builds/latest.json"));
  expect(latest).toEqual({ id: meta.id, timestamp: meta.timestamp, minClient: null });
  // Again is no other release, and leaves nothing half done behind.
  release(store);
  expect(latestBuild.parse(readJson(store, "builds/latest.json"))).toEqual(latest);
  expect(readdirSync(join(store, "builds")).sort()).toEqual(["latest.json", "meta", "pages"]);

  release(store, "--force");
  expect(readJson(store, "builds/latest.json").minClient).toBe(meta.id);
});

test("3.3 Old builds are removed, except those younger than 14 days, the last five and files in use @nightly", () => {
  const store = newStore();
  release(store);
  const { id } = readJson(store, "builds/latest.json");
  const own = readJson(store, `builds/meta/${id}.json`);
  const put = (place: number, daysAgo: number) => {
    const old = String(place).repeat(16);
    const files = [`only-${place}.js`, own.files[0]];
    writeFileSync(join(store, `only-${place}.js`), "");
    const timestamp = own.timestamp - daysAgo * 86_400_000;
    writeFileSync(
      join(store, `builds/meta/${old}.json`),
      JSON.stringify({ ...own, id: old, timestamp, files }),
    );
    writeFileSync(join(store, `builds/pages/${old}.html`), "");
  };
  const ages = [1, 2, 3, 13, 15, 16, 17];
  for (const [place, days] of ages.entries()) put(place + 1, days);
  release(store);
  const kept = readdirSync(store)
    .filter((name) => name.startsWith("only-"))
    .sort();
  expect(kept).toEqual(["only-1.js", "only-2.js", "only-3.js", "only-4.js"]);
  expect(readdirSync(join(store, "builds/meta"))).toHaveLength(5);
  expect(existsSync(join(store, own.files[0]))).toBe(true);
});

test("The release script without a folder prints its usage @nightly", () => {
  expect(() => release()).toThrow(/npm run release -- <store directory>/);
});
