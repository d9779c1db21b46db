import { parentPort } from "node:worker_threads";
import type { FileWork } from "../file/worker.ts";

/** Waits without using a processor, as a thread does on a busy machine. */
const sleep = (milliseconds: number) =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);

const cpuMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

const actions: Record<string, (amount: number) => unknown> = {
  sleep,
  spin: (milliseconds) => {
    const before = cpuMs();
    while (cpuMs() - before < milliseconds);
  },
  fill: (megabytes) => {
    const kept: string[][] = [];
    while (kept.length < megabytes)
      kept.push(Array.from({ length: 60_000 }, (_, n) => `${kept.length} ${n}`));
  },
  exit: (code) => process.exit(code),
};

// A thread that starts slowly, then does what the "file" says: "sleep 300", "spin 300" and so on.
sleep(400);
parentPort?.on("message", (work: FileWork) => {
  const [name = "", amount] = "read" in work ? work.read.split(" ") : [];
  actions[name]?.(Number(amount));
  parentPort?.postMessage({ value: name });
});
parentPort?.postMessage("ready");
