import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { tagFaults, tagRelease } from "../../../scripts/release/tag.ts";
import { read } from "./facts.testing.ts";

/** A repository with one commit and a key that its tags are signed with. */
const newRepository = () => {
  const folder = mkdtempSync(join(tmpdir(), "purser-tag-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const git = (...words: string[]) =>
    execFileSync("git", words, {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
  git("init", "-q");
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.com");
  const commit = () => git("commit", "-q", "--allow-empty", "-m", "A change.");
  commit();
  const key = join(folder, "key");
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", key]);
  const signers = join(folder, "signers");
  writeFileSync(signers, `ada@example.com ${readFileSync(`${key}.pub`, "utf8")}`);
  const verify = (name: string) =>
    git("-c", `gpg.ssh.allowedSignersFile=${signers}`, "verify-tag", name);
  return { folder, key, git, commit, verify };
};

test("a release creates its signed tag once, and a version isn't released from two commits", () => {
  const { folder, key, git, commit, verify } = newRepository();
  const release = { folder, version: "1.2.0" };
  expect(tagFaults(release)).toEqual([]);
  expect(tagRelease(release, key)).toBe("v1.2.0");
  verify("v1.2.0");
  const tagged = git("rev-parse", "v1.2.0");
  expect(tagFaults(release)).toEqual([]);
  expect(tagRelease(release, key)).toBe("v1.2.0");
  expect(git("rev-parse", "v1.2.0")).toBe(tagged);

  commit();
  expect(tagFaults(release)).toEqual([
    "The tag v1.2.0 is of another commit. Set the next version in package.json.",
  ]);
  expect(tagFaults({ folder, version: "1.3.0" })).toEqual([]);
});

test("the SDK has the version of Purser", () => {
  const versionIn = (file: string) => JSON.parse(read(file)).version;
  expect(versionIn("client/package.json")).toBe(versionIn("package.json"));
});
