import { expect, test } from "vitest";
import { createFileWorker } from "./worker.ts";

const script = new URL("../testing/slowWorker.fixture.ts", import.meta.url);

const workerWith = (limits: { cpuMs?: number; waitMs?: number; memoryMb?: number }) => {
  const work = createFileWorker({ script, ...limits });
  return (file: string) => work({ read: file });
};

test("doesn't count time spent waiting for a processor", async () => {
  const read = workerWith({ cpuMs: 300 });
  expect(await read("sleep 900")).toEqual({ value: "sleep" });
  expect(await read("sleep 600")).toEqual({ value: "sleep" });
});

test("stops a file that uses too much processor time, then reads the next one", async () => {
  const read = workerWith({ cpuMs: 300 });
  const startedAt = process.cpuUsage();
  await expect(read("spin 60000")).rejects.toMatchObject({ limit: "time" });
  const { user } = process.cpuUsage(startedAt);
  expect(user / 1000).toBeLessThan(5000);
  expect(await read("sleep 1")).toEqual({ value: "sleep" });
});

test("applies the limit to each file separately", async () => {
  const read = workerWith({ cpuMs: 600 });
  for (const file of ["spin 250", "spin 250", "spin 250", "spin 250"])
    expect(await read(file)).toEqual({ value: "spin" });
});

test("stops a file that uses too much memory", async () => {
  const read = workerWith({ memoryMb: 24 });
  await expect(read("fill 100000")).rejects.toMatchObject({ limit: "memory" });
  expect(await read("sleep 1")).toEqual({ value: "sleep" });
});

test("reports a busy server if the file gets no processor in time", async () => {
  const read = workerWith({ waitMs: 1000 });
  await expect(read("sleep 5000")).rejects.toMatchObject({
    code: "unavailable",
    message: "The server is too busy for this file. Try again in a moment.",
  });
});

test("fails if the thread exits, and starts a new one for the next file", async () => {
  const read = workerWith({});
  await expect(read("exit 0")).rejects.toThrow("The thread ended before it answered.");
  expect(await read("sleep 1")).toEqual({ value: "sleep" });
});
