import { randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import autocannon from "autocannon";
import type { Verdict } from "./goals.ts";
import { cpuOf, openMeter, spentBetween } from "./measure/meter.ts";
import { measurePgbench } from "./measure/pgbench.ts";
import { printVerdicts } from "./report.ts";
import { type BenchDatabase, makeDatabase, signIn } from "./setup/database.ts";
import { type RunningServer, runPurser } from "./setup/processes.ts";
import { makeSettings, productName, startProduct } from "./setup/product.ts";
import { makePackages } from "./storm/world.ts";

export type Flash = { seconds: number; connections: number; limit: number };

const serversCount = 2;
const attemptsPerSecond = 500;
const price = 1200;
const off = 120;

type Shop = { servers: RunningServer[]; cookie: string; packageId: string; signal: AbortSignal };

const headersOf = (cookie: string) => ({
  cookie,
  origin: "http://localhost:3000",
  "content-type": "application/json",
});

/** A code for a tenth less, with so many uses. */
const publishCode = async (
  { servers: [server], cookie, packageId }: Shop,
  { code, maxUses }: { code: string; maxUses: number },
) => {
  const ask = async (path: string, body: object, version?: number) => {
    const response = await fetch(`${server?.origin}/api${path}`, {
      method: "POST",
      headers: {
        ...headersOf(cookie),
        "idempotency-key": randomUUID(),
        ...(version && { "if-match": `"${version}"` }),
      },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return (await response.json()) as { id: string; version: number };
  };
  const kind = { kind: "percent", basisPoints: (off * 10_000) / price };
  const details = { name: code, code, maxUses, packageIds: [packageId], ...kind };
  const { id, version } = await ask("/promotions", details);
  await ask(`/promotions/${id}/publish`, {}, version);
  return id;
};

const bodyOf = (packageId: string, code: string) => {
  const at = new Date(Date.now() - 1000).toISOString();
  return JSON.stringify({
    email: `${randomUUID()}@flash.example`,
    packageId,
    codes: [code],
    occurredAt: at,
    currency: "EUR",
    interval: "month",
    state: "succeeded",
    reference: randomUUID(),
    total: price - off,
  });
};

type Rush = { code: string; seconds: number; connections: number };

/** Everybody orders with the code, each somebody else, at all servers. */
const rush = async (shop: Shop, { code, seconds, connections }: Rush) => {
  const answers = new Map<number, number>();
  const start = performance.now();
  const shoot = ({ origin }: RunningServer) =>
    new Promise<void>((resolve, reject) => {
      const run = autocannon(
        {
          url: `${origin}/api/transactions`,
          method: "POST",
          duration: seconds,
          connections: connections / serversCount,
          timeout: 30,
          requests: [
            {
              setupRequest: (request) => ({
                ...request,
                headers: { ...headersOf(shop.cookie), "idempotency-key": randomUUID() },
                body: bodyOf(shop.packageId, code),
              }),
            },
          ],
        },
        (error) => (error ? reject(error) : resolve()),
      );
      run.on("response", (_client, status) => {
        answers.set(status, (answers.get(status) ?? 0) + 1);
      });
    });
  await Promise.all(shop.servers.map(shoot));
  const elapsed = (performance.now() - start) / 1000;
  return { answers, elapsed, sold: answers.get(201) ?? 0 };
};

/** What the connections of the product wait for, looked at again and again until told to stop. */
const watchWaits = async ({ query }: BenchDatabase, isOver: () => boolean) => {
  const seen = new Map<string, number>();
  while (!isOver()) {
    const rows = await query<{ what: string; count: number }>(
      `select case when wait_event_type is null then 'running' when wait_event_type = 'Lock' then 'waiting for a row'
           when wait_event = 'WALSync' or wait_event = 'WALWrite' then 'waiting for the disk'
           when wait_event_type = 'Client' then 'waiting for the server' else wait_event end as what, count(*)::int
       from pg_stat_activity where application_name = $1 and (state = 'active' or state = 'idle in transaction')
         and datname = current_database() group by 1`,
      [productName],
    );
    for (const { what, count } of rows) seen.set(what, (seen.get(what) ?? 0) + count);
    await wait(100);
  }
  const all = [...seen.values()].reduce((sum, count) => sum + count, 0);
  return [...seen]
    .toSorted(([, one], [, other]) => other - one)
    .map(([what, count]) => `${what} ${((count / all) * 100).toFixed(0)} %`);
};

const usesOf = async ({ query }: BenchDatabase, id: string) => {
  const [row] = await query<{ uses: number; rows: number; sales: number }>(
    `select uses, (select count(*)::int from redemptions where promotion_id = p.id) as rows,
       (select count(*)::int from transactions where discount > 0 and id in (
         select transaction_id from redemptions where promotion_id = p.id)) as sales
     from promotions p where id = $1`,
    [id],
  );
  return row ?? { uses: 0, rows: 0, sales: 0 };
};

/** A crowd that comes at its own pace, whether those before it were answered or not. */
const crowd = async (shop: Shop, { code, seconds }: { code: string; seconds: number }) => {
  const agent = new Agent({ keepAlive: true });
  const answers = new Map<number, number>();
  const order = ({ origin }: RunningServer) =>
    new Promise<void>((resolve) => {
      const note = (status: number) => {
        answers.set(status, (answers.get(status) ?? 0) + 1);
        resolve();
      };
      const headers = { ...headersOf(shop.cookie), "idempotency-key": randomUUID() };
      const sent = request(`${origin}/api/transactions`, { method: "POST", agent, headers });
      sent.on("response", (answer) => {
        answer.resume();
        answer.on("end", () => note(answer.statusCode ?? 0));
      });
      sent.on("error", () => note(0));
      sent.end(bodyOf(shop.packageId, code));
    });
  const orders: Promise<void>[] = [];
  const start = performance.now();
  const elapsed = () => (performance.now() - start) / 1000;
  while (elapsed() < seconds) {
    for (const due = elapsed() * attemptsPerSecond * 1.1; orders.length < due; )
      orders.push(order(shop.servers[orders.length % serversCount] as RunningServer));
    await wait(5);
  }
  const perSecond = orders.length / elapsed();
  await Promise.all(orders);
  agent.destroy();
  return { answers, perSecond, sent: orders.length };
};

const lateRushesMax = 60;

/** More people than uses, who do not wait for one another: how many came, and how many got it. */
const measureLimit = async (shop: Shop, database: BenchDatabase, flash: Flash) => {
  const { limit: maxUses, seconds, connections } = flash;
  const code = "FLASHLIMIT";
  const id = await publishCode(shop, { code, maxUses });
  const came = await crowd(shop, { code, seconds });
  // Where the crowd was too much for the machine, the rest is sold to those who come after it.
  for (let late = 0; late < lateRushesMax; late += 1) {
    const { answers } = await rush(shop, { code, seconds: 1, connections });
    if ((answers.get(409) ?? 0) > 0 && (answers.get(201) ?? 0) === 0) break;
  }
  const { uses, rows, sales } = await usesOf(database, id);
  const kinds = [...came.answers].map(([status, count]) => `${count} × ${status}`).join(", ");
  console.log(
    `${came.sent} orders in ${seconds} s with a code for ${maxUses}: ${kinds}; in the end counted ${uses}, kept ${rows}, sold ${sales}.`,
  );
  if (uses > maxUses || uses !== rows || rows !== sales)
    throw new Error("The limit of a code was not kept.");
  return { perSecond: came.perSecond, isExact: uses === maxUses };
};

/** As many as the product sells, and as many as the bare statements count, on the same row. */
const measureRate = async (shop: Shop, database: BenchDatabase, flash: Flash) => {
  const { seconds, connections } = flash;
  const id = await publishCode(shop, { code: "FLASHRATE", maxUses: 1_000_000_000 });
  await rush(shop, { code: "FLASHRATE", seconds: 2, connections });
  const meter = openMeter(database);
  let isOver = false;
  const waits = watchWaits(database, () => isOver);
  const before = { node: shop.servers.map(({ pid }) => cpuOf(pid)), own: process.cpuUsage() };
  const postgres = await meter.backendsOf(productName);
  const sold = await rush(shop, { code: "FLASHRATE", seconds, connections });
  const spent = spentBetween(postgres, await meter.backendsOf(productName));
  isOver = true;
  const node = shop.servers.map(({ pid }, place) => cpuOf(pid) - (before.node[place] ?? 0));
  const own = process.cpuUsage(before.own);
  const statements = [
    { text: "begin", values: [] },
    {
      text: `update promotions set uses = uses + 1, first_used_at = coalesce(first_used_at, now())
        where id = $1 and (max_uses is null or uses < max_uses) returning max_uses_per_user`,
      values: [id],
    },
    { text: "insert into bare_redemptions (promotion_id) values ($1)", values: [id] },
    { text: "commit", values: [] },
  ];
  await database.query(
    `create table bare_redemptions (id bigint generated always as identity primary key,
       promotion_id uuid not null references promotions (id), at timestamptz not null default now())`,
  );
  await database.query("grant select, insert on bare_redemptions to purser_app");
  const run = { seconds, connections, signal: shop.signal };
  const bare = await measurePgbench({ databaseUrl: database.url, statements }, run, meter);
  const perSale = (us: number) => `${(us / 1000 / Math.max(sold.sold, 1)).toFixed(1)} ms`;
  console.log(
    `Processor time for each sale: servers ${perSale(node.reduce((sum, us) => sum + us, 0))}, PostgreSQL ${spent === null ? "not seen" : perSale(spent)}, those who order ${perSale(own.user + own.system)}.`,
  );
  console.log(`Its connections were: ${(await waits).join(", ")}.`);
  return { ours: sold.sold / sold.elapsed, bare: bare.perSecond };
};

/** One code that everybody wants at the same moment. */
export const benchFlash = async (flash: Flash, signal: AbortSignal): Promise<Verdict[]> => {
  await using database = makeDatabase();
  const settings = makeSettings(database.url);
  await runPurser(["migrate"], settings, signal);
  const { usual: packageId } = await makePackages(database.url);
  const cookie = await signIn(database);
  await using first = await startProduct(settings, signal);
  await using second = await startProduct(settings, signal);
  const shop = { servers: [first, second], cookie, packageId, signal };
  const rate = await measureRate(shop, database, flash);
  const limit = await measureLimit(shop, database, flash);
  console.log(
    `Sold with one code: ${rate.ours.toFixed(0)} a second; the bare guarded update and insert: ${rate.bare.toFixed(0)} a second.`,
  );
  const verdicts: Verdict[] = [
    { what: "exactly as many sold as allowed", value: null, unit: "ratio", holds: limit.isExact },
    {
      what: `attempted in a second, of ${attemptsPerSecond}, at least 1`,
      value: limit.perSecond / attemptsPerSecond,
      unit: "ratio",
      holds: limit.perSecond >= attemptsPerSecond,
    },
    {
      what: "sold in a second, ours / bare statements",
      value: rate.ours / rate.bare,
      unit: "ratio",
      holds: null,
    },
  ];
  printVerdicts(verdicts);
  return verdicts;
};
