import { setTimeout as wait } from "node:timers/promises";
import type { Verdict } from "../goals.ts";
import { cpuOf, openMeter, spentBetween } from "../measure/meter.ts";
import { measurePgbench } from "../measure/pgbench.ts";
import { printVerdicts } from "../report.ts";
import { type BenchDatabase, makeDatabase, signIn } from "../setup/database.ts";
import { runPurser } from "../setup/processes.ts";
import { makeSettings, productName, startProduct } from "../setup/product.ts";
import { makePackages } from "../storm/catalog.ts";
import {
  orderAtFixedRate,
  orderAtFullSpeed,
  ordersPerSecond,
  publishCode,
  type Shop,
} from "./orders.ts";

export type Flash = { seconds: number; connections: number; limit: number };

/** Samples what the product's connections wait for, until stopped. */
const watchWaits = async ({ query }: BenchDatabase, isOver: () => boolean) => {
  const seen = new Map<string, number>();
  while (!isOver()) {
    const rows = await query<{ what: string; count: number }>(
      `select case when wait_event_type is null then 'running' when wait_event_type = 'Lock' then 'waiting for a row lock'
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

const redemptionsOf = async ({ query }: BenchDatabase, id: string) => {
  const [row] = await query<{ uses: number; rows: number; sales: number }>(
    `select uses, (select count(*)::int from redemptions where promotion_id = p.id) as rows,
       (select count(*)::int from transactions where discount > 0 and id in (
         select transaction_id from redemptions where promotion_id = p.id)) as sales
     from promotions p where id = $1`,
    [id],
  );
  return row ?? { uses: 0, rows: 0, sales: 0 };
};

const lateRoundsMax = 60;

/** Sends more orders than the redemption limit and checks that exactly the limit is sold. */
const measureLimit = async (shop: Shop, database: BenchDatabase, flash: Flash) => {
  const { limit: redemptionLimit, seconds, connections } = flash;
  const code = "FLASHLIMIT";
  const id = await publishCode(shop, { code, redemptionLimit });
  const sent = await orderAtFixedRate(shop, { code, seconds });
  // On a slow machine some redemptions remain, which further orders use up.
  for (let late = 0; late < lateRoundsMax; late += 1) {
    const { answers } = await orderAtFullSpeed(shop, { code, seconds: 1, connections });
    if ((answers.get(409) ?? 0) > 0 && (answers.get(201) ?? 0) === 0) break;
  }
  const { uses, rows, sales } = await redemptionsOf(database, id);
  const kinds = [...sent.answers].map(([status, count]) => `${count} × ${status}`).join(", ");
  console.log(
    `${sent.sent} orders in ${seconds} s with a limit of ${redemptionLimit}: ${kinds}. Counted ${uses}, redemptions ${rows}, sales ${sales}.`,
  );
  if (uses > redemptionLimit || uses !== rows || rows !== sales)
    throw new Error("The redemption limit was exceeded.");
  return { perSecond: sent.perSecond, isExact: uses === redemptionLimit };
};

/** Compares sales per second with the bare statements on the same row. */
const measureRate = async (shop: Shop, database: BenchDatabase, flash: Flash) => {
  const { seconds, connections } = flash;
  const id = await publishCode(shop, { code: "FLASHRATE", redemptionLimit: 1_000_000_000 });
  await orderAtFullSpeed(shop, { code: "FLASHRATE", seconds: 2, connections });
  const meter = openMeter(database);
  let isOver = false;
  const waits = watchWaits(database, () => isOver);
  const before = { node: shop.servers.map(({ pid }) => cpuOf(pid)), own: process.cpuUsage() };
  const postgres = await meter.backendsOf(productName);
  const sold = await orderAtFullSpeed(shop, { code: "FLASHRATE", seconds, connections });
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
    `CPU time per sale: servers ${perSale(node.reduce((sum, us) => sum + us, 0))}, PostgreSQL ${spent === null ? "not measured" : perSale(spent)}, clients ${perSale(own.user + own.system)}.`,
  );
  console.log(`States of its connections: ${(await waits).join(", ")}.`);
  return { ours: sold.sold / sold.elapsed, bare: bare.perSecond };
};

/** Many customers order with one promotion code at the same time. */
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
    `Sales with one code: ${rate.ours.toFixed(0)} per second. Bare update and insert: ${rate.bare.toFixed(0)} per second.`,
  );
  const verdicts: Verdict[] = [
    {
      what: "exactly the redemption limit is sold",
      value: null,
      unit: "ratio",
      holds: limit.isExact,
    },
    {
      what: `orders per second / ${ordersPerSecond}, at least 1`,
      value: limit.perSecond / ordersPerSecond,
      unit: "ratio",
      holds: limit.perSecond >= ordersPerSecond,
    },
    {
      what: "sales per second, ours / bare statements",
      value: rate.ours / rate.bare,
      unit: "ratio",
      holds: null,
    },
  ];
  printVerdicts(verdicts);
  return verdicts;
};
