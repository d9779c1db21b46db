import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Catalogue, CatalogueFormat } from "@purser/contract/catalogue";
import type { Parsed } from "./parse.ts";

export type FileWork = { read: string } | { write: Catalogue; format: CatalogueFormat };
type Done<W extends FileWork> = W extends { read: string } ? Parsed : string;

/** The work was stopped because it took more than a file may. */
export class Overrun extends Error {
  override name = "Overrun";
}

const workMs = 5000;

// Kept for the next file, because starting one costs more than most files do.
let idle: Worker | null = null;

// A thread that collects its garbage can take seconds to end, longer than its sender waits for an answer.
let ending: Promise<unknown> = Promise.resolve();

const startThread = () => {
  const thread = new Worker(new URL("./fileThread.ts", import.meta.url), {
    execArgv: ["--disable-warning=ExperimentalWarning"],
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  // One that is being ended can still run out of memory; unheard, that would end the process.
  thread.on("error", () => undefined);
  return once(thread, "online").then(() => thread);
};

const isOutOfMemory = (error: unknown) =>
  error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";

const runInThread = async <W extends FileWork>(work: W): Promise<Done<W>> => {
  await ending;
  const thread = idle ?? (await startThread());
  idle = null;
  thread.ref();
  const late = AbortSignal.timeout(workMs);
  try {
    thread.postMessage(work);
    const [done] = await once(thread, "message", { signal: late });
    idle = thread;
    thread.unref();
    return done;
  } catch (error) {
    ending = thread.terminate();
    if (late.aborted) throw new Overrun("It takes too long.");
    if (isOutOfMemory(error)) throw new Overrun("It takes too much memory.");
    throw error;
  }
};

let before: Promise<unknown> = Promise.resolve();

/** A file costs a processor, so a process works on one at a time, on a thread that can be stopped. */
export const workOnFile = <W extends FileWork>(work: W): Promise<Done<W>> => {
  const done = before.then(() => runInThread(work));
  before = done.catch(() => undefined);
  return done;
};
