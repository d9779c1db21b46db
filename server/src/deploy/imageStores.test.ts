import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { testProduct } from "#testing.ts";
import { clearOld, currentOf, linkStore, stage, switchTo } from "../../../scripts/builds.ts";

const folder = mkdtempSync(join(tmpdir(), "purser-images-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const [oldId, newId] = ["1111111111111111", "2222222222222222"];

/** The output of a build with one file. */
const makeBuild = (id: string, timestamp: number) => {
  const build = join(folder, `build-${id}`);
  for (const part of ["meta", "pages"]) mkdirSync(join(build, "builds", part), { recursive: true });
  const file = `main-${id}.js`;
  const latest = { id, timestamp, minClient: null };
  const meta = { ...latest, version: "1", commit: null, routes: [], files: [file] };
  writeFileSync(join(build, file), `// ${id}\n`);
  writeFileSync(
    join(build, `builds/pages/${id}.html`),
    `<title>${id}</title><script type="application/json">"%RUNTIME%"</script><script src="./assets/${file}"></script>`,
  );
  writeFileSync(join(build, `builds/meta/${id}.json`), JSON.stringify(meta));
  writeFileSync(join(build, "builds/latest.json"), JSON.stringify(latest));
  return build;
};

/** What the Containerfile does: the builds of the previous image, and the new one on top. */
const makeImage = (name: string, build: string, previous: string | null) => {
  const [store, staged] = [join(folder, name, "store"), join(folder, name, "store-staged")];
  if (previous) {
    stage(store, previous);
    switchTo(store, oldId, { force: false });
  }
  const before = currentOf(store);
  switchTo(store, stage(store, build), { force: false });
  clearOld(store);
  const current = before ?? currentOf(store);
  if (current) linkStore(store, staged, current);
  return { store, staged };
};

const [oldBuild, newBuild] = [makeBuild(oldId, 1000), makeBuild(newId, 2000)];
const oldImage = makeImage("old", oldBuild, null);
const newImage = makeImage("new", newBuild, oldBuild);

const instanceOf = async (store: string) => {
  const { app } = await testProduct({ environment: { RELEASE_STORE: store } });
  return {
    /** The file that a page of this instance loads. */
    fileOfPage: async () => {
      const { body } = await app.inject({ url: "/apps", headers: { accept: "text/html" } });
      return /src="([^"]+)"/.exec(body)?.[1] ?? "";
    },
    has: async (file: string) => (await app.inject({ url: file })).statusCode === 200,
  };
};
const instances = {
  old: await instanceOf(oldImage.store),
  staged: await instanceOf(newImage.staged),
  new: await instanceOf(newImage.store),
};
type Name = keyof typeof instances;

/** Pages of one instance whose file another one, to which the load balancer may send the request, doesn't have. */
const missingAmong = async (names: readonly Name[]) => {
  const missing: string[] = [];
  for (const page of names) {
    const file = await instances[page].fileOfPage();
    for (const other of names)
      if (!(await instances[other].has(file))) missing.push(`${file} of ${page} on ${other}`);
  }
  return missing;
};

test("R7 instances without a shared folder have the files of each other's pages, in each step of a rollout", async () => {
  expect(await missingAmong(["old", "staged"])).toEqual([]);
  expect(await missingAmong(["staged", "new"])).toEqual([]);
  // The step between them exists because of this.
  expect(await missingAmong(["old", "new"])).toEqual([`/assets/main-${newId}.js of new on old`]);
});

test("R7 a new image serves the new page, and before that the previous one", async () => {
  expect(await instances.staged.fileOfPage()).toBe(`/assets/main-${oldId}.js`);
  expect(await instances.new.fileOfPage()).toBe(`/assets/main-${newId}.js`);
  expect(await instances.staged.has(`/assets/builds/meta/${newId}.json`)).toBe(true);
});

test("R7 the first image has only its own build, in both stores", () => {
  expect(currentOf(oldImage.store)?.id).toBe(oldId);
  expect(currentOf(oldImage.staged)?.id).toBe(oldId);
});
