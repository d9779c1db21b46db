import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hashToken, newToken } from "../../../server/src/platform/auth/secrets.ts";
import { startServer } from "../setup/processes.ts";
import type { Cluster } from "./cluster.ts";
import { drillSettings } from "./installation.ts";

export type Release = { folder: string; version: string };

const root = new URL("../../../", import.meta.url).pathname;

const git = (...words: string[]) =>
  execFileSync("git", words, { cwd: root, encoding: "utf8" }).trim();

const oldestVersion = "0.5.0";
// The first migration after that version.
const firstMigration = "server/migrations/0025_backfills.sql";

const isTagged = (version: string) => git("tag", "--list", `v${version}`) !== "";

/** The tag of that release, or the last commit before the first migration after it. */
const findOldest = () => {
  if (isTagged(oldestVersion)) return `v${oldestVersion}`;
  const added = git("log", "--diff-filter=A", "--format=%H", "--", firstMigration)
    .split("\n")
    .at(-1);
  return git("rev-parse", `${added}^`);
};

/** The tag of a release, or the commit that set its version. */
const findRelease = (version: string) =>
  isTagged(version)
    ? `v${version}`
    : git("log", `-S"version": "${version}"`, "--format=%H", "--", "package.json")
        .split("\n")
        .at(-1);

/** The newest release before this commit, by the changelog. */
export const findLatest = () => {
  const changes = readFileSync(join(root, "CHANGELOG.md"), "utf8");
  const versions = [...changes.matchAll(/^## (\d+\.\d+\.\d+) /gm)].map(([, one = ""]) => one);
  const head = git("rev-parse", "HEAD");
  const version = versions.find((one) => git("rev-parse", `${findRelease(one)}^{commit}`) !== head);
  if (version === undefined) throw new Error("The changelog has no release before this commit.");
  return { version, commit: git("rev-parse", `${findRelease(version)}^{commit}`) };
};

/** The oldest release that this one updates. */
export const unpackOldest = () =>
  unpack(oldestVersion, git("rev-parse", `${findOldest()}^{commit}`));

/** The newest release. Clients of this commit meet its servers, and an update replaces them. */
export const unpackLatest = () => {
  const { version, commit } = findLatest();
  return unpack(version, commit);
};

/** A release with the packages of its own lock file. It is kept for the next drill. */
const unpack = (version: string, commit: string): Release => {
  // Not in node_modules, where Node doesn't run TypeScript.
  const folder = join(tmpdir(), `purser-release-${commit.slice(0, 12)}`);
  const release = { folder, version };
  if (existsSync(folder)) return release;
  // Its own, because two drills can start at the same time.
  const partial = mkdtempSync(`${folder}-`);
  execFileSync("sh", ["-c", `git -C "${root}" archive ${commit} | tar -x -C "${partial}"`]);
  execFileSync("npm", ["ci", "--omit=dev", "--no-audit", "--no-fund", "--prefer-offline"], {
    cwd: partial,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (existsSync(folder)) rmSync(partial, { recursive: true });
  else renameSync(partial, folder);
  return release;
};

/** A release, installed in a cluster with an owner who is signed in. */
export const installRelease = async (
  cluster: Cluster,
  { folder, version }: Release,
  signal: AbortSignal,
) => {
  const { SECRET_KEYS: key, ...shared } = drillSettings(cluster);
  const isOldest = version === oldestVersion;
  // With its errors in the output.
  const settings = {
    ...shared,
    ...(isOldest ? { SECRET_KEY: key } : { SECRET_KEYS: key }),
    LOG_LEVEL: "error",
  };
  const purser = (...words: string[]) =>
    void execFileSync(process.execPath, ["server/src/main.ts", ...words], {
      cwd: folder,
      env: { PATH: process.env["PATH"] ?? "", ...settings },
      stdio: ["ignore", "ignore", "inherit"],
    });
  purser("migrate");
  if (!isOldest) await cluster.query("update settings set second_factor_roles = '{}'", "purser");
  const token = newToken();
  const hash = Buffer.from(hashToken(token)).toString("hex");
  await cluster.query(
    `with owner as (
       insert into users (email, name, role, status) values ('drill@example.com', 'Drill', 'owner', 'active') returning id)
     insert into sessions (token_hash, user_id, created_at, last_seen_at, address, device)
     select decode('${hash}', 'hex'), id, now(), now(), '127.0.0.1', 'drill' from owner`,
    "purser",
  );
  return {
    version,
    isOldest,
    settings: { ...shared, SECRET_KEYS: key },
    cookie: `__Host-purser=${token}`,
    purser,
    start: async () => {
      // The session ends after 30 minutes without a request, and filling the database can take longer.
      await cluster.query("update sessions set created_at = now(), last_seen_at = now()", "purser");
      const args = [join(folder, "server/src/main.ts"), "serve"];
      return startServer({ args, env: settings, readyPath: "/readyz" }, signal);
    },
  };
};
