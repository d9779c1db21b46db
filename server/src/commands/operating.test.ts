import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import pg from "pg";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { patiently } from "../patience.testing.ts";
import { childEnvironment, testConfig, testDatabase } from "../testing.ts";
import { exitOf, listening, startProcess } from "./testing.ts";

const database = await testDatabase();
afterAll(() => database.drop());

const environment = childEnvironment(testConfig(database.url), {
  HOST: "127.0.0.1",
  PORT: "0",
  LOG_LEVEL: "info",
});

const start = (words: string[], more: Record<string, string> = {}) =>
  startProcess(words, { ...environment, ...more });

const statusOf = async (url: string) => (await fetch(url)).status;

/** A port that nothing listens on. */
const freePort = async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
};

test("R2 after SIGTERM a server first says that it isn't ready, and still answers", async () => {
  const { child, said } = start(["serve"], { SHUTDOWN_DELAY_SECONDS: "2" });
  const address = await said(listening);
  expect(await statusOf(`${address}/readyz`)).toBe(200);
  child.kill("SIGTERM");
  await vi.waitFor(
    async () => expect(await statusOf(`${address}/readyz`)).toBe(503),
    patiently(10_000),
  );
  const answer = await fetch(`${address}/healthz`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("connection")).toBe("close");
  expect(await exitOf(child)).toBe(0);
});

/** A server that ends without delay, and a connection to it that has sent nothing. */
const startWithConnection = async () => {
  const { child, said, printed } = start(["serve"], { SHUTDOWN_DELAY_SECONDS: "0" });
  const { hostname, port } = new URL(await said(listening));
  const socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return { child, printed, socket, hostname, port };
};

test("R2 a connection that a browser opened in advance doesn't keep the process from ending", async () => {
  const { child, printed, hostname, port } = await startWithConnection();
  expect(await statusOf(`http://${hostname}:${port}/healthz`)).toBe(200);
  child.kill("SIGTERM");
  expect(await exitOf(child), printed.join("")).toBe(0);
});

test("R2 a request that its client never finishes doesn't keep the process from ending", async () => {
  const { child, printed, socket, hostname, port } = await startWithConnection();
  await new Promise((resolve) => socket.write("POST /api/check HTTP/1.1\r\nHost:", resolve));
  expect(await statusOf(`http://${hostname}:${port}/healthz`)).toBe(200);
  child.kill("SIGTERM");
  expect(await exitOf(child)).toBe(1);
  expect(printed.join("")).toContain("The shutdown took longer than 15 s.");
});

test.each([["serve"], ["worker"]])(
  "R6 %s exits with the schema of the previous release, and says what to run",
  async (command) => {
    const old = await testDatabase();
    onTestFinished(old.drop);
    const client = new pg.Client({ connectionString: old.url });
    await client.connect();
    // 0.5.0 doesn't have it.
    await client.query("drop table installation");
    await client.end();
    const { child, printed } = start([command], { DATABASE_URL: old.url });
    expect(await exitOf(child)).toBe(1);
    expect(printed.join("")).toBe(
      "The database isn't up to date. Run `purser migrate` of this release first.\n",
    );
  },
);

test.each([["serve"], ["worker"], ["migrate"]])(
  "R4 %s without a database exits after its wait, and says why",
  async (command) => {
    const port = await freePort();
    const { child, printed } = start([command], {
      DATABASE_URL: `postgres://127.0.0.1:${port}/purser`,
      DATABASE_WAIT_SECONDS: "1",
    });
    expect(await exitOf(child)).toBe(1);
    expect(printed.join("")).toMatch(
      /Trying for up to 1 s\.\nThe database refused the connection\./,
    );
  },
);

test("R4 a server whose port is taken exits", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  onTestFinished(() => void taken.close());
  await once(taken, "listening");
  const { child, printed } = start(["serve"], {
    PORT: String((taken.address() as AddressInfo).port),
  });
  expect(await exitOf(child)).toBe(1);
  expect(printed.join("")).toContain("The port is already in use.");
});

test("R4 a server waits for a database that starts later", async () => {
  const port = await freePort();
  const url = new URL(database.url);
  const target = { host: url.hostname, port: Number(url.port || 5432) };
  url.port = String(port);
  const { child, said } = start(["serve"], { DATABASE_URL: url.href, DATABASE_WAIT_SECONDS: "60" });
  await said(/(can't be reached)/);
  const sockets = new Set<{ destroy: () => void }>();
  const proxy = createServer((socket) => {
    const onward = connect(target);
    for (const one of [socket, onward]) {
      sockets.add(one);
      one.on("error", () => undefined);
    }
    socket.pipe(onward).pipe(socket);
  }).listen(port, "127.0.0.1");
  const address = await said(listening);
  expect(await statusOf(`${address}/readyz`)).toBe(200);
  child.kill("SIGTERM");
  expect(await exitOf(child)).toBe(0);
  for (const socket of sockets) socket.destroy();
  proxy.close();
});

test("R5 a worker has probes and metrics", async () => {
  const { child, said } = start(["worker"], { METRICS_PORT: "0" });
  const metrics = await said(/Metrics at (http:[^"]+)/);
  expect(await (await fetch(metrics)).text()).toContain("purser_jobs");
  expect(await statusOf(new URL("/healthz", metrics).href)).toBe(200);
  const ready = await fetch(new URL("/readyz", metrics));
  expect([ready.status, await ready.json()]).toEqual([
    200,
    { status: "ready", database: "ok", migrations: "ok", redis: "ok" },
  ]);
  expect(await statusOf(new URL("/", metrics).href)).toBe(404);
  await said(/(worker started)/);
  child.kill("SIGTERM");
  expect(await exitOf(child)).toBe(0);
});
