import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { newKeySecret } from "../../../server/src/platform/auth/apiKeys.ts";
import { changeHeaders, startProduct } from "../setup/product.ts";
import { startRedis } from "../setup/redis.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { install, openReport } from "./installation.ts";

const timesEach = 5;

/** How often the other instance is asked, so that its answer is always in memory. */
const askEveryMs = 5;

type Access = { app: string; key: string; user: string; grant: string; bearer: string };

/** An app with a key, and a customer who has access to its feature. */
const giveAccess = async (cluster: Cluster): Promise<Access> => {
  const { secret, prefix, secretHash } = newKeySecret("server");
  const bytes = Buffer.from(secretHash).toString("hex");
  const [made] = await cluster.query<Omit<Access, "bearer">>(
    `with app as (
       insert into apps (code, name, status, activated_at)
       values ('drill-${randomUUID()}', 'Drill', 'active', now()) returning id
     ), feature as (
       insert into features (app_id, code, name, kind, combining, options, default_value, status, activated_at,
         enforcement, fallback)
       select id, 'seats', 'Seats', 'limit', 'sum', '[]', '0', 'active', now(), 'hard', 'allow' from app returning id
     ), customer as (
       insert into users (email, name, status) values ('${randomUUID()}@example.com', 'Drill', 'active') returning id
     ), key as (
       insert into app_keys (app_id, name, kind, scopes, prefix, secret_hash, created_at)
       select id, 'Key', 'server', '{entitlements:read}', '${prefix}', decode('${bytes}', 'hex'), now() from app returning id
     ), given as (
       insert into grants (user_id, feature_id, value, source, source_id, reason, starts_at)
       select customer.id, feature.id, '3', 'manual', gen_random_uuid()::text, 'Drill', now() from customer, feature returning id
     )
     select app.id as app, key.id as key, customer.id as "user", given.id as grant from app, key, customer, given`,
    "purser",
  );
  if (!made) throw new Error("No access was given.");
  return { ...made, bearer: secret };
};

type Action = { path: (access: Access) => string; versioned?: "apps" | "users" };

/** What takes access away. */
const actions: Record<string, Action> = {
  "grant revoked": { path: ({ grant }) => `/grants/${grant}/revoke` },
  "customer suspended": { path: ({ user }) => `/users/${user}/suspend`, versioned: "users" },
  "app suspended": { path: ({ app }) => `/apps/${app}/suspend`, versioned: "apps" },
  "API key revoked": { path: ({ app, key }) => `/apps/${app}/keys/${key}/revoke` },
};

const versionOf = async (cluster: Cluster, { versioned }: Action, access: Access) => {
  if (!versioned) return {};
  const id = versioned === "apps" ? access.app : access.user;
  const [row] = await cluster.query<{ version: number }>(
    `select version from ${versioned} where id = '${id}'`,
    "purser",
  );
  return { "if-match": `"${row?.version}"` };
};

const isAllowed = async (origin: string, { user, bearer }: Access) => {
  const response = await fetch(`${origin}/api/check?feature=seats&user=${user}`, {
    headers: { authorization: `Bearer ${bearer}` },
  });
  const body = (await response.json()) as { allowed?: boolean };
  if (response.status !== 200 && response.status !== 401)
    throw new Error(`A check was answered with ${response.status}.`);
  return response.status === 200 && body.allowed === true;
};

/** Asks an instance without a pause. Knows when the last check that was allowed began. */
const keepAsking = (origin: string, access: Access) => {
  const state = { isOver: false, lastAllowedAt: 0 };
  const ask = async () => {
    while (!state.isOver) {
      const begunAt = performance.now();
      if (await isAllowed(origin, access)) state.lastAllowedAt = begunAt;
      else if (state.lastAllowedAt > 0) return;
      await wait(askEveryMs);
    }
  };
  const denied = ask();
  return { denied, lastAllowedAt: () => state.lastAllowedAt };
};

const untilAllowed = async ({ lastAllowedAt }: ReturnType<typeof keepAsking>) => {
  while (lastAllowedAt() === 0) await wait(askEveryMs);
};

/** Two instances: one takes access away, the other one is asked until it denies. */
export const drillTakeaway = async (signal: AbortSignal) => {
  const { say, expect, end } = openReport("takeaway");
  await using cluster = await startCluster();
  await using redis = await startRedis();
  const { settings: shared, cookie } = await install(cluster, signal);
  const settings = { ...shared, REDIS_URL: redis.url };
  await using server = await startProduct(settings, signal);
  await using other = await startProduct(settings, signal);

  const takeAway = async (action: Action) => {
    const access = await giveAccess(cluster);
    const asking = keepAsking(other.origin, access);
    await untilAllowed(asking);
    const response = await fetch(`${server.origin}/api${action.path(access)}`, {
      method: "POST",
      headers: {
        ...changeHeaders(cookie),
        ...(await versionOf(cluster, action, access)),
      },
      body: JSON.stringify({ reason: "Drill" }),
    });
    const answeredAt = performance.now();
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    await asking.denied;
    return Math.max(0, asking.lastAllowedAt() - answeredAt);
  };

  const measure = async (phase: string, limitMs: number) => {
    for (const [what, action] of Object.entries(actions)) {
      const times: number[] = [];
      for (let time = 0; time < timesEach; time += 1) times.push(await takeAway(action));
      const slowest = Math.max(...times);
      expect(
        `${phase}: ${what}, the other instance denies after ${slowest.toFixed(0)} ms at most (${times.map((ms) => ms.toFixed(0)).join(", ")})`,
        slowest <= limitMs,
      );
    }
  };

  say(`${timesEach} times each, from the reply to the last check that was allowed`);
  await measure("with Redis", 1000);
  process.kill(redis.pid, "SIGSTOP");
  await measure("Redis does not answer", 5000);
  process.kill(redis.pid, "SIGCONT");
  await redis.kill();
  await measure("Redis is down", 5000);
  end();
};
