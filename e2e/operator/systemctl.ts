import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

// Stands for systemctl on a machine without systemd: starts the units of Purser with their commands, users, settings and
// credentials. It doesn't restart or isolate them.

const units = "/etc/systemd/system";
const state = "/run/operator";

const readUnit = (name: string) => {
  const full = name.endsWith(".service") ? name : `${name}.service`;
  const [, prefix, instance = ""] = /^(.*?)(?:@(.*))?\.service$/.exec(full) ?? [];
  const file = join(units, full.includes("@") ? `${prefix}@.service` : full);
  const credentials = join(state, "credentials", full);
  const settings = readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line) => {
      const [, key = "", value = ""] = /^(\w+)=(.*)$/.exec(line) ?? [];
      return key ? [[key, value.replaceAll("%i", instance).replaceAll("%d", credentials)]] : [];
    });
  const all = (key: string) =>
    settings.flatMap(([one, value]) => (one === key ? [value ?? ""] : []));
  return { full, credentials, all, first: (key: string) => all(key)[0] ?? "" };
};
type Unit = ReturnType<typeof readUnit>;

const pairs = (lines: string[]) =>
  Object.fromEntries(
    lines
      .filter((line) => /^\w+=/.test(line))
      .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]),
  );

/** A file overrides what the unit sets. A missing one is accepted if its name begins with a dash. */
const environmentOf = ({ all }: Unit) => ({
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  ...pairs(all("Environment")),
  ...Object.assign(
    {},
    ...all("EnvironmentFile")
      .filter((file) => !file.startsWith("-") || existsSync(file.slice(1)))
      .map((file) => pairs(readFileSync(file.replace(/^-/, ""), "utf8").split("\n"))),
  ),
});

const owned = (path: string, mode: number, user: string) => {
  spawnSync("chown", [user, path]);
  chmodSync(path, mode);
};

const provideCredentials = ({ all, first, credentials }: Unit) => {
  rmSync(credentials, { recursive: true, force: true });
  mkdirSync(credentials, { recursive: true });
  owned(credentials, 0o500, first("User"));
  for (const loaded of all("LoadCredential")) {
    const [name = "", path = ""] = loaded.split(":");
    const target = join(credentials, name);
    copyFileSync(path, target);
    owned(target, 0o400, first("User"));
  }
};

const pidFile = ({ full }: Unit) => join(state, `${full}.pid`);

/** A process whose parent doesn't ask for its exit code stays as a zombie. */
const isRunning = (pid: number) => {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
};

const start = (name: string) => {
  const unit = readUnit(name);
  for (const needed of unit.all("Requires")) start(needed);
  provideCredentials(unit);
  const logFile = join(state, `${unit.full}.log`);
  const log = openSync(logFile, "a");
  const user = [`--reuid=${unit.first("User")}`, `--regid=${unit.first("Group")}`];
  const words = [
    ...user,
    "--clear-groups",
    "--no-new-privs",
    ...unit.first("ExecStart").split(" "),
  ];
  const options = { cwd: unit.first("WorkingDirectory"), env: environmentOf(unit) };
  if (unit.first("Type") === "oneshot") {
    const { status } = spawnSync("setpriv", words, { ...options, stdio: ["ignore", log, log] });
    if (status !== 0) throw new Error(`${unit.full} failed.\n${readFileSync(logFile, "utf8")}`);
    return;
  }
  const child = spawn("setpriv", words, {
    ...options,
    stdio: ["ignore", log, log],
    detached: true,
  });
  child.unref();
  writeFileSync(pidFile(unit), String(child.pid));
};

const stop = async (name: string) => {
  const unit = readUnit(name);
  if (!existsSync(pidFile(unit))) return;
  const pid = Number(readFileSync(pidFile(unit), "utf8"));
  const limit = performance.now() + Number(unit.first("TimeoutStopSec")) * 1000;
  if (isRunning(pid)) process.kill(pid, "SIGTERM");
  while (isRunning(pid)) {
    if (performance.now() > limit) throw new Error(`${unit.full} didn't stop in time.`);
    await wait(100);
  }
  rmSync(pidFile(unit));
};

mkdirSync(state, { recursive: true });
const [action, ...words] = process.argv.slice(2);
const names = words.filter((word) => !word.startsWith("--"));
if (action === "stop" || action === "restart") for (const name of names) await stop(name);
if (action === "start" || action === "restart" || action === "enable")
  for (const name of names) start(name);
