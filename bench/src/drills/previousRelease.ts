import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hashToken, newToken } from "../../../server/src/platform/auth/secrets.ts";
import { startServer } from "../setup/processes.ts";
import type { Cluster } from "./cluster.ts";
import { drillSettings } from "./installation.ts";

const root = new URL("../../../", import.meta.url).pathname;

const git = (...words: string[]) =>
  execFileSync("git", words, { cwd: root, encoding: "utf8" }).trim();

const previousVersion = "0.5.0";
// The first migration after that version.
const firstMigration = "server/migrations/0025_backfills.sql";

/** The tag of the previous release, or the last commit before the first migration after it. */
const findCommit = () => {
  if (git("tag", "--list", `v${previousVersion}`) !== "") return `v${previousVersion}`;
  const added = git("log", "--diff-filter=A", "--format=%H", "--", firstMigration)
    .split("\n")
    .at(-1);
  return git("rev-parse", `${added}^`);
};

/** The previous release with the packages of its own lock file. It is kept for the next drill. */
export const unpackPrevious = () => {
  const commit = git("rev-parse", `${findCommit()}^{commit}`);
  // Not in node_modules, where Node doesn't run TypeScript.
  const folder = join(tmpdir(), `purser-release-${commit.slice(0, 12)}`);
  const release = { folder, version: previousVersion };
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

/** The previous release, installed in a cluster with an owner who is signed in. */
export const installPrevious = async (cluster: Cluster, signal: AbortSignal) => {
  const { folder, version } = unpackPrevious();
  const { SECRET_KEYS: key, ...shared } = drillSettings(cluster);
  // With its errors in the output.
  const settings = { ...shared, SECRET_KEY: key, LOG_LEVEL: "error" };
  const purser = (...words: string[]) =>
    void execFileSync(process.execPath, ["server/src/main.ts", ...words], {
      cwd: folder,
      env: { PATH: process.env["PATH"] ?? "", ...settings },
      stdio: ["ignore", "ignore", "inherit"],
    });
  purser("migrate");
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
    settings: { ...shared, SECRET_KEYS: key },
    cookie: `__Host-purser=${token}`,
    purser,
    start: () =>
      startServer(
        {
          args: [join(folder, "server/src/main.ts"), "serve"],
          env: settings,
          readyPath: "/readyz",
        },
        signal,
      ),
  };
};
