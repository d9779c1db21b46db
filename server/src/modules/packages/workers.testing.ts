import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { TestProduct } from "../../testing.ts";

/** Worker processes of the product under test, as an operator starts them; ended with the test. */
export const workersOf = ({ config }: TestProduct) => {
  const environment = Object.fromEntries(
    Object.entries(config).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  );
  const startWorker = async () => {
    const main = fileURLToPath(new URL("../../main.ts", import.meta.url));
    const child = spawn(process.execPath, [main, "worker"], {
      env: { ...environment, LOG_LEVEL: "info" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const kill = async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGKILL");
      await once(child, "exit");
    };
    onTestFinished(kill);
    for await (const chunk of child.stdout) if (String(chunk).includes("worker started")) break;
    return { kill };
  };
  return { startWorker };
};
