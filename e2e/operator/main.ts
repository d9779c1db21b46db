import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { findDebian } from "./debian.ts";
import { playImage } from "./image.ts";
import { playOperator } from "./operator.ts";
import { buildLatest } from "./releases.ts";

// `npm run operator` and `npm run operator -- image`. A process of its own with its own mounts, network and process IDs, and
// the first one of them, so that everything ends with it. The network has all ports of localhost free, and reaches the
// outside through slirp4netns.

const networkOf = (pid: number | string) => readlinkSync(`/proc/${pid}/ns/net`);

const until = async (holds: () => boolean) => {
  while (!holds()) await wait(20);
};

const hasRoute = () => /^tap0\t/m.test(readFileSync("/proc/self/net/route", "utf8"));

const play = async (kind: string, folder: string, latest: string, base: string) => {
  for (const place of [folder, "/run/systemd"])
    execFileSync("mount", ["-t", "tmpfs", "tmpfs", place]);
  process.env["TMPDIR"] = folder;
  await until(hasRoute);
  if (kind === "image") await playImage(latest, folder, base);
  else await playOperator(base, latest);
};

/** Starts this file again in namespaces, and their network. */
const playInside = async (kind: string) => {
  mkdirSync("/run/systemd", { recursive: true });
  // Everything that it writes is in memory, and goes with the mounts.
  const mountPoint = mkdtempSync(join(tmpdir(), "purser-operator-"));
  const base = kind === "image" ? join(tmpdir(), "purser-operator-containers") : findDebian();
  const kinds = ["--mount", "--pid", "--net", "--fork", "--kill-child", "--mount-proc"];
  const words = [fileURLToPath(import.meta.url), "--inside", kind, mountPoint, buildLatest(), base];
  const child = spawn("unshare", [...kinds, process.execPath, ...words], { stdio: "inherit" });
  const ended = once(child, "exit");
  const pid = child.pid ?? 0;
  await until(() => networkOf(pid) !== networkOf("self"));
  const network = spawn(
    "slirp4netns",
    ["--configure", "--mtu=65520", "--disable-host-loopback", String(pid), "tap0"],
    { stdio: ["ignore", "ignore", "inherit"] },
  );
  const [status] = await ended;
  network.kill();
  rmdirSync(mountPoint);
  process.exitCode = status ?? 1;
};

const [first = "archive", kind = "", folder = "", latest = "", base = ""] = process.argv.slice(2);
if (first === "--inside")
  // Processes of earlier commands must not keep it running.
  await play(kind, folder, latest, base).then(
    () => process.exit(),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
      process.exit(1);
    },
  );
else await playInside(first);
