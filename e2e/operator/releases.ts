import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findLatest } from "../../bench/src/drills/previousRelease.ts";
import { pathOf } from "../../scripts/environment.ts";

const run = (folder: string, file: string, ...words: string[]) =>
  execFileSync(file, words, {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });

/** A clone of the newest release with its packages and its build. It is kept for the next time. */
export const buildLatest = () => {
  const { commit } = findLatest();
  const folder = join(tmpdir(), `purser-build-${commit.slice(0, 12)}`);
  if (!existsSync(folder)) {
    const partial = mkdtempSync(`${folder}-`);
    run(partial, "git", "clone", "--quiet", pathOf("."), ".");
    run(partial, "git", "checkout", "--quiet", commit);
    run(partial, "npm", "ci", "--no-audit", "--no-fund", "--prefer-offline");
    run(partial, "npm", "run", "build");
    renameSync(partial, folder);
  }
  return folder;
};

/** The files of a release, signed with a new key. A snapshot may have unreleased changes. */
const makeRelease = (checkout: string, isSnapshot: boolean) => {
  const folder = mkdtempSync(join(tmpdir(), "purser-release-files-"));
  const key = join(folder, "key");
  run(folder, "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key);
  const options = [folder, "--sign", key, ...(isSnapshot ? ["--snapshot"] : [])];
  const printed = run(checkout, process.execPath, "scripts/archive.ts", ...options);
  const [, version = ""] = /\/purser-([^/\s]+)\.tar\.gz/.exec(printed) ?? [];
  writeFileSync(join(folder, "release-signers"), `releases ${readFileSync(`${key}.pub`, "utf8")}`);
  return { checkout, folder, version };
};
export type Release = ReturnType<typeof makeRelease>;

/** The archives of the newest release and of this checkout. */
export const makeReleases = (latest: string) => ({
  previous: makeRelease(latest, false),
  current: makeRelease(pathOf("."), true),
});

/** What an operator downloads. */
export const download = ({ folder }: Release, target: string) => {
  mkdirSync(target, { recursive: true });
  cpSync(folder, target, { recursive: true, filter: (source) => !/\/key(\.pub)?$/.test(source) });
};
