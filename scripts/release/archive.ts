import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathOf } from "../environment.ts";
import { writeChecksums } from "./checksums.ts";
import { licensesOf } from "./licenses.ts";
import { copyFiles, productFiles } from "./productFiles.ts";
import { hasReference, referenceFiles } from "./reference.ts";
import type { Sbom } from "./sbom.ts";
import { packSdk } from "./sdk.ts";

export type ArchiveContent = {
  version: string;
  /** Of all files, so that the same build gives the same archive. */
  date: Date;
  sbom: Sbom;
  /** The output of `npm run build`. */
  build: string;
};

/** Copies the product to a folder, with the licenses and the SBOM of its packages. */
export const writeProduct = (folder: string, sbom: Sbom) => {
  copyFiles([...productFiles(), ...referenceFiles()], folder);
  const licenses = licensesOf(sbom.components, [
    pathOf("."),
    ...(hasReference() ? [pathOf("reference")] : []),
  ]);
  writeFileSync(join(folder, "THIRD_PARTY_LICENSES.txt"), licenses);
  writeFileSync(join(folder, "sbom.cdx.json"), textOf(sbom));
};

const textOf = (sbom: Sbom) => `${JSON.stringify(sbom, null, 2)}\n`;

const pack = (parent: string, name: string, file: string, date: Date) =>
  execFileSync("tar", [
    "--sort=name",
    `--mtime=@${Math.floor(date.getTime() / 1000)}`,
    "--owner=0",
    "--group=0",
    "--numeric-owner",
    "--mode=u+rwX,go+rX,go-w",
    "--use-compress-program=gzip -n -9",
    "-C",
    parent,
    "-cf",
    file,
    name,
  ]);

/** Writes the archive, its SBOM, the package of the SDK and their checksums to a folder, and returns the names of the files. */
export const makeArchive = (folder: string, { version, date, sbom, build }: ArchiveContent) => {
  if (!existsSync(join(build, "builds/latest.json")))
    throw new Error("No build found. Run `npm run build` first.");
  mkdirSync(folder, { recursive: true });
  const name = `purser-${version}`;
  const parent = mkdtempSync(join(tmpdir(), "purser-archive-"));
  try {
    const root = join(parent, name);
    writeProduct(root, sbom);
    cpSync(build, join(root, "web/dist/assets"), { recursive: true });
    pack(parent, name, join(folder, `${name}.tar.gz`), date);
  } finally {
    rmSync(parent, { recursive: true });
  }
  const files = [`${name}.tar.gz`, `${name}.sbom.cdx.json`, packSdk(folder, version)];
  writeFileSync(join(folder, `${name}.sbom.cdx.json`), textOf(sbom));
  writeChecksums(folder, files);
  return [...files, "SHA256SUMS"];
};
