import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathOf } from "../environment.ts";
import { hasReference } from "./reference.ts";

export type Component = {
  name: string;
  version: string;
  purl: string;
  licenses?: { license?: { id?: string; name?: string }; expression?: string }[];
};
export type Sbom = {
  serialNumber: string;
  metadata: { timestamp: string };
  components: Component[];
};

/** The workspaces whose packages reach an installation. Those of `web` are bundled into the pages. */
const shipped = ["contract", "server", "web"];

type Package = { version?: string; dev?: boolean; devOptional?: boolean };

const readJson = (path: string) => JSON.parse(readFileSync(path, "utf8"));
const writeJson = (path: string, value: unknown) => writeFileSync(path, JSON.stringify(value));

const isShipped = (place: string, { dev, devOptional }: Package) => {
  if (dev || devOptional) return false;
  const [, workspace = place] = /^node_modules\/@purser\/(.+)$/.exec(place) ?? [];
  const isPackage = workspace === "" || workspace.startsWith("node_modules/");
  return isPackage || shipped.includes(workspace.split("/")[0] ?? "");
};

/**
 * Copies the package files without development tools. `npm sbom --omit dev` would also leave out what the product needs, if
 * it is a development tool of another workspace. npm also refuses workspaces without a version.
 */
const copyPackageFiles = (folder: string, version: string) => {
  const { devDependencies: _, ...root } = readJson(pathOf("package.json"));
  const lock: { packages: Record<string, Package> } = readJson(pathOf("package-lock.json"));
  const kept = Object.entries(lock.packages).filter(([place, own]) => isShipped(place, own));
  const packages = Object.fromEntries(kept);
  packages[""] = { ...root, version, workspaces: shipped } as Package;
  for (const workspace of shipped) {
    const { devDependencies: __, ...own } = readJson(pathOf(`${workspace}/package.json`));
    mkdirSync(join(folder, workspace));
    writeJson(join(folder, workspace, "package.json"), { ...own, version });
    packages[workspace] = { ...own, version };
  }
  writeJson(join(folder, "package.json"), { ...root, version, workspaces: shipped });
  writeJson(join(folder, "package-lock.json"), { ...lock, packages });
};

/** Names everything that varies between two runs by the content, so that the same commit gives the same file. */
const withoutChance = (sbom: Sbom, date: Date): Sbom => {
  const hash = createHash("sha256").update(JSON.stringify(sbom.components)).digest("hex");
  const id = hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-8$3-8$4-$5");
  return {
    ...sbom,
    serialNumber: `urn:uuid:${id}`,
    metadata: { ...sbom.metadata, timestamp: date.toISOString() },
  };
};

const sbomOf = (folder: string): Sbom =>
  JSON.parse(
    execFileSync("npm", ["sbom", "--sbom-format=cyclonedx", "--package-lock-only"], {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      maxBuffer: 64 * 1024 * 1024,
    }),
  );

/** The package files of the API reference, which have no version. */
const copyReferenceFiles = (folder: string, version: string) => {
  for (const name of ["package.json", "package-lock.json"])
    writeJson(join(folder, name), { ...readJson(pathOf(`reference/${name}`)), version });
};

/** Also the packages of the API reference, which are bundled into one file. */
const merge = (sbom: Sbom, reference: Sbom): Sbom => {
  const all = [...sbom.components, ...reference.components];
  const byUrl = new Map(all.toReversed().map((component) => [component.purl, component]));
  return { ...sbom, components: all.filter((one) => byUrl.get(one.purl) === one) };
};

/** npm names the whole after its folder. */
const inFolder = (work: (folder: string) => void) => {
  const parent = mkdtempSync(join(tmpdir(), "purser-sbom-"));
  const folder = join(parent, "purser");
  try {
    mkdirSync(folder);
    work(folder);
    return sbomOf(folder);
  } finally {
    rmSync(parent, { recursive: true });
  }
};

/** The packages that an installation contains, in the CycloneDX format. */
export const makeSbom = (version: string, date: Date): Sbom => {
  const sbom = inFolder((folder) => copyPackageFiles(folder, version));
  if (!hasReference()) return withoutChance(sbom, date);
  const reference = inFolder((folder) => copyReferenceFiles(folder, version));
  return withoutChance(merge(sbom, reference), date);
};
