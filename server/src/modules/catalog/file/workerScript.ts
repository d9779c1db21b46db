import { parentPort } from "node:worker_threads";
import { parseText } from "./parse.ts";
import type { FileWork } from "./worker.ts";
import { writeCatalogFile } from "./write.ts";

parentPort?.on("message", (work: FileWork) =>
  parentPort?.postMessage(
    "read" in work ? parseText(work.read) : writeCatalogFile(work.write, work.format),
  ),
);
// Sent once the script is loaded, so that loading doesn't count toward a file's limit.
parentPort?.postMessage("ready");
