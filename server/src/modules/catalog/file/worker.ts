import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Catalog, CatalogFormat } from "@purser/contract/catalog/catalog";
import { Problem } from "#platform/http/problem.ts";
import { message } from "#platform/messages.ts";
import { openTurns } from "#platform/turns.ts";
import type { Parsed } from "./parse.ts";

export type FileWork = { read: string } | { write: Catalog; format: CatalogFormat };
type Done<W extends FileWork> = W extends { read: string } ? Parsed : string;

/** The file was stopped because it used up a limit. `limit` says which one. */
export class Overrun extends Error {
  override name = "Overrun";
  readonly limit: "time" | "memory";
  constructor(limit: "time" | "memory") {
    super(`The file takes too much ${limit}.`);
    this.limit = limit;
  }
}

/** The file got no processor for so long that the caller should not wait any longer. */
const overloaded = () =>
  new Problem(
    "unavailable",
    message("catalog_server_busy", "The server is too busy for this file. Try again in a moment."),
    { retryAfterSeconds: 5 },
  );

type Limits = {
  /** The script that the thread runs. It posts one message when it is ready. */
  script: URL;
  /** Processor time per file. On a busy machine a file may take much longer by the clock. */
  cpuMs: number;
  /** By the clock, for the start of a thread and for a file: only protects against waiting forever. */
  waitMs: number;
  memoryMb: number;
};

const defaultLimits: Limits = {
  script: new URL("./workerScript.ts", import.meta.url),
  cpuMs: 5000,
  waitMs: 60_000,
  memoryMb: 256,
};

const checkedEveryMs = 100;

const isOutOfMemory = (error: unknown) =>
  error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";

const cpuMsOf = async (thread: Worker) => {
  const { user, system } = await thread.cpuUsage();
  return (user + system) / 1000;
};

/** The next message of the thread, or an error as soon as it exceeds a limit. */
const messageWithin = async (thread: Worker, { cpuMs, waitMs }: Omit<Limits, "script">) => {
  const over = Promise.withResolvers<never>();
  const ended = new AbortController();
  const startedAt = performance.now();
  let cpuBefore: number | null = null;
  let isAsking = false;
  const check = async () => {
    if (performance.now() - startedAt > waitMs) over.reject(overloaded());
    // A thread inside a native call answers late. More requests meanwhile would only queue up.
    if (isAsking) return;
    isAsking = true;
    const used = await cpuMsOf(thread);
    isAsking = false;
    cpuBefore ??= used;
    if (used - cpuBefore > cpuMs) over.reject(new Overrun("time"));
  };
  // A thread that has ended can't say what it used; its `error` or `exit` event ends the wait instead.
  const timer = setInterval(() => void check().catch(() => undefined), checkedEveryMs);
  try {
    const answer = once(thread, "message", { signal: ended.signal });
    const exit = once(thread, "exit", { signal: ended.signal }).then(() => {
      throw new Error("The thread ended before it answered.");
    });
    answer.catch(() => undefined);
    exit.catch(() => undefined);
    const [done] = await Promise.race([answer, exit, over.promise]);
    return done;
  } catch (error) {
    throw isOutOfMemory(error) ? new Overrun("memory") : error;
  } finally {
    clearInterval(timer);
    ended.abort();
  }
};

/** Processes files one at a time, because each can use a whole processor, on a thread that can be stopped. */
export const createFileWorker = (limits: Partial<Limits> = {}) => {
  const { script, ...bounds } = { ...defaultLimits, ...limits };
  // Kept for the next file, because starting one costs more than most files do.
  let idle: Worker | null = null;
  // A thread that collects its garbage can take seconds to end, longer than its sender waits for an answer.
  let ending: Promise<unknown> = Promise.resolve();
  let before: Promise<unknown> = Promise.resolve();

  const startThread = () => {
    const thread = new Worker(script, {
      execArgv: ["--disable-warning=ExperimentalWarning"],
      resourceLimits: { maxOldGenerationSizeMb: bounds.memoryMb },
    });
    // A terminating thread can still run out of memory. Without a listener that would end the process.
    thread.on("error", () => undefined);
    return thread;
  };

  const runInThread = async <W extends FileWork>(work: W): Promise<Done<W>> => {
    await ending;
    const thread = idle ?? startThread();
    const isNew = thread !== idle;
    idle = null;
    thread.ref();
    try {
      // Loading the script is not the file's fault, so it is not part of the file's time.
      if (isNew) await messageWithin(thread, { ...bounds, cpuMs: Number.POSITIVE_INFINITY });
      thread.postMessage(work);
      const done = await messageWithin(thread, bounds);
      idle = thread;
      thread.unref();
      return done;
    } catch (error) {
      ending = thread.terminate();
      throw error;
    }
  };

  return <W extends FileWork>(work: W): Promise<Done<W>> => {
    const done = before.then(() => runInThread(work));
    before = done.catch(() => undefined);
    return done;
  };
};

export const workOnFile = createFileWorker();

/** One file of each user at a time waits for the thread, so that many files of one user delay only that user. */
const turns = openTurns({ all: Number.POSITIVE_INFINITY, each: 1, waitingMax: 3, waitMs: 8000 });

export const workOnFileOf =
  (userId: string) =>
  async <W extends FileWork>(work: W): Promise<Done<W>> => {
    const leave = await turns.enter(userId);
    return workOnFile(work).finally(leave);
  };
