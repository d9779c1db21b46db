import { hashToken, newToken } from "../../../server/src/platform/auth/secrets.ts";
import { runPurser } from "../setup/processes.ts";
import { makeSettings } from "../setup/product.ts";
import type { Cluster } from "./cluster.ts";

/** A busy machine isn't what a drill looks for. */
export const drillSettings = (cluster: Cluster) => ({
  ...makeSettings(cluster.url("purser")),
  OVERLOAD_DELAY_MS: "0",
});

/** Purser's database in a cluster, with an owner who is signed in. */
export const install = async (cluster: Cluster, signal: AbortSignal) => {
  const settings = drillSettings(cluster);
  await runPurser(["migrate"], settings, signal);
  const token = newToken();
  const hash = Buffer.from(hashToken(token)).toString("hex");
  await cluster.query(
    `with owner as (
       insert into users (email, name, role, status) values ('drill@example.com', 'Drill', 'owner', 'active') returning id)
     insert into sessions (token_hash, user_id, created_at, last_seen_at, address, device, second_factor, proven_at)
     select decode('${hash}', 'hex'), id, now(), now(), '127.0.0.1', 'drill', true, now() + interval '12 hours' from owner`,
    "purser",
  );
  return { settings, cookie: `__Host-purser=${token}` };
};

/** Reports each figure, and fails the drill if one is wrong. */
export const openReport = (drill: string) => {
  let hasFailed = false;
  return {
    say: (text: string) => console.log(`${drill}: ${text}`),
    expect: (what: string, holds: boolean) => {
      console.log(`${drill}: ${holds ? "ok    " : "FAILED"} ${what}`);
      if (!holds) hasFailed = true;
    },
    end: () => {
      if (hasFailed) process.exitCode = 1;
    },
  };
};
