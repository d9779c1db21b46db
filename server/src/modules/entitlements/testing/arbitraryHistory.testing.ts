import { randomUUID } from "node:crypto";
import type { Value } from "@purser/contract/fields/values";
import fc from "fast-check";
import type pg from "pg";
import { all, anyFeature, anyValueOf, anyValuesOf } from "../../packages/testing/arbitraries.ts";

/** Moments are whole minutes of a day long ago, few enough that they often meet. */
const ticksMax = 40;
const base = Date.now() - 10 * 86_400_000;
export const momentOf = (tick: number) => new Date(base + tick * 60_000);
export const anyTick = fc.integer({ min: 0, max: ticksMax });

const featureNames = ["f1", "f2", "f3", "f4", "f5"];
const appNames = ["a1", "a2"];
const versionNames = ["v1", "v2", "v3"];

/** What something was at first, and what it became when. */
const historyOf = <T>(value: fc.Arbitrary<T>) =>
  fc.record({
    first: value,
    later: fc
      .array(fc.record({ tick: anyTick, value }), { maxLength: 2 })
      .map((changes) => changes.toSorted((one, other) => one.tick - other.tick)),
  });
export type History<T> = { first: T; later: { tick: number; value: T }[] };

const endings = fc.record({
  tick: anyTick,
  /** How much of what was left is taken away, in ticks. */
  cut: fc.nat({ max: 12 }),
  how: fc.constantFrom("shortened", "revoked", "superseded"),
});

const grants = (features: readonly { id: string }[]) =>
  fc.record({
    version: fc.constantFrom(...versionNames),
    feature: fc.option(fc.constantFrom(...features.map(({ id }) => id)), { freq: 3 }),
    recorded: anyTick,
    starts: fc.integer({ min: -5, max: ticksMax }),
    length: fc.option(fc.nat({ max: 30 }), { freq: 5 }),
    changes: fc
      .array(endings, { maxLength: 2 })
      .map((changes) => changes.toSorted((one, other) => one.tick - other.tick)),
  });

export const worlds = all(featureNames.map(anyFeature)).chain((features) =>
  fc.record({
    features: all(
      features.map((feature) =>
        fc.record({
          feature: fc.constant(feature),
          app: fc.constantFrom(...appNames),
          defaults: historyOf(anyValueOf(feature)),
          own: anyValueOf(feature),
        }),
      ),
    ),
    apps: all(appNames.map(() => historyOf(fc.constantFrom("active", "active", "archived")))),
    versions: all(versionNames.map(() => anyValuesOf(features))),
    people: fc.array(
      fc.record({
        status: historyOf(fc.constantFrom("active", "active", "active", "suspended", "erased")),
        grants: fc.array(grants(features), { maxLength: 6 }),
      }),
      { minLength: 20, maxLength: 20 },
    ),
  }),
);
type Generated = typeof worlds extends fc.Arbitrary<infer W> ? W : never;

export type MadeGrant = {
  id: string;
  values: Map<string, Value>;
  recorded: number;
  starts: number;
  /** Null has no end. */
  ends: number | null;
  changes: { tick: number; ends: number; how: string }[];
};

export type World = {
  features: (Generated["features"][number] & { id: string })[];
  appOf: Map<string, History<string>>;
  people: { id: string; status: History<string>; grants: MadeGrant[] }[];
};

const last = <T>({ first, later }: History<T>) => later.at(-1)?.value ?? first;

/** The ends that a grant's changes gave it, each nearer than the one before; what was revoked or replaced stays so. */
const changesOf = ({ starts, length, changes }: Generated["people"][number]["grants"][number]) => {
  let ends = length === null ? Number.POSITIVE_INFINITY : starts + length;
  const made: MadeGrant["changes"] = [];
  for (const { tick, cut, how } of changes) {
    const next = Math.max(starts, Math.min(ends, tick + cut));
    if (next === ends && how === "shortened") continue;
    if (made.some((one) => one.how === how && how !== "shortened")) continue;
    ends = next;
    if (Number.isFinite(ends)) made.push({ tick, ends, how });
  }
  return made;
};

/** Gives names ids of their own, so that one database holds many worlds. */
export const nameWorld = (generated: Generated): World => {
  const ids = new Map(featureNames.map((name) => [name, randomUUID()]));
  const idOf = (name: string) => ids.get(name) ?? "";
  const features = generated.features.map((one) => ({ ...one, id: idOf(one.feature.id) }));
  const appOf = new Map(appNames.map((name, place) => [name, generated.apps[place] as never]));
  const valuesOf = new Map(
    versionNames.map((name, place) => [name, generated.versions[place] ?? new Map()]),
  );
  const people = generated.people.map(({ status, grants: given }) => ({
    id: randomUUID(),
    status,
    grants: given.map((grant) => {
      const own = generated.features.find((one) => one.feature.id === grant.feature);
      const values = own
        ? new Map<string, Value>([[idOf(own.feature.id), own.own]])
        : new Map(
            [...(valuesOf.get(grant.version) ?? [])].map(([name, value]) => [idOf(name), value]),
          );
      return {
        id: randomUUID(),
        values,
        recorded: grant.recorded,
        starts: grant.starts,
        ends: grant.length === null ? null : grant.starts + grant.length,
        changes: changesOf(grant),
      };
    }),
  }));
  return { features, appOf, people };
};

type Add = (text: string, values: unknown[]) => void;

const code = () => `c-${randomUUID()}`;
const longAgo = momentOf(-100);

/** Writes what the log would hold of a row that became what it is. */
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
  for (const [name, status] of appOf) {
    const id = ids.get(name) ?? "";
    add(
      "insert into apps (id, code, name, status, activated_at, created_at) values ($1, $2, $3, $4, $5, $5)",
      [id, code(), name, last(status), longAgo],
    );
    logOf(add)("apps", id, status, (value) => ({
      id,
      code: name,
      name,
      icon: "apps",
      status: value,
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

const addUsers = (add: Add, { people }: World) => {
  for (const { id, status, grants: given } of people) {
    add(
      "insert into users (id, email, name, status, created_at) values ($1::uuid, $1::text || '@example.com', 'Ada', $2, $3)",
      [id, last(status), longAgo],
    );
    logOf(add)("users", id, status, (value) => ({ id, status: value }));
    for (const grant of given) addGrant(add, id, grant);
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

/** Stores a world as it became, with what was kept of how it was. Triggers rest, because they know one clock only. */
export const storeWorld = async (client: pg.PoolClient, world: World) => {
  const statements: [string, unknown[]][] = [];
  const add: Add = (text, values) => void statements.push([text, values]);
  addFeatures(add, world, addApps(add, world));
  addUsers(add, world);
  await client.query("begin; set local session_replication_role = replica");
  for (const [text, values] of statements) await client.query(text, values);
  await client.query("commit");
};
