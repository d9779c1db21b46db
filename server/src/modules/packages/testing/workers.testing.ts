import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { createLog } from "#platform/log.ts";
import { compose } from "../../../compose.ts";
import { childEnvironment, type TestProduct } from "../../../testing.ts";

/** Workers of the product under test, in their own process or in this one; stopped with the test. */
export const workersOf = ({ config }: TestProduct) => {
  const startWorker = async () => {
    const main = fileURLToPath(new URL("../../../main.ts", import.meta.url));
    const child = spawn(process.execPath, [main, "worker"], {
      env: childEnvironment(config, { LOG_LEVEL: "info" }),
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
  /** Runs the jobs in this process, for tests that kill no worker. */
  const work = async () => {
    const log = createLog("error", { write: (line) => void process.stderr.write(line) });
    const worker = await compose(config, { name: "worker", works: true, log });
    onTestFinished(worker.close);
    await worker.work();
  };
  return { startWorker, work };
};
