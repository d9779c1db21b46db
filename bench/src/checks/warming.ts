import { setTimeout as wait } from "node:timers/promises";
import { requestEach } from "../measure/http.ts";
import { freePort, startServer } from "../setup/processes.ts";
import type { Settings } from "../setup/product.ts";
import { checkPath, inTurn, type Prepared } from "./prepare.ts";

const heapOf = async (port: string) =>
  Number(await (await fetch(`http://127.0.0.1:${port}/`)).text());

/** How long a new server takes to answer about many customers once, and how much memory they take. */
export const measureWarming = async (
  { headersOf, feature, customers }: Prepared,
  { settings, connections }: { settings: Settings; connections: number },
  signal: AbortSignal,
) => {
  const heapPort = await freePort();
  await using server = await startServer(
    {
      args: ["--import", "./bench/src/setup/heapPort.ts", "server/src/main.ts", "serve"],
      env: { ...settings, HEAP_PORT: heapPort },
      readyPath: "/readyz",
    },
    signal,
  );
  const ask = (who: readonly string[], amount: number) => {
    const next = inTurn(who);
    const pathOf = () => checkPath(feature, next());
    return requestEach(
      { server, path: "/", pathOf, headers: {}, headersOf },
      { amount, connections },
    );
  };
  // Compiled code and prepared statements aren't counted.
  await ask(customers.slice(0, 100), 2000);
  await wait(1000, undefined, { signal });
  const before = await heapOf(heapPort);
  const start = performance.now();
  await ask(customers, customers.length);
  const seconds = (performance.now() - start) / 1000;
  const bytes = (await heapOf(heapPort)) - before;
  console.log(
    `\n${customers.length.toLocaleString("en")} customers: ${seconds.toFixed(1)} s until all answers are in memory, ${Math.round(bytes / customers.length).toLocaleString("en")} bytes each.`,
  );
};
