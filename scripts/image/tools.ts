import { execFileSync, spawnSync } from "node:child_process";
import { pathOf } from "../environment.ts";

const needed = ["buildah", "podman", "debootstrap", "runc"];

/** The tools that are missing on this machine. */
export const missingTools = () =>
  needed.filter((name) => spawnSync("which", [name], { stdio: "ignore" }).status !== 0);

const options = { cwd: pathOf("."), encoding: "utf8", maxBuffer: 64 * 1024 * 1024 } as const;

/** Runs a command and returns its output. A failure shows what it wrote. */
export const run = (command: string, ...words: string[]) =>
  execFileSync(command, words, { ...options, stdio: ["ignore", "pipe", "inherit"] }).trim();

/** Runs a command whose output is long, and shows it. */
export const runLoudly = (command: string, ...words: string[]) => {
  execFileSync(command, words, { ...options, stdio: "inherit" });
};

/** The result of a command that may fail. */
export const attempt = (command: string, ...words: string[]) => spawnSync(command, words, options);

// crun, the default runtime, can't be used on machines with both versions of cgroups.
const runtime = ["--runtime", "runc"];
const limits = ["--ulimit", "nofile=1024:1024", "--ulimit", "nproc=1024:1024"];

/** Podman in the network of this machine. */
export const podmanWords = [
  ...runtime,
  "run",
  "--network=host",
  // Podman runs health checks with systemd, which not every machine has. They are checked on their own.
  "--no-healthcheck",
  ...limits,
];

/** Runs the image as deploy/compose.yaml does. */
export const containerWords = (
  image: string,
  environment: Record<string, string>,
  more: readonly string[] = [],
) => [
  ...podmanWords,
  "--read-only",
  "--tmpfs=/tmp",
  "--cap-drop=ALL",
  ...Object.entries(environment).flatMap(([name, value]) => ["-e", `${name}=${value}`]),
  ...more,
  image,
];
