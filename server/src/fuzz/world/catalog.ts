import { randomUUID } from "node:crypto";
import type pg from "pg";
import { type Given, packagesIn } from "#modules/features/testing/testing.ts";
import { newKeySecret } from "#platform/auth/apiKeys.ts";

const makeApps = `
  insert into apps (code, name, status, activated_at)
  select 'fuzz-' || gen_random_uuid(), 'Fuzz', status, case when status <> 'draft' then now() end
  from unnest(array['draft', 'active', 'archived']) as status
  returning id, status`;

const makeFeatures = `
  insert into features (app_id, code, name, kind, reset, combining, options, default_value, status, activated_at,
    enforcement, fallback)
  select $1, 'fuzz-' || gen_random_uuid(), 'Fuzz', made.*, case when made.status <> 'draft' then now() end,
    'hard', 'allow'
  from (values
    ('switch', null, 'largest', '[]'::jsonb, 'false'::jsonb, 'draft'),
    ('limit', null, 'sum', '[]', '5', 'draft'),
    ('metered', 'month', 'sum', '[]', '"unlimited"', 'active'),
    ('choice', null, 'largest', '[{"code": "low", "name": "Low"}, {"code": "high", "name": "High"}]', '"low"', 'archived')
  ) as made (kind, reset, combining, options, default_value, status)
  returning id, status, code`;

const makeRollout = `
  insert into rollouts (package_id, version_id, mode, starts_at, status)
  values ($1, $2, 'now', now(), $3) returning id`;

const makeGrant = `
  insert into grants (user_id, package_id, version_id, source, source_id, reason, starts_at)
  values ($1, $2, $3, 'manual', 'fuzz', 'Fuzz', now()) returning id`;

const makeTeamMember = `
  insert into users (email, name, role, status)
  select gen_random_uuid() || '@example.com', 'Fuzz', 'viewer', status
  from unnest(array['invited', 'active', 'suspended']) as status`;

const makeKey = `
  insert into app_keys (app_id, name, kind, scopes, prefix, secret_hash, created_at)
  values ($1, 'Fuzz', 'server', array['entitlements:read', 'usage:write', 'customers:read', 'customers:write'], $2, $3, now()) returning id`;

const makeReservations = `
  with counted as (
    insert into feature_use (feature_id, user_id, window_start, used, reserved)
    values ($4, $3, date_trunc('month', now()), 0, 4)
  )
  insert into usage_reservations (app_id, key_id, event_id, user_id, feature_id, window_start, amount, expires_at)
  select $1, $2, gen_random_uuid(), $3, $4, date_trunc('month', now()), 1, now() + interval '1 day'
  from generate_series(1, 4) returning id`;

type Made = { id: string; status: string };

export const recordsOf = (ids: (string | undefined)[]) =>
  ids.map((id) => ({ params: { id: id ?? "" }, version: 1 }));

/** Creates records in one transaction, so that concurrent requests don't see half of them. */
export const inTransaction = async <T>(
  owner: pg.Pool,
  make: (client: pg.PoolClient) => Promise<T>,
) => {
  const client = await owner.connect();
  try {
    await client.query("begin");
    const made = await make(client);
    await client.query("commit");
    return made;
  } finally {
    client.release();
  }
};

/** Creates apps, features and packages in every state for each caller. */
export const createCatalogFactory = (owner: pg.Pool) => {
  /** Packages in every state: unpublished, on sale, with a draft, off sale. With rollouts and subscribers. */
  const makePackages = async (client: pg.PoolClient, userId: string, given: Given) => {
    const { newPackage, newVersion } = packagesIn(client);
    const fresh = await newPackage(`fuzz-${randomUUID()}`);
    await newVersion(fresh, "draft", []);
    const sold = await newPackage(`fuzz-${randomUUID()}`);
    const [superseded, onSale, draft] = [
      await newVersion(sold, "superseded", [given]),
      await newVersion(sold, "on sale", [given]),
      await newVersion(sold, "draft", [given]),
    ];
    await client.query(
      "update packages set status = 'active', activated_at = now() where id = $1",
      [sold],
    );
    const rollouts = [
      await client.query<Made>(makeRollout, [sold, superseded, "running"]),
      await client.query<Made>(makeRollout, [sold, onSale, "paused"]),
    ].map(({ rows }) => rows[0]?.id);
    const { rows } = await client.query<Made>(makeGrant, [userId, sold, superseded]);
    return { packageId: sold, draftId: draft, rollouts, grants: [rows[0]?.id] };
  };

  const makeCatalog = async (userId: string) => {
    await owner.query(makeTeamMember);
    const { rows } = await owner.query<Made>(makeApps);
    const appId = rows.find(({ status }) => status === "active")?.id ?? "";
    const features = await owner.query<Made & { code: string }>(makeFeatures, [appId]);
    const feature = features.rows.find(({ status }) => status === "active");
    const featureId = feature?.id ?? "";
    const { secret, prefix, secretHash } = newKeySecret("server");
    const keys = await owner.query<Made>(makeKey, [appId, prefix, secretHash]);
    const made = await inTransaction(owner, (client) =>
      makePackages(client, userId, { appId, featureId, value: 5 }),
    );
    const reservations = await owner.query<Made>(makeReservations, [
      appId,
      keys.rows[0]?.id,
      userId,
      featureId,
    ]);
    return {
      secret,
      appId,
      featureId,
      featureCode: feature?.code,
      commented: { apps: appId, features: featureId, packages: made.packageId },
      reservations: reservations.rows.map(({ id }) => id),
      ...made,
    };
  };

  return makeCatalog;
};
