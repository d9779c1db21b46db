import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";

const run = (file: string, ...words: string[]) => execFileSync(file, words, { encoding: "utf8" });

/** The Debian folder and, over it, what the machine writes, in memory. */
const mountDisk = (debian: string) => {
  const folder = mkdtempSync(join(tmpdir(), "purser-machine-"));
  run("mount", "-t", "tmpfs", "tmpfs", folder);
  const [upper, work, root] = ["upper", "work", "root"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [upper, work, root]) mkdirSync(path);
  const layers = `lowerdir=${debian},upperdir=${upper},workdir=${work}`;
  run("mount", "-t", "overlay", "overlay", "-o", layers, root);
  // Of the network in which the test runs.
  copyFileSync(
    "/etc/ssl/certs/ca-certificates.crt",
    join(root, "etc/ssl/certs/ca-certificates.crt"),
  );
  return {
    root,
    log: join(folder, "console.log"),
    remove: () => {
      run("umount", "--lazy", root);
      run("umount", "--lazy", folder);
      rmdirSync(folder);
    },
  };
};

/** The process that is the first one of a container. */
const findFirst = (container: number) =>
  readdirSync("/proc").find((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      return new RegExp(`^PPid:\t${container}$`, "m").test(status) && /^NSpid:.*\t1$/m.test(status);
    } catch {
      return false;
    }
  });

const bootSeconds = 120;

/** Starts systemd on the disk. It has the network of this process. */
const boot = async (disk: ReturnType<typeof mountDisk>) => {
  const log = openSync(disk.log, "w");
  const words = ["--register=no", "--keep-unit", "--settings=no", "--resolv-conf=replace-host"];
  const container = spawn(
    "systemd-nspawn",
    ["--quiet", "--boot", `--directory=${disk.root}`, "--machine=purser", ...words],
    { stdio: ["ignore", log, log] },
  );
  const stopped = once(container, "exit");
  const startedAt = performance.now();
  for (;;) {
    const first = findFirst(container.pid ?? 0);
    if (first) return { first, stopped };
    if (container.exitCode !== null || performance.now() - startedAt > bootSeconds * 1000)
      throw new Error(`The machine didn't start.\n${readFileSync(disk.log, "utf8")}`);
    await wait(50);
  }
};

/**
 * A Debian with systemd on which an operator can install and destroy things as root. Requires mounts and process IDs of its
 * own, which end it.
 */
export const startMachine = async (debian: string, environment: Record<string, string>) => {
  const disk = mountDisk(debian);
  const { first, stopped } = await boot(disk);
  let cwd = "/root";
  const path = (of: string) => join(disk.root, of);
  const attempt = async (command: string) => {
    const script = `cd ${cwd}\n${command} || exit 1\npwd >&3`;
    const enter = ["--target", first, "--mount", "--uts", "--ipc", "--pid", "--cgroup"];
    const child = spawn("nsenter", [...enter, "--root", "--wd", "/bin/sh", "-e", "-c", script], {
      stdio: ["ignore", "pipe", "pipe", "pipe"],
      env: {
        PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        HOME: "/root",
        LC_ALL: "C.UTF-8",
        ...environment,
      },
    });
    const ended = once(child, "exit").then(([code]) => code);
    const [stdout = "", stderr = "", at = ""] = await Promise.all(
      child.stdio.slice(1).map((stream) => (stream instanceof Readable ? text(stream) : "")),
    );
    const status = await ended;
    if (status === 0) cwd = at.trim();
    return { status, stdout, stderr };
  };
  const hasBooted = async () =>
    /^(running|degraded)$/m.test((await attempt("systemctl is-system-running")).stdout);
  const startedAt = performance.now();
  while (!(await hasBooted())) {
    if (performance.now() - startedAt > bootSeconds * 1000)
      throw new Error(`The machine isn't running.\n${readFileSync(disk.log, "utf8")}`);
    await wait(200);
  }
  return {
    path,
    /** Runs a command in the folder where the last one ended. Returns what it printed. The mailbox answers meanwhile. */
    run: async (command: string) => {
      process.stdout.write(`operator: # ${command}\n`);
      const { status, stdout, stderr } = await attempt(command);
      if (status === 0) return stdout;
      const journal = await attempt("journalctl --no-pager --lines=50");
      throw new Error(`${command} failed with ${status}.\n${stdout}${stderr}\n${journal.stdout}`);
    },
    edit: (file: string, change: (content: string) => string) =>
      writeFileSync(path(file), change(readFileSync(path(file), "utf8"))),
    /** Ends all its processes at once and deletes its disk, like a fire. */
    destroy: async () => {
      process.kill(Number(first), "SIGKILL");
      await stopped;
      disk.remove();
    },
  };
};
export type Machine = Awaited<ReturnType<typeof startMachine>>;
