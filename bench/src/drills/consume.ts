import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { newKeySecret } from "../../../server/src/platform/auth/apiKeys.ts";
import type { RunningServer } from "../setup/processes.ts";
import { startProduct } from "../setup/product.ts";
import { startRedis } from "../setup/redis.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { install, openReport } from "./installation.ts";

const clients = 16;
const runMs = 60_000;
const limit = 2000;
/** Long enough to be confirmed, and short enough to expire before the end. */
const leaseSeconds = 5;

const customers = ["limited@example.com", "busy@example.com"];
const features = ["limited", "exports"];

/** An app with a hard limit for one customer, and none for the other. */
const prepare = async (cluster: Cluster) => {
  const { secret, prefix, secretHash } = newKeySecret("server");
  const bytes = Buffer.from(secretHash).toString("hex");
  await cluster.query(
    `with app as (
       insert into apps (code, name, status, activated_at) values ('drill-app', 'Drill', 'active', now()) returning id
     ), feature as (
       insert into features (app_id, code, name, kind, reset, combining, options, default_value, status, activated_at,
         enforcement, fallback)
       select id, 'exports', 'Exports', 'metered', 'year', 'sum', '[]'::jsonb, '"unlimited"'::jsonb, 'active',
         now(), 'hard', 'deny' from app
       union all
       select id, 'limited', 'Limited', 'metered', 'year', 'sum', '[]', '${limit}', 'active', now(),
         'hard', 'deny' from app
     ), people as (
       insert into users (email, name, status) select unnest('{${customers.join(",")}}'::text[]), 'Drill', 'active'
     )
     insert into app_keys (app_id, name, kind, scopes, prefix, secret_hash, created_at)
     select id, 'Key', 'server', '{entitlements:read,usage:write}', '${prefix}', decode('${bytes}', 'hex'), now() from app`,
    "purser",
  );
  return { authorization: `Bearer ${secret}`, "content-type": "application/json" };
};

type Reply = { status: number; body: Record<string, unknown> };

/** Sends a request until it is answered, like an app whose requests have an ID. */
const sender = (origins: () => string[], headers: Record<string, string>) => {
  const counts = { repeated: 0 };
  const send = async (path: string, body: object, isOver: () => boolean): Promise<Reply | null> => {
    while (!isOver()) {
      const all = origins();
      const origin = all[randomInt(all.length)] ?? "";
      const response = await fetch(`${origin}/api/usage/${path}`, {
        method: "POST",
        headers,
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(10_000),
      }).catch(() => null);
      if (response && response.status < 500)
        return { status: response.status, body: (await response.json()) as Reply["body"] };
      counts.repeated += 1;
      await wait(50);
    }
    return null;
  };
  return { send, counts };
};

type Tally = { consumed: Map<string, number>; unsure: Map<string, number>; refused: number };

type Use = { id: string; user: string; feature: string; amount: number };
type Client = { send: ReturnType<typeof sender>["send"]; tally: Tally; isClosed: () => boolean };

const add = (to: Map<string, number>, { feature, amount }: Use) =>
  to.set(feature, (to.get(feature) ?? 0) + amount);

const consume = async ({ send, tally, isClosed }: Client, use: Use) => {
  const reply = await send("consume", use, isClosed);
  if (reply === null) add(tally.unsure, use);
  else if (reply.body["result"] === "refused") tally.refused += 1;
  else add(tally.consumed, use);
};

/** Every second reservation is confirmed, and the others expire. */
const reserve = async ({ send, tally, isClosed }: Client, use: Use) => {
  const held = await send("reservations", { ...use, seconds: leaseSeconds }, isClosed);
  const reservation = held?.body["reservation"] as { id: string } | null | undefined;
  if (!reservation || randomInt(2) === 0) return;
  const confirmed = await send(`reservations/${reservation.id}/confirm`, {}, isClosed);
  // 409: it had expired, or the answer to the first attempt got lost.
  add(confirmed?.status === 200 ? tally.consumed : tally.unsure, use);
};

const runClient = async (client: Client, isOver: () => boolean) => {
  while (!isOver()) {
    const place = randomInt(2);
    const use = {
      id: randomUUID(),
      user: customers[place] ?? "",
      feature: features[place] ?? "",
      amount: randomInt(1, 4),
    };
    await (randomInt(4) > 0 ? consume(client, use) : reserve(client, use));
  }
};

/** Clients consume against a hard limit while servers and Redis are killed, Redis is flushed and connections are cut. */
export const drillConsume = async (signal: AbortSignal) => {
  const { say, expect, end } = openReport("consume");
  await using cluster = await startCluster();
  let redis = await startRedis();
  await using closing = new AsyncDisposableStack();
  closing.defer(() => redis.stop());
  const { settings: shared } = await install(cluster, signal);
  const settings = { ...shared, REDIS_URL: redis.url };
  const headers = await prepare(cluster);
  const servers: RunningServer[] = [
    await startProduct(settings, signal),
    await startProduct(settings, signal),
  ];
  const sending = sender(() => servers.map(({ origin }) => origin), headers);
  const tally: Tally = { consumed: new Map(), unsure: new Map(), refused: 0 };
  const started = performance.now();
  const isOver = () => performance.now() - started > runMs;
  const isClosed = () => performance.now() - started > runMs + 30_000;
  const client = { send: sending.send, tally, isClosed };
  const users = Array.from({ length: clients }, () => runClient(client, isOver));
  const done = { killed: 0, restarted: 0, flushed: 0, cut: 0 };
  while (!isOver()) {
    await wait(2000, undefined, { signal });
    const place = randomInt(servers.length);
    process.kill(servers[place]?.pid ?? 0, "SIGKILL");
    done.killed += 1;
    servers[place] = await startProduct(settings, signal);
    await redis.flush();
    done.flushed += 1;
    await redis.kill();
    redis = await startRedis(redis.port);
    done.restarted += 1;
    await cluster.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = 'purser' and pid <> pg_backend_pid()",
      "purser",
    );
    done.cut += 1;
  }
  await Promise.all(users);
  // The last leases expire with the next use of their counter.
  await wait((leaseSeconds + 1) * 1000);
  for (const [place, feature] of features.entries()) {
    const use = { id: randomUUID(), user: customers[place], feature, amount: limit + 1 };
    await sending.send("consume", use, () => false);
  }
  say(
    `${clients} clients, servers killed ${done.killed} times, Redis flushed ${done.flushed} and killed ${done.restarted} times, connections cut ${done.cut} times, ${sending.counts.repeated} requests repeated, ${tally.refused} refused`,
  );
  for (const feature of features) {
    const [counter] = await cluster.query<{ used: number; reserved: number; journal: number }>(
      `select u.used::int, u.reserved::int, (select sum(amount)::int from usage_events e
         where e.feature_id = f.id) as journal
       from features f join feature_use u on u.feature_id = f.id where f.code = '${feature}'`,
      "purser",
    );
    const { used = 0, reserved = 0, journal = 0 } = counter ?? {};
    // The busy customer has consumed the last request, too.
    const own = feature === "exports" ? limit + 1 : 0;
    const acknowledged = (tally.consumed.get(feature) ?? 0) + own;
    const unsure = tally.unsure.get(feature) ?? 0;
    if (feature === "limited") expect(`${used} of ${limit} used, never more`, used <= limit);
    expect(`${feature}: the journal has what is counted (${journal} of ${used})`, journal === used);
    expect(
      `${feature}: ${acknowledged} acknowledged are counted once (${used}, ${unsure} without an answer)`,
      used >= acknowledged && used <= acknowledged + unsure,
    );
    expect(`${feature}: no reservation is left (${reserved})`, reserved === 0);
  }
  for (const server of servers) await server[Symbol.asyncDispose]();
  end();
};
