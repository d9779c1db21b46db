import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ownStore } from "../../scripts/builds.ts";
import { pathOf } from "../../scripts/environment.ts";
import { makeArchive } from "../../scripts/release/archive.ts";
import { makeSbom } from "../../scripts/release/sbom.ts";

/** The release archive of this checkout, signed with a new key, and one of a version after it, which is otherwise equal. */
export const makeArchives = (folder: string) => {
  mkdirSync(folder, { recursive: true });
  const key = join(folder, "key");
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", key]);
  const printed = execFileSync(
    process.execPath,
    ["scripts/archive.ts", folder, "--snapshot", "--sign", key],
    { cwd: pathOf("."), encoding: "utf8" },
  );
  const [, version = ""] = /\/purser-([^/\s]+)\.tar\.gz/.exec(printed) ?? [];
  writeFileSync(join(folder, "release-signers"), `releases ${readFileSync(`${key}.pub`, "utf8")}`);
  const next = `${version}-next`;
  const date = new Date();
  const other = join(folder, "next");
  makeArchive(other, { version: next, date, sbom: makeSbom(next, date), build: ownStore });
  copyFileSync(join(other, `purser-${next}.tar.gz`), join(folder, `purser-${next}.tar.gz`));
  return { version, next };
};
