import { randomUUID } from "node:crypto";
import { newKeySecret } from "../../../server/src/platform/auth/apiKeys.ts";
import { hashPassword } from "../../../server/src/platform/auth/passwords/passwords.ts";
import type { Cluster } from "./cluster.ts";
import type { Kind } from "./traffic.ts";

const password = "drill horse battery staple 47";

/**
 * A password for the owner, and an app with a feature and a server key. Only with columns that the previous release has,
 * too.
 */
export const openShop = async (cluster: Cluster) => {
  const hash = await hashPassword(password);
  const { secret, prefix, secretHash } = newKeySecret("server");
  const bytes = Buffer.from(secretHash).toString("hex");
  await cluster.query(
    `insert into passwords select id, '${hash}', now() from users where email = 'drill@example.com';
     with app as (
       insert into apps (code, name, status, activated_at) values ('drill-app', 'Drill', 'active', now()) returning id
     ), feature as (
       insert into features (app_id, code, name, kind, combining, options, default_value, status, activated_at,
         enforcement, fallback, reset)
       select id, 'seats', 'Seats', 'limit', 'sum', '[]'::jsonb, '3'::jsonb, 'active', now(), 'hard', 'allow',
         null from app
       union all
       select id, 'exports', 'Exports', 'metered', 'sum', '[]', '"unlimited"', 'active', now(), 'hard', 'allow', 'month'
       from app
     )
     insert into app_keys (app_id, name, kind, scopes, prefix, secret_hash, created_at)
     select id, 'Key', 'server', '{entitlements:read,usage:write}', '${prefix}', decode('${bytes}', 'hex'), now() from app`,
    "purser",
  );
  const signIn: Kind = {
    path: "/api/session",
    // A network may try 120 times a minute.
    pauseMs: 700,
    body: () => ({ email: "drill@example.com", password }),
  };
  const check: Kind = {
    path: "/api/check?feature=seats&user=someone@example.com",
    headers: { authorization: `Bearer ${secret}` },
  };
  const consume: Kind = {
    path: "/api/usage/consume",
    headers: { authorization: `Bearer ${secret}` },
    body: () => ({ id: randomUUID(), user: "many-1@example.com", feature: "exports" }),
  };
  return { signIn, check, consume };
};
