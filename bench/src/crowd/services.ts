import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { startRedis } from "../setup/redis.ts";

/** Forwards connections to PostgreSQL, and delays what is sent to it. */
export const startSlowPostgres = async (databaseUrl: string) => {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let delayMs = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port || 5432), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket.setNoDelay());
      socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    }
    let last = Promise.resolve();
    client.on("data", (bytes) => {
      const delay = delayMs;
      if (delay === 0) upstream.write(bytes);
      else last = last.then(() => wait(delay)).then(() => void upstream.write(bytes));
    });
    client.on("close", () => upstream.destroy());
    upstream.pipe(client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port is free.");
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String(address.port);
  return {
    url: url.href,
    delay: (ms: number) => {
      delayMs = ms;
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
};

export type Services = {
  redis: Awaited<ReturnType<typeof startRedis>>;
  postgres: Awaited<ReturnType<typeof startSlowPostgres>>;
};
