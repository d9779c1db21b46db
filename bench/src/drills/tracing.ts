import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { measureHttp } from "../measure/http.ts";
import type { RunningServer } from "../setup/processes.ts";
import { startProduct } from "../setup/product.ts";
import { startCluster } from "./cluster.ts";
import { install, openReport } from "./installation.ts";

/** Takes traces and forgets them. */
const startCollector = async () => {
  let batches = 0;
  const server = createServer((incoming, outgoing) => {
    incoming.resume().on("end", () => {
      batches += 1;
      outgoing.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`,
    batches: () => batches,
    [Symbol.asyncDispose]: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
};

const rounds = 3;
const seconds = 4;

const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

// Only the processor time of Node is compared.
const noBackends = { backendsOf: async () => new Map<number, number>() };

/** What traces cost: processor time of Node for a page of a list, in turns within one run. */
export const drillTracing = async (signal: AbortSignal) => {
  const { say, expect, end } = openReport("tracing");
  await using cluster = await startCluster();
  await using collector = await startCollector();
  const { settings, cookie } = await install(cluster, signal);
  await cluster.query(
    "insert into apps (code, name) select 'app-' || n, 'App ' || n from generate_series(1, 1000) n; analyze",
    "purser",
  );
  const start = (percent: number) =>
    startProduct(
      {
        ...settings,
        ...(percent > 0 && { TRACES_URL: collector.url, TRACES_PERCENT: String(percent) }),
      },
      signal,
    );
  await using off = await start(0);
  await using few = await start(1);
  await using all = await start(100);
  const servers = { off, few, all };
  const times: Record<keyof typeof servers, number[]> = { off: [], few: [], all: [] };
  const measure = async (server: RunningServer) => {
    const target = { server, path: "/api/apps?size=50", headers: { cookie } };
    const { nodeUs, refused } = await measureHttp(target, { seconds, connections: 2 }, noBackends);
    if (refused > 0) throw new Error(`${refused} requests were refused.`);
    return nodeUs ?? Number.NaN;
  };
  for (let round = 0; round < rounds; round += 1)
    for (const name of Object.keys(servers) as (keyof typeof servers)[])
      times[name].push(await measure(servers[name]));
  const base = median(times.off);
  const ratioOf = (name: keyof typeof servers) => median(times[name]) / base;
  say(`without traces: ${base.toFixed(0)} µs of Node per list of 50 apps`);
  for (const [name, percent] of [
    ["few", 1],
    ["all", 100],
  ] as const)
    say(
      `${percent} % traced: ${median(times[name]).toFixed(0)} µs, ${ratioOf(name).toFixed(2)} times as much`,
    );
  expect(`traces were sent (${collector.batches()} batches)`, collector.batches() > 0);
  expect("1 % costs less than a tenth more", ratioOf("few") < 1.1);
  end();
};
