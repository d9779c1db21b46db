import { execFileSync } from "node:child_process";

type Release = { folder: string; version: string };

const git = (folder: string, ...words: string[]) =>
  execFileSync("git", words, { cwd: folder, encoding: "utf8" }).trim();

const isTagged = ({ folder, version }: Release) =>
  git(folder, "tag", "--list", `v${version}`) !== "";

const commitOf = (folder: string, name: string) => git(folder, "rev-parse", `${name}^{commit}`);

/** Why the tag of this version can't be the current commit. */
export const tagFaults = (release: Release) => {
  const { folder, version } = release;
  if (!isTagged(release) || commitOf(folder, `v${version}`) === commitOf(folder, "HEAD")) return [];
  return [`The tag v${version} is of another commit. Set the next version in package.json.`];
};

/** Creates the tag of this version, signed with an SSH key, unless there is one. Returns its name. */
export const tagRelease = (release: Release, key: string) => {
  const { folder, version } = release;
  const name = `v${version}`;
  const options = ["-c", "gpg.format=ssh", "-c", `user.signingKey=${key}`];
  if (!isTagged(release)) git(folder, ...options, "tag", "-s", "-m", `Purser ${version}`, name);
  return name;
};
