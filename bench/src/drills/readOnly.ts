import { setTimeout as wait } from "node:timers/promises";
import { startProduct } from "../setup/product.ts";
import { startCluster } from "./cluster.ts";
import { install, openReport } from "./installation.ts";
import { startLoad, untilAcknowledged } from "./load.ts";

/** The database accepts no changes for 10 seconds, and then again. */
export const drillReadOnly = async (signal: AbortSignal) => {
  const { say, expect, end } = openReport("readonly");
  await using cluster = await startCluster();
  const { settings, cookie } = await install(cluster, signal);
  await using server = await startProduct(settings, signal);
  const load = startLoad({ origins: () => [server.origin], cookie });
  await untilAcknowledged(load, 50);
  await cluster.query("alter system set default_transaction_read_only = on");
  await cluster.query("select pg_reload_conf()");
  await wait(3000);
  const headers = { cookie };
  const list = await fetch(`${server.origin}/api/apps`, { headers });
  const healthy = await fetch(`${server.origin}/healthz`);
  await wait(7000);
  const refused = load.failures.length;
  const kinds = new Map<string, number>();
  for (const { what } of load.failures) kinds.set(what, (kinds.get(what) ?? 0) + 1);
  await cluster.query("alter system reset default_transaction_read_only");
  await cluster.query("select pg_reload_conf()");
  await untilAcknowledged(load, 50);
  await load.stop();
  say(
    `refused while it was read-only: ${[...kinds].map(([what, times]) => `${times} x ${what}`).join(", ")}`,
  );
  expect(`changes were refused (${refused})`, refused > 0);
  expect(
    "refused with 503, which says when to try again",
    [...kinds.keys()].every((what) => what === "503"),
  );
  expect(`lists answer (${list.status})`, list.status === 200);
  expect("the process stays up", healthy.status === 200 && load.acknowledged.length > 50);
  end();
};
