import { spawn } from "node:child_process";
import { once } from "node:events";
import { freePort, runProgram } from "./processes.ts";

/** A Redis server of its own, which can be stopped, and started again on the same port. It keeps nothing. */
export const startRedis = async (given?: string) => {
  const port = given ?? (await freePort());
  const options = { bind: "127.0.0.1", port, save: "", appendonly: "no" };
  const child = spawn(
    "redis-server",
    Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
    { stdio: "ignore" },
  );
  const exited = once(child, "exit");
  const end = (signal: NodeJS.Signals) => async () => {
    child.kill(signal);
    await exited;
  };
  const stop = end("SIGTERM");
  return {
    port,
    pid: child.pid ?? 0,
    url: `redis://127.0.0.1:${port}/0`,
    stop,
    flush: () =>
      runProgram({
        file: "redis-cli",
        args: ["-p", port, "flushall"],
        env: {},
        signal: AbortSignal.timeout(10_000),
      }),
    kill: end("SIGKILL"),
    [Symbol.asyncDispose]: stop,
  };
};
export type RunningRedis = Awaited<ReturnType<typeof startRedis>>;
