import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { measureSlowness } from "../../../server/src/slowness.testing.ts";

const execute = promisify(execFile);

const root = new URL("../../../", import.meta.url).pathname;

// On two idle cores. Scaled up on a slower or busy machine.
const startMs = 30_000;

type Environment = Record<string, string>;
type Child = {
  file: string;
  args: string[];
  env: Environment;
  signal: AbortSignal;
  cwd?: string;
};

// The measured processes get nothing else from the caller's environment.
const withPath = (env: Environment) => ({ PATH: process.env["PATH"] ?? "", ...env });

/** Runs a program and returns its output. */
export const runProgram = async ({ file, args, env, signal, cwd = root }: Child) => {
  const { stdout } = await execute(file, args, { cwd, env: withPath(env), signal });
  return stdout;
};

export const runPurser = (args: string[], env: Environment, signal: AbortSignal) =>
  runProgram({ file: process.execPath, args: ["server/src/main.ts", ...args], env, signal });

export const freePort = async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("No port is free.");
  return String(address.port);
};

const isUp = (url: string) =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );

/** Starts a Node server and waits until it answers. Shows its output only if it logs nothing but errors. */
export const startServer = async (
  {
    args,
    env,
    readyPath,
    cwd = root,
  }: { args: string[]; env: Environment; readyPath: string; cwd?: string },
  signal: AbortSignal,
) => {
  const port = await freePort();
  const child = spawn(process.execPath, args, {
    cwd,
    env: withPath({ ...env, PORT: port }),
    stdio: ["ignore", env["LOG_LEVEL"] === "error" ? "inherit" : "ignore", "inherit"],
    signal,
  });
  // An abort also arrives here as an error. The code that waits for the signal reports it.
  child.on("error", () => undefined);
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const stop = async () => {
    child.kill();
    await ended;
  };
  const origin = `http://127.0.0.1:${port}`;
  const startedAt = performance.now();
  let limitMs = startMs;
  while (!(await isUp(`${origin}${readyPath}`))) {
    const waitedMs = performance.now() - startedAt;
    if (waitedMs > limitMs) limitMs = Math.max(limitMs, startMs * (await measureSlowness()));
    if (child.exitCode !== null || waitedMs > limitMs) {
      await stop();
      throw new Error(
        `${args.join(" ")} did not start within ${Math.round(limitMs / 1000)} seconds.`,
      );
    }
    await wait(100, undefined, { signal });
  }
  return { origin, pid: child.pid ?? 0, [Symbol.asyncDispose]: stop };
};
export type RunningServer = Awaited<ReturnType<typeof startServer>>;
