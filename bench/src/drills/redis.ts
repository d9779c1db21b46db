import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { startProduct } from "../setup/product.ts";
import { startRedis } from "../setup/redis.ts";
import { startCluster } from "./cluster.ts";
import { install, openReport } from "./installation.ts";
import { openShop } from "./shop.ts";
import { failedIn, type Kind, requestsIn, sayResults, startTraffic } from "./traffic.ts";

/** The changes that the event stream of a server announces. Like a browser, it connects again if the stream ends. */
const followEvents = (origin: string, cookie: string) => {
  const stop = new AbortController();
  const { signal } = stop;
  let [announced, connections] = [0, 0];
  const read = async () => {
    const response = await fetch(`${origin}/api/events`, { headers: { cookie }, signal });
    connections += 1;
    for await (const chunk of response.body ?? [])
      announced += new TextDecoder().decode(chunk).split("event: change").length - 1;
  };
  const follow = async () => {
    while (!signal.aborted) {
      await read().catch(() => undefined);
      await wait(1000);
    }
  };
  void follow();
  return {
    announced: () => announced,
    connections: () => connections,
    [Symbol.dispose]: () => stop.abort(),
  };
};

const untilMore = async (count: () => number, limitMs: number) => {
  const [before, start] = [count(), performance.now()];
  while (count() === before) {
    if (performance.now() - start > limitMs) return null;
    await wait(50);
  }
  return performance.now() - start;
};

/** A wrong key is refused with 401, and after too many attempts with 429. */
const countLimited = async (origin: string) => {
  const headers = { authorization: `Bearer psk_${"x".repeat(40)}` };
  let limited = 0;
  for (let attempt = 0; attempt < 80; attempt += 1) {
    const { status } = await fetch(`${origin}/api/check?feature=seats`, { headers });
    if (status === 429) limited += 1;
  }
  return limited;
};

const redisStatus = async (origin: string) =>
  ((await (await fetch(`${origin}/readyz`)).json()) as { redis: string }).redis;

/** Redis is killed under load, and comes back empty. */
export const drillRedis = async (signal: AbortSignal) => {
  const { say, expect, end } = openReport("redis");
  await using cluster = await startCluster();
  await using redis = await startRedis();
  const { settings: shared, cookie } = await install(cluster, signal);
  const settings = { ...shared, REDIS_URL: redis.url };
  const { signIn, check } = await openShop(cluster);
  await using server = await startProduct(settings, signal);
  await using other = await startProduct(settings, signal);
  const headers = { cookie };
  const kinds: Record<string, Kind> = {
    list: { path: "/api/apps", headers },
    save: {
      path: "/api/apps",
      status: 201,
      headers,
      body: () => ({ code: `drill-${randomUUID()}`, name: "Drill" }),
    },
    check,
    "sign-in": signIn,
    "system page": { path: "/api/system", headers, pauseMs: 500 },
  };
  using events = followEvents(other.origin, cookie);
  const traffic = startTraffic(() => server.origin, kinds);
  await wait(5000);
  expect("another server announces changes", (await untilMore(events.announced, 5000)) !== null);
  traffic.begin("without Redis");
  await redis.kill();
  await wait(10_000);
  const status = await redisStatus(server.origin);
  const limited = await countLimited(server.origin);
  expect(`/readyz says that Redis is ${status}`, status === "degraded");
  expect(`rate limits apply (${limited} of 80 wrong keys answered with 429)`, limited > 0);
  traffic.begin("Redis is back");
  await using _again = await startRedis(redis.port);
  const announcedMs = await untilMore(events.announced, 30_000);
  await wait(5000);
  const statusAfter = await redisStatus(server.origin);
  await traffic.stop();
  for (const phase of ["before", "without Redis", "Redis is back"]) sayResults(say, traffic, phase);
  expect(`${failedIn(traffic)} of ${requestsIn(traffic)} requests failed`, failedIn(traffic) === 0);
  expect(
    `changes are announced ${((announcedMs ?? 0) / 1000).toFixed(1)} s after Redis is back, without a restart`,
    announcedMs !== null,
  );
  expect(`/readyz says that Redis is ${statusAfter}`, statusAfter === "ok");
  end();
};
