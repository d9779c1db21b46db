import { parentPort } from "node:worker_threads";
import { parseText } from "./parse.ts";
import type { FileWork } from "./thread.ts";
import { writeCatalogue } from "./write.ts";

parentPort?.on("message", (work: FileWork) =>
  parentPort?.postMessage(
    "read" in work ? parseText(work.read) : writeCatalogue(work.write, work.format),
  ),
);
// Loading is done: from here on, time is a file's own.
parentPort?.postMessage("ready");
