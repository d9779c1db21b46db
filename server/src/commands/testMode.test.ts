import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { patiently } from "../patience.testing.ts";
import { installTestClock } from "../platform/testMode/install.ts";
import { openModeRouter } from "../platform/testMode/modeRouter.ts";
import { childEnvironment, testDatabase } from "../testing.ts";
import { bothModes } from "../testMode/bothModes.testing.ts";
import { testModeConfig } from "../testMode/config.ts";
import { exitOf, listening, startProcess } from "./testing.ts";
import { openTestModeProduct } from "./testMode.ts";

const { live } = await bothModes();
const admin = await live.signIn("admin");
const headers = { cookie: admin.cookie };
await live.app.ready();

const start = (command: string, more: Record<string, string> = {}) =>
  startProcess([command], {
    ...childEnvironment(live.config, { HOST: "127.0.0.1", PORT: "0", LOG_LEVEL: "info" }),
    ...more,
  });

const modeOf = async (address: string) => {
  const answer = await fetch(`${address}/readyz`);
  return JSON.parse(await answer.text()).testMode;
};

const untilMode = (address: string, mode: string) =>
  vi.waitFor(async () => expect(await modeOf(address)).toBe(mode), {
    timeout: patiently(20_000),
    interval: 50,
  });

/** A database that accepts connections and never answers. */
const silentDatabase = async () => {
  const sockets = new Set<{ destroy: () => void }>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
  }).listen(0, "127.0.0.1");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  await once(server, "listening");
  return `postgres://127.0.0.1:${(server.address() as AddressInfo).port}/purser`;
};

test("an open stream of test mode doesn't delay the end of a server", async () => {
  const { child, said } = start("serve");
  const address = await said(listening);
  await untilMode(address, "ok");
  const stream = await fetch(`${address}/api/test/events`, { headers });
  expect(stream.status).toBe(200);
  await stream.body?.getReader().read();
  const began = performance.now();
  child.kill("SIGTERM");
  expect(await exitOf(child)).toBe(0);
  // Without an end from the server, a stream is open as long as its page.
  expect(performance.now() - began).toBeLessThan(patiently(8000));
});

test.each(["serve", "worker"])(
  "%s starts without waiting for the database of test mode",
  async (command) => {
    const { child, said, printed } = start(command, {
      TEST_MODE_DATABASE_URL: await silentDatabase(),
    });
    await said(command === "serve" ? listening : /(worker started)/);
    expect(printed.join("")).not.toContain("test mode can't be opened");
    child.kill("SIGTERM");
    expect(await exitOf(child)).toBe(0);
  },
);

test("with a database that isn't set up for test mode, live runs and test mode answers 503 until it is", async () => {
  const database = await testDatabase();
  onTestFinished(database.drop);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query("update installation set id = gen_random_uuid()");
  await client.end();
  const config = testModeConfig({ ...live.config, TEST_MODE_DATABASE_URL: database.url });
  if (!config) throw new Error("Test mode isn't configured.");
  const router = openModeRouter(live.config, config);
  const lines: string[] = [];
  const log = Object.assign(Object.create(live.platform.log), {
    error: (...words: unknown[]) => void lines.push(JSON.stringify(words)),
  });
  const opened = openTestModeProduct(config, {
    live: { ...live.platform, log },
    name: "test",
    works: false,
    serves: { app: live.app, router },
    retryMs: 20,
  });
  onTestFinished(opened.close);
  const server = router.serverFactory(live.app.routing as never, {}).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await vi.waitFor(() => expect(router.state()).toBe("misconfigured"), patiently(10_000));
  const refused = await fetch(`${address}/api/test/apps`, { headers });
  expect([refused.status, await refused.text()]).toEqual([
    503,
    expect.stringContaining("The log of the server says why."),
  ]);
  expect((await fetch(`${address}/api/apps`, { headers })).status).toBe(200);
  expect(lines).toEqual([expect.stringContaining("isn't set up for test mode")]);
  await installTestClock(database.url);
  await vi.waitFor(() => expect(router.state()).toBe("ok"), patiently(10_000));
  expect((await fetch(`${address}/api/test/apps`, { headers })).status).toBe(200);
});
