import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { relative } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { builtRoutes } from "@purser/contract/pages/routes";
import {
  type BuildMeta,
  buildMeta,
  type LatestBuild,
  latestBuild,
} from "@purser/contract/pages/runtime";
import { pathOf } from "./environment.ts";

const keptDays = 14;
const keptBuilds = 5;

const dist = pathOf("web/dist");
/** The output of `npm run build`: a store with one release, which the server uses by default. */
export const ownStore = `${dist}/assets`;

const parts = (store: string) => ({
  latest: `${store}/builds/latest.json`,
  metas: `${store}/builds/meta`,
  meta: (id: string) => `${store}/builds/meta/${id}.json`,
  page: (id: string) => `${store}/builds/pages/${id}.html`,
});

const makeFolders = (store: string) => {
  for (const folder of ["meta", "pages"])
    mkdirSync(`${store}/builds/${folder}`, { recursive: true });
};

const filesIn = (store: string) =>
  readdirSync(store, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();

/** Writes atomically, so that no reader sees half a file. */
const put = (path: string, content: string) => {
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, content);
  renameSync(unfinished, path);
};

const asJson = (value: LatestBuild | BuildMeta) => `${JSON.stringify(value)}\n`;

const readLatest = (store: string) =>
  latestBuild.parse(JSON.parse(readFileSync(parts(store).latest, "utf8")));

const readMetas = (store: string) =>
  readdirSync(parts(store).metas)
    .filter((name) => name.endsWith(".json"))
    .map((name) =>
      buildMeta.parse(JSON.parse(readFileSync(`${parts(store).metas}/${name}`, "utf8"))),
    );

/** The commit being built: from the Git history, or from COMMIT where there is none, as in an image build. */
const commitOf = () => {
  const { COMMIT: given } = process.env;
  if (given) return given;
  try {
    const options = { cwd: pathOf("."), encoding: "utf8", stdio: "pipe" } as const;
    return execFileSync("git", ["rev-parse", "HEAD"], options).trim();
  } catch {
    return null;
  }
};

/** Compressed at build time instead of on every request. */
export const compressFiles = () => {
  for (const file of filesIn(ownStore).filter((name) => /\.(js|css|svg|json)$/.test(name))) {
    const content = readFileSync(`${ownStore}/${file}`);
    writeFileSync(`${ownStore}/${file}.br`, brotliCompressSync(content));
    writeFileSync(`${ownStore}/${file}.gz`, gzipSync(content, { level: 9 }));
  }
};

/** The build id is a hash of its content, so building the same again is no new release. */
export const describeBuild = (timestamp = Date.now()) => {
  const page = readFileSync(`${dist}/index.html`, "utf8");
  const files = filesIn(ownStore);
  const { version } = JSON.parse(readFileSync(pathOf("package.json"), "utf8"));
  const id = createHash("sha256")
    .update(JSON.stringify([files, page]))
    .digest("hex")
    .slice(0, 16);
  const latest = { id, timestamp, minClient: null };
  makeFolders(ownStore);
  put(parts(ownStore).page(id), page);
  put(
    parts(ownStore).meta(id),
    asJson({ ...latest, version, commit: commitOf(), routes: [...builtRoutes], files }),
  );
  put(parts(ownStore).latest, asJson(latest));
  return id;
};

/** Files before metadata, so that a page of this build works as soon as it is found. */
export const stage = (store: string, build = ownStore) => {
  const { id } = readLatest(build);
  makeFolders(store);
  for (const file of filesIn(build))
    if (!existsSync(`${store}/${file}`)) {
      copyFileSync(`${build}/${file}`, `${store}/${file}.${process.pid}`);
      renameSync(`${store}/${file}.${process.pid}`, `${store}/${file}`);
    }
  if (!existsSync(parts(store).meta(id))) {
    put(parts(store).page(id), readFileSync(parts(build).page(id), "utf8"));
    put(parts(store).meta(id), readFileSync(parts(build).meta(id), "utf8"));
  }
  return id;
};

/** The current release of a store, or null if it has none yet. */
export const currentOf = (store: string) =>
  existsSync(parts(store).latest) ? readLatest(store) : null;

/**
 * Makes a second store that has all files of the first, but another current release. An image has both, so that its
 * instances can serve the files of a new release before any page refers to them.
 */
export const linkStore = (store: string, folder: string, current: LatestBuild) => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(`${folder}/builds`, { recursive: true });
  for (const file of [...filesIn(store), "builds/meta", "builds/pages"]) {
    const own = `${folder}/${file}`;
    // Relative links, because an image moves both folders together.
    symlinkSync(relative(`${own}/..`, `${store}/${file}`), own);
  }
  put(parts(folder).latest, asJson(current));
};

type Switch = {
  /** Pages of older builds can no longer write. */
  force: boolean;
};

/** Releases the build by replacing one file; from then on every instance serves it. */
export const switchTo = (store: string, id: string, { force }: Switch) => {
  const { timestamp } = buildMeta.parse(JSON.parse(readFileSync(parts(store).meta(id), "utf8")));
  const minClient = force ? id : (currentOf(store)?.minClient ?? null);
  put(parts(store).latest, asJson({ id, timestamp, minClient }));
};

/** Removes files of builds that no open page can still use. */
export const clearOld = (store: string, now = Date.now()) => {
  const { id: latest, minClient } = readLatest(store);
  const metas = readMetas(store).sort((a, b) => b.timestamp - a.timestamp);
  const isKept = ({ id, timestamp }: BuildMeta, place: number) =>
    id === latest ||
    id === minClient ||
    place < keptBuilds ||
    timestamp > now - keptDays * 86_400_000;
  const old = metas.filter((meta, place) => !isKept(meta, place));
  const used = new Set(metas.filter(isKept).flatMap(({ files }) => files));
  const removed = [...new Set(old.flatMap(({ files }) => files))].filter((file) => !used.has(file));
  for (const file of removed) rmSync(`${store}/${file}`, { force: true });
  for (const { id } of old)
    for (const file of [parts(store).meta(id), parts(store).page(id)])
      rmSync(file, { force: true });
  return { builds: old.length, files: removed.length };
};
