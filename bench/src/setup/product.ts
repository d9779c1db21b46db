import { spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { startServer } from "./processes.ts";

const root = new URL("../../../", import.meta.url).pathname;

/** The environment of every product process in this run. */
export const makeSettings = (databaseUrl: string) => ({
  DATABASE_URL: databaseUrl,
  REDIS_URL: process.env["TEST_REDIS_URL"] ?? "redis://127.0.0.1:6379/15",
  REDIS_PREFIX: `bench:${randomBytes(6).toString("hex")}:`,
  PUBLIC_URL: "http://localhost:3000",
  SECRET_KEYS: randomBytes(32).toString("base64"),
  SMTP_URL: "smtp://127.0.0.1:1",
  EMAIL_FROM: "purser@example.com",
  LOG_LEVEL: "info",
});
export type Settings = ReturnType<typeof makeSettings>;

/** Headers of a change by a user of the dashboard. Each call is another change. */
export const changeHeaders = (cookie: string) => ({
  cookie,
  origin: "http://localhost:3000",
  "content-type": "application/json",
  "idempotency-key": randomUUID(),
});

/** As in deploy and `npm start`. Without them, Node keeps up to 400 MB more before it frees memory. */
const memoryLimits = ["--max-semi-space-size=8", "--max-old-space-size=512"];

/** The application name of the product's connections. */
export const productName = "purser serve";

export const startProduct = (
  settings: Settings & { CHECK_CACHE_MS?: string; OVERLOAD_DELAY_MS?: string },
  signal: AbortSignal,
) =>
  startServer(
    { args: [...memoryLimits, "server/src/main.ts", "serve"], env: settings, readyPath: "/readyz" },
    signal,
  );

export const startBare = (signal: AbortSignal) =>
  startServer({ args: ["bench/src/setup/bareFastify.ts"], env: {}, readyPath: "/" }, signal);

export const startWorker = (settings: Settings) => {
  const child = spawn(process.execPath, [...memoryLimits, "server/src/main.ts", "worker"], {
    cwd: root,
    env: { PATH: process.env["PATH"] ?? "", ...settings },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const stop = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, "exit");
  };
  return { pid: child.pid ?? 0, stop, [Symbol.asyncDispose]: () => stop("SIGKILL") };
};
