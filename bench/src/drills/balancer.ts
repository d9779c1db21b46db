import { once } from "node:events";
import { createServer, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { RunningServer } from "../setup/processes.ts";

const missesMax = 3;

/** Null without an answer. */
const isReady = (origin: string) =>
  fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(900) }).then(
    ({ ok }) => ok,
    () => null,
  );

/** Its own refusals, in the form that the results of the traffic show. */
const refuse = (outgoing: ServerResponse, detail: string) =>
  void outgoing.writeHead(502).end(JSON.stringify({ detail: `balancer: ${detail}` }));

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
  let isOver = false;
  // One after the other, so that a late answer never replaces a newer one.
  const watch = async () => {
    while (!isOver) await Promise.all([look(), wait(1000)]);
  };
  void watch();
  let turn = 0;
  const proxy = createServer((incoming, outgoing) => {
    const origin = ready[turn++ % ready.length];
    if (!origin) return refuse(outgoing, `no server is ready (${[...misses.values()]} misses)`);
    const passed = request(
      `${origin}${incoming.url}`,
      { method: incoming.method, headers: incoming.headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    passed.on("error", ({ message }) => outgoing.headersSent || refuse(outgoing, message));
    incoming.pipe(passed);
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return {
    origin: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    stop: () => {
      isOver = true;
      proxy.close();
      proxy.closeAllConnections();
    },
  };
};
