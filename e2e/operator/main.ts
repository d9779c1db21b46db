import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { playOperator } from "./operator.ts";

// A process of its own with its own mounts, and the first one of its process IDs, so that everything ends with it.
const isInside = process.argv.includes("--inside");
if (isInside) {
  // Processes of earlier commands must not keep it running.
  await playOperator().then(
    () => process.exit(),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
      process.exit(1);
    },
  );
} else {
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
    ],
    { stdio: "inherit" },
  );
  process.exitCode = status ?? 1;
}
