import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { connectChartlet } from "../../examples/chartlet/setup.ts";

const pathOf = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** The SDK and the page, as `npm run example` builds them. */
const build = () => {
  const run = (...words: string[]) => execFileSync(process.execPath, words, { cwd: pathOf(".") });
  if (!existsSync(pathOf("client/dist/index.js"))) run("client/build.ts");
  run("node_modules/vite/bin/vite.js", "build", "examples/chartlet", "--logLevel", "error");
};

const start = async (environment: Record<string, string>) => {
  const quiet = "--disable-warning=ExperimentalWarning";
  const clock = ["--import", pathOf("e2e/environment/movableClock.ts")];
  const child = spawn(
    process.execPath,
    [quiet, ...clock, pathOf("examples/chartlet/server/main.ts")],
    { env: environment, stdio: ["ignore", "pipe", "inherit", "ipc"] },
  );
  const { stdout } = child;
  if (!stdout) throw new Error("Chartlet has no output.");
  await Promise.race([
    once(createInterface({ input: stdout }), "line"),
    once(child, "exit").then(([code]) => {
      throw new Error(`Chartlet ended with ${code}.`);
    }),
  ]);
  return child;
};

type Connection = { purser: { url: string; cookie: string }; port: number };

/** The example that is sold with this Purser, as a process of its own. */
export const startChartlet = async ({ purser, port }: Connection) => {
  build();
  const url = `http://127.0.0.1:${port}`;
  const settings = await connectChartlet(purser, url);
  const folder = mkdtempSync(join(tmpdir(), "purser-chartlet-"));
  const environment = { ...settings, PORT: String(port), CHARTLET_DATA: folder };
  let child: ChildProcess = await start(environment);

  const end = async (signal: "SIGTERM" | "SIGKILL") => {
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  };
  return {
    url,
    key: settings.PURSER_KEY,
    /** Moves the clock of the process ahead. */
    wait: async (milliseconds: number) => {
      const moved = once(child, "message");
      child.send(milliseconds);
      await moved;
    },
    /** Kills the process, which gets no chance to save anything, and starts another one. */
    killAndStart: async () => {
      await end("SIGKILL");
      child = await start(environment);
    },
    stop: async () => {
      await end("SIGTERM");
      rmSync(folder, { recursive: true });
    },
  };
};
