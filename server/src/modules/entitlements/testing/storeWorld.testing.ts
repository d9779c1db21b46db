import { randomUUID } from "node:crypto";
import type pg from "pg";
import {
  type History,
  last,
  type MadeGrant,
  momentOf,
  type World,
} from "./arbitraryHistory.testing.ts";

type Add = (text: string, values: unknown[]) => void;

const code = () => `c-${randomUUID()}`;
const longAgo = momentOf(-100);

/** Adds the audit entries of a row with this history. */
const logOf =
  (add: Add) =>
  <T>(entity: string, id: string, of: History<T>, rowOf: (value: T) => object) => {
    let before = of.first;
    for (const { tick, value } of of.later) {
      add(
        `insert into audit_entries (entity, record_id, at, action, before, after, hash)
         values ($1, $2, $3, 'update', $4, $5, '')`,
        [entity, id, momentOf(tick), rowOf(before), rowOf(value)],
      );
      before = value;
    }
  };

const addApps = (add: Add, { appOf }: World) => {
  const ids = new Map([...appOf.keys()].map((name) => [name, randomUUID()]));
  for (const [name, history] of appOf) {
    const id = ids.get(name) ?? "";
    const suspendedAt = (isSuspended: boolean) => (isSuspended ? longAgo : null);
    const { status, isSuspended } = last(history);
    add(
      `insert into apps (id, code, name, status, activated_at, created_at, suspended_at)
       values ($1, $2, $3, $4, $5, $5, $6)`,
      [id, code(), name, status, longAgo, suspendedAt(isSuspended)],
    );
    logOf(add)("apps", id, history, (value) => ({
      id,
      code: name,
      name,
      icon: "apps",
      status: value.status,
      suspended_at: suspendedAt(value.isSuspended),
    }));
  }
  return ids;
};

const addFeatures = (add: Add, { features }: World, appIds: Map<string, string>) => {
  for (const { id, feature, app, defaults } of features) {
    const appId = appIds.get(app) ?? "";
    const { kind, combining, options, reset } = feature;
    add(
      `insert into features (id, app_id, code, name, kind, combining, options, reset, default_value, enforcement,
         fallback, status, activated_at, created_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'hard', 'deny', 'active', $10, $10)`,
      [
        ...[id, appId, code(), feature.id, kind, combining, JSON.stringify(options), reset],
        ...[JSON.stringify(last(defaults)), longAgo],
      ],
    );
    logOf(add)("features", id, defaults, (value) => ({
      id,
      app_id: appId,
      code: feature.id,
      name: feature.id,
      kind,
      combining,
      options,
      reset,
      unit_one: null,
      unit_many: null,
      default_value: value,
      enforcement: "hard",
      status: "active",
    }));
  }
};

const addUsers = (add: Add, { customers }: World) => {
  for (const { id, status, grants } of customers) {
    add(
      "insert into users (id, email, name, status, created_at) values ($1::uuid, $1::text || '@example.com', 'Ada', $2, $3)",
      [id, last(status), longAgo],
    );
    logOf(add)("users", id, status, (value) => ({ id, status: value }));
    for (const grant of grants) addGrant(add, id, grant);
  }
};

const endOf = (tick: number | null) => (tick === null ? "infinity" : momentOf(tick));

const addGrant = (
  add: Add,
  userId: string,
  { id, values, recorded, starts, ends, changes }: MadeGrant,
) => {
  const versionId = randomUUID();
  for (const [featureId, value] of values)
    add(
      "insert into version_values (version_id, feature_id, app_id, value) values ($1, $2, $2, $3)",
      [versionId, featureId, JSON.stringify(value)],
    );
  let was = { ends, revoked: false, superseded: false };
  for (const change of changes) {
    add(
      `insert into grant_changes (grant_id, recorded_at, was_ends_at, was_revoked_at, was_superseded_by)
       values ($1, $2, $3, $4, $5)`,
      [
        ...[id, momentOf(change.tick), endOf(was.ends)],
        ...[was.revoked ? momentOf(0) : null, was.superseded ? id : null],
      ],
    );
    was = {
      ends: change.ends,
      revoked: was.revoked || change.how === "revoked",
      superseded: was.superseded || change.how === "superseded",
    };
  }
  add(
    `insert into grants (id, user_id, package_id, version_id, source, source_id, starts_at, ends_at, promised_until,
       revoked_at, superseded_by, created_at)
     values ($1::uuid, $2, $3::uuid, $3::uuid, 'import', 'test', $4, $5, $6, $7, $8, $9)`,
    [
      ...[id, userId, versionId, momentOf(starts), endOf(was.ends), endOf(ends)],
      ...[was.revoked ? momentOf(0) : null, was.superseded ? id : null, momentOf(recorded)],
    ],
  );
};

/** Stores the final state of a world and its audit entries. Triggers are off, because they use the current time. */
export const storeWorld = async (client: pg.PoolClient, world: World) => {
  const statements: [string, unknown[]][] = [];
  const add: Add = (text, values) => void statements.push([text, values]);
  addFeatures(add, world, addApps(add, world));
  addUsers(add, world);
  await client.query("begin; set local session_replication_role = replica");
  for (const [text, values] of statements) await client.query(text, values);
  await client.query("commit");
};
