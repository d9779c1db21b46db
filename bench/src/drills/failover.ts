import { startProduct } from "../setup/product.ts";
import { copyCluster, startCluster } from "./cluster.ts";
import { install, openReport } from "./installation.ts";
import { lostOf, startLoad, untilAcknowledged } from "./load.ts";

/** A primary with a synchronous standby is killed under load, and the standby is promoted. */
export const drillFailover = async (signal: AbortSignal) => {
  const { say, expect, end } = openReport("failover");
  await using primary = await startCluster();
  const { settings, cookie } = await install(primary, signal);
  const copy = await copyCluster(primary, { isStandby: true, name: "standby" });
  await using standby = await copy.start();
  await primary.query(`alter system set synchronous_standby_names = 'standby'`);
  await primary.query("select pg_reload_conf()");
  const both = `postgres://postgres@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/purser`;
  await using server = await startProduct({ ...settings, DATABASE_URL: both }, signal);
  const load = startLoad({ origins: () => [server.origin], cookie });
  await untilAcknowledged(load, 100);
  say(`${load.acknowledged.length} changes acknowledged with a synchronous standby`);
  const killedAt = performance.now();
  const before = load.acknowledged.length;
  await primary.kill();
  standby.promote();
  const promotedMs = performance.now() - killedAt;
  // The new primary has no standby yet, and commits must not wait for one.
  await standby.query("alter system set synchronous_standby_names = ''");
  await standby.query("select pg_reload_conf()");
  await untilAcknowledged(load, 100);
  await load.stop();
  const lost = await lostOf(load, (text) => standby.query(text, "purser"));
  say(`promoted after ${(promotedMs / 1000).toFixed(1)} s`);
  say(
    `${(load.longestGapMs() / 1000).toFixed(1)} s without a change, ${load.failures.length} of ${load.attempts} requests failed`,
  );
  expect(
    `${lost.length} of ${load.acknowledged.length} acknowledged changes lost`,
    lost.length === 0,
  );
  expect(
    "changes continue after the failover without a restart",
    load.acknowledged.length > before,
  );
  end();
};
