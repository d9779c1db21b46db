import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Config } from "#config.ts";
import { childEnvironment } from "#testing.ts";

const main = fileURLToPath(new URL("../../../main.ts", import.meta.url));

/** Starts a process and waits until its output matches `ready`. */
const start = async (words: string[], env: NodeJS.ProcessEnv, ready: RegExp) => {
  const child = spawn(process.execPath, [main, ...words], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const stop = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let text = "";
  // Keep reading, or the process blocks once the pipe is full.
  child.stdout.on("data", (chunk) => {
    text = `${text}${chunk}`.slice(-10_000);
    const match = ready.exec(text);
    if (match) resolve(match[1] ?? "");
  });
  void ended.then(() => reject(new Error(`purser ${words.join(" ")} ended: ${text}`)));
  return { said: await promise, stop };
};

/** Several servers and workers with the same configuration and database. */
export const startProcesses = async (
  config: Config,
  {
    servers,
    workers = 0,
    environment = {},
  }: Partial<Record<"servers" | "workers", number>> & {
    environment?: Record<string, string>;
  },
) => {
  const env = childEnvironment(config, {
    PORT: "0",
    LOG_LEVEL: "info",
    DATABASE_POOL_SIZE: "6",
    ...environment,
  });
  const some = <T>(count: number, make: () => Promise<T>) =>
    Promise.all(Array.from({ length: count }, make));
  const [serving, working] = await Promise.all([
    some(servers ?? 0, () => start(["serve"], env, /Server listening at (http:[^"]+)/)),
    some(workers, () => start(["worker"], env, /worker started/)),
  ]);
  return {
    origins: serving.map(({ said }) => said),
    stop: async () => {
      await Promise.all([...serving, ...working].map(({ stop }) => stop()));
    },
  };
};

/** Sends requests at the same moment, in turn to each server. */
export const sendAtOnce = (
  { origins, ...caller }: { origins: readonly string[]; publicUrl: string; cookie: string },
  all: readonly Sent[],
) =>
  Promise.all(
    all.map((sent, place) =>
      post({ ...caller, origin: origins[place % origins.length] ?? "" }, sent),
    ),
  );

export type Sent = { path: string; body: object; key?: string; version?: number };

/** Posts like a browser and repeats the request with the same key while the server answers 503 or 429. */
const post = async (
  { origin, publicUrl, cookie }: Record<"origin" | "publicUrl" | "cookie", string>,
  { path, body, key = randomUUID(), version }: Sent,
): Promise<{ status: number; text: string }> => {
  for (;;) {
    const response = await fetch(`${origin}/api${path}`, {
      method: "POST",
      headers: {
        cookie,
        origin: publicUrl,
        "content-type": "application/json",
        "idempotency-key": key,
        ...(version && { "if-match": `"${version}"` }),
      },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (response.status !== 503 && response.status !== 429)
      return { status: response.status, text };
    await wait(200);
  }
};
