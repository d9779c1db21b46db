import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { runPurser } from "../setup/processes.ts";
import { startProduct } from "../setup/product.ts";
import { copyCluster, newFolder, startCluster, startRestored } from "./cluster.ts";
import { install, openReport } from "./installation.ts";
import { startLoad, untilAcknowledged } from "./load.ts";

/** A cluster is destroyed and restored from a base backup and its archived log to a named second. */
export const drillRecovery = async (signal: AbortSignal) => {
  const { say, expect, end } = openReport("recovery");
  const archive = newFolder("archive");
  try {
    await using cluster = await startCluster(
      `archive_mode = on\narchive_command = 'cp %p ${archive}/%f'\n`,
    );
    const { settings, cookie } = await install(cluster, signal);
    await using server = await startProduct(settings, signal);
    const backup = await copyCluster(cluster, {});
    const load = startLoad({ origins: () => [server.origin], cookie });
    await untilAcknowledged(load, 100);
    await load.stop();
    const count = async (of: typeof cluster) =>
      (await of.query<{ apps: number }>("select count(*)::int as apps from apps", "purser"))[0]
        ?.apps;
    const [moment] = await cluster.query<{ at: string }>("select clock_timestamp()::text as at");
    const wanted = await count(cluster);
    // A named second has to be over before the mistake.
    await wait(1100);
    await cluster.query("delete from apps", "purser").catch(() => undefined);
    await cluster.query("drop table apps cascade", "purser");
    await cluster.query("select pg_switch_wal()");
    await cluster.query("checkpoint");
    await wait(1500);
    await cluster.kill();
    rmSync(cluster.folder, { recursive: true, force: true });
    mkdirSync(cluster.folder, { recursive: true });
    say(`destroyed the cluster, restoring to ${moment?.at}`);
    const startedAt = performance.now();
    await using restored = await startRestored(
      backup.folder,
      [
        `restore_command = 'cp ${archive}/%f %p'`,
        `recovery_target_time = '${moment?.at}'`,
        "recovery_target_action = 'promote'",
        "archive_mode = off",
        "",
      ].join("\n"),
    );
    while ((await restored.query<{ on: boolean }>("select pg_is_in_recovery() as on"))[0]?.on)
      await wait(100);
    say(`restored in ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
    expect(`all ${wanted} apps of that second are back`, (await count(restored)) === wanted);
    const again = { ...settings, DATABASE_URL: restored.url("purser") };
    for (const command of [
      ["audit", "verify"],
      ["ledger", "verify"],
    ]) {
      const said = await runPurser(command, again, signal).catch((error: Error) => error);
      expect(`purser ${command.join(" ")}`, !(said instanceof Error));
    }
    end();
  } finally {
    execFileSync("rm", ["-rf", join(archive)]);
  }
};
