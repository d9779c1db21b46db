import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import type { RunningServer } from "../setup/processes.ts";

const missesMax = 3;

/** Null without an answer. */
const isReady = (origin: string) =>
  fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(900) }).then(
    ({ ok }) => ok,
    () => null,
  );

/**
 * A load balancer that asks every second whether a server is ready, and sends requests to those that are. One that
 * doesn't answer is left out after the third time, because a machine may be busy.
 */
export const startBalancer = async (servers: { current: () => RunningServer | null }[]) => {
  const misses = new Map<string, number>();
  let ready: string[] = [];
  const look = async () => {
    const origins = servers.flatMap(({ current }) => current()?.origin ?? []);
    const answers = await Promise.all(origins.map(isReady));
    ready = origins.filter((origin, place) => {
      const missed = answers[place] === null ? (misses.get(origin) ?? 0) + 1 : 0;
      misses.set(origin, missed);
      return missed > 0 ? missed < missesMax && ready.includes(origin) : answers[place];
    });
  };
  await look();
  const timer = setInterval(() => void look(), 1000);
  let turn = 0;
  const proxy = createServer((incoming, outgoing) => {
    const origin = ready[turn++ % ready.length];
    if (!origin) return void outgoing.writeHead(502).end();
    const passed = request(
      `${origin}${incoming.url}`,
      { method: incoming.method, headers: incoming.headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    passed.on("error", () => outgoing.headersSent || outgoing.writeHead(502).end());
    incoming.pipe(passed);
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return {
    origin: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    stop: () => {
      clearInterval(timer);
      proxy.close();
      proxy.closeAllConnections();
    },
  };
};
