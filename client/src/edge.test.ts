import { runInNewContext } from "node:vm";
import { build } from "vite";
import { expect, test } from "vitest";
import { checkOf, json } from "./fakeServer.testing.ts";

/** The core as one script, which runs in a context without modules. */
const scriptOf = async () => {
  const built = await build({
    configFile: false,
    logLevel: "error",
    build: {
      write: false,
      target: "es2023",
      lib: { entry: new URL("index.ts", import.meta.url).pathname, formats: ["iife"], name: "sdk" },
    },
  });
  const [bundle] = Array.isArray(built) ? built : [built];
  const [file] = bundle && "output" in bundle ? bundle.output : [];
  return file?.type === "chunk" ? file.code : "";
};

/** What edge runtimes have: interfaces of the web, and timers that are numbers. */
const webOnly = (send: typeof fetch) => ({
  fetch: send,
  setTimeout: (run: () => void, ms: number) => Number(setTimeout(run, ms)),
  clearTimeout: (timer: number) => clearTimeout(timer),
  AbortController,
  AbortSignal,
  TextDecoder,
  crypto,
  performance,
  queueMicrotask,
});

test("the core checks, counts and closes in a runtime without anything of Node", async () => {
  const asked: string[] = [];
  const send = async (url: unknown) => {
    asked.push(new URL(String(url)).pathname);
    if (String(url).endsWith("/usage/consume"))
      return json({ ...checkOf("exports", { used: 1, remaining: 9 }), result: "recorded" });
    return json(String(url).includes("/usage") ? { items: [{ id: "e-1" }] } : checkOf("exports"));
  };
  const use = `(async () => {
    const client = sdk.createClient({ url: "https://purser.example.com", key: "k" });
    const { allowed } = await client.check("ada", "exports");
    const { result } = await client.consume("ada", "exports");
    client.record("ada", "exports", { id: "e-1" });
    return [allowed, result, await client.close(), typeof process, typeof Buffer, typeof require];
  })()`;
  const code = `${await scriptOf()};${use}`;
  const done = (await runInNewContext(code, webOnly(send as typeof fetch))) as unknown[];
  expect([...done]).toEqual([true, "recorded", 0, "undefined", "undefined", "undefined"]);
  expect(asked).toEqual(["/api/v1/check", "/api/v1/usage/consume", "/api/v1/usage"]);
});
