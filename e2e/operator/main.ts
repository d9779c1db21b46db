import { spawnSync } from "node:child_process";
import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { playOperator } from "./operator.ts";

// A process of its own with its own mounts, and the first one of its process IDs, so that everything ends with it.
const [inside, folder = ""] = process.argv.slice(2);
if (inside === "--inside") {
  // Processes of earlier commands must not keep it running.
  await playOperator(folder).then(
    () => process.exit(),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
      process.exit(1);
    },
  );
} else {
  // Everything in it is in memory, and goes with the mounts.
  const mountPoint = mkdtempSync(join(tmpdir(), "purser-operator-"));
  const { status } = spawnSync(
    "unshare",
    [
      "--mount",
      "--pid",
      "--fork",
      "--kill-child",
      "--mount-proc",
      process.execPath,
      fileURLToPath(import.meta.url),
      "--inside",
      mountPoint,
    ],
    { stdio: "inherit" },
  );
  rmdirSync(mountPoint);
  process.exitCode = status ?? 1;
}
