import { createServer } from "node:http";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

// Preloaded into a measured server. Answers with the size of the heap after garbage was collected.
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

createServer((_request, response) => {
  collect();
  response.end(String(process.memoryUsage().heapUsed));
})
  .listen(Number(process.env["HEAP_PORT"]), "127.0.0.1")
  .unref();
