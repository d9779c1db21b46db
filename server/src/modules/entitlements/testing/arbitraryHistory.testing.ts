import { randomUUID } from "node:crypto";
import type { Value } from "@purser/contract/fields/values";
import fc from "fast-check";
import { all, anyFeature, anyValueOf, anyValuesOf } from "../../packages/testing/arbitraries.ts";

/** Moments are whole minutes of one past day. There are few, so that they often coincide. */
const ticksMax = 40;
const base = Date.now() - 10 * 86_400_000;
export const momentOf = (tick: number) => new Date(base + tick * 60_000);
export const anyTick = fc.integer({ min: 0, max: ticksMax });

const featureNames = ["f1", "f2", "f3", "f4", "f5"];
const appNames = ["a1", "a2"];
const versionNames = ["v1", "v2", "v3"];

/** A first value, and later values with their time. */
const historyOf = <T>(value: fc.Arbitrary<T>) =>
  fc.record({
    first: value,
    later: fc
      .array(fc.record({ tick: anyTick, value }), { maxLength: 2 })
      .map((changes) => changes.toSorted((one, other) => one.tick - other.tick)),
  });
export type History<T> = { first: T; later: { tick: number; value: T }[] };

const grantChanges = fc.record({
  tick: anyTick,
  /** How many ticks after the change the grant ends. */
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
      .array(grantChanges, { maxLength: 2 })
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
    apps: all(
      appNames.map(() =>
        historyOf(
          fc.record({
            status: fc.constantFrom("active", "active", "archived"),
            isSuspended: fc.constantFrom(false, false, true),
          }),
        ),
      ),
    ),
    versions: all(versionNames.map(() => anyValuesOf(features))),
    customers: fc.array(
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
  /** Null means no end. */
  ends: number | null;
  changes: { tick: number; ends: number; how: string }[];
};

export type World = {
  features: (Generated["features"][number] & { id: string })[];
  appOf: Map<string, History<{ status: string; isSuspended: boolean }>>;
  customers: { id: string; status: History<string>; grants: MadeGrant[] }[];
};

export const last = <T>({ first, later }: History<T>) => later.at(-1)?.value ?? first;

/** The ends that the changes gave a grant, each earlier than the one before. It is revoked or superseded only once. */
const changesOf = ({
  starts,
  length,
  changes,
}: Generated["customers"][number]["grants"][number]) => {
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

/** Replaces names by new IDs, so that one database can hold many worlds. */
export const nameWorld = (generated: Generated): World => {
  const ids = new Map(featureNames.map((name) => [name, randomUUID()]));
  const idOf = (name: string) => ids.get(name) ?? "";
  const features = generated.features.map((one) => ({ ...one, id: idOf(one.feature.id) }));
  const appOf = new Map(appNames.map((name, place) => [name, generated.apps[place] as never]));
  const valuesOf = new Map(
    versionNames.map((name, place) => [name, generated.versions[place] ?? new Map()]),
  );
  const customers = generated.customers.map(({ status, grants: granted }) => ({
    id: randomUUID(),
    status,
    grants: granted.map((grant) => {
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
  return { features, appOf, customers };
};
