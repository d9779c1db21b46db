import { randomUUID } from "node:crypto";
import type { Value } from "@purser/contract/fields/values";
import fc from "fast-check";
import type pg from "pg";
import type { Feature } from "../entitle.ts";
import { all, anyFeature, anyValueOf, anyValuesOf } from "./arbitraries.ts";

export const featureIds = ["f1", "f2", "f3", "f4"];
export const ownIds = ["own1", "own2", "own3"];
export const otherIds = ["add-on1", "add-on2"];
const appIds = ["a1", "a2"];
const customersCount = 60;

/** A grant to a version, or to one feature's value. */
export type Grant = { version: string } | { feature: string; value: Value };

export const grantOf = (versions: readonly string[]): fc.Arbitrary<Grant> =>
  fc.constantFrom(...versions).map((version) => ({ version }));

export const valueFor = (features: readonly Feature[]): fc.Arbitrary<Grant> =>
  fc
    .constantFrom(...features)
    .chain((one) => anyValueOf(one).map((value) => ({ feature: one.id, value })));

// Start and end in days from now: current, past or future.
const periods = fc.oneof(
  { weight: 6, arbitrary: fc.constant([-3, 3] as const) },
  { weight: 1, arbitrary: fc.constantFrom([-9, -5] as const, [5, 9] as const) },
);

const uses = fc.array(
  fc.record({
    customer: fc.nat({ max: customersCount - 1 }),
    feature: fc.constantFrom(...featureIds),
    used: fc.nat({ max: 9 }),
    monthsAgo: fc.constantFrom(0, 1, 3),
  }),
  { maxLength: 80 },
);

/** A catalog and its customers, with names in place of ids. */
export const catalogs = all(featureIds.map(anyFeature)).chain((features) =>
  fc.record({
    features: all(
      features.map((feature) =>
        fc.record({
          feature: fc.constant(feature),
          app: fc.constantFrom(...appIds),
          status: fc.constantFrom("active", "active", "archived"),
        }),
      ),
    ),
    values: all([...ownIds, ...otherIds].map(() => anyValuesOf(features))),
    draft: anyValuesOf(features),
    /** An unsaved change of the draft. */
    removed: fc.subarray(appIds, { maxLength: 1 }),
    cells: fc.oneof(
      fc.constant<[string, Value][]>([]),
      anyValuesOf(features).map((values) => [...values]),
    ),
    customers: fc.array(
      fc.array(
        fc.record({
          grant: fc.oneof(
            { weight: 3, arbitrary: grantOf(ownIds) },
            { weight: 2, arbitrary: grantOf(otherIds) },
            { weight: 1, arbitrary: valueFor(features) },
          ),
          period: periods,
        }),
        { maxLength: 4 },
      ),
      { minLength: customersCount, maxLength: customersCount },
    ),
    uses,
  }),
);
type Catalog = typeof catalogs extends fc.Arbitrary<infer C> ? C : never;

/** Assigns an id to each name. */
const naming = () => {
  const ids = new Map<string, string>();
  return (name: string) => {
    const id = ids.get(name) ?? randomUUID();
    ids.set(name, id);
    return id;
  };
};
type Place = { owner: pg.Pool; idOf: (name: string) => string };

/** Inserts many rows with one statement; the columns are given with their types. */
const insertRows = (owner: pg.Pool, into: string, rows: readonly object[]) => {
  const [, table = "", columns = ""] = /^(\w+) \((.*)\)$/s.exec(into) ?? [];
  const names = columns.split(",").map((column) => column.trim().split(" ")[0]);
  return owner.query(
    `insert into ${table} (${names}) select ${names} from jsonb_to_recordset($1::jsonb) as given (${columns})`,
    [JSON.stringify(rows)],
  );
};

const newCode = () => `c-${randomUUID().slice(0, 12)}`;
const active = () => ({ status: "active", activated_at: new Date() });

const insertFeatures = async ({ owner, idOf }: Place, features: Catalog["features"]) => {
  await insertRows(
    owner,
    "apps (id uuid, code text, name text, status text, activated_at timestamptz)",
    appIds.map((name) => ({ id: idOf(name), code: newCode(), name, ...active() })),
  );
  await insertRows(
    owner,
    `features (id uuid, app_id uuid, code text, name text, kind text, combining text, options jsonb,
     reset text, default_value jsonb, enforcement text, fallback text, status text, activated_at timestamptz)`,
    features.map(({ feature: { id, unit: _, defaultValue, ...feature }, app, status }) => ({
      ...feature,
      ...active(),
      id: idOf(id),
      app_id: idOf(app),
      code: newCode(),
      name: id,
      default_value: defaultValue,
      enforcement: "hard",
      fallback: "deny",
      status,
    })),
  );
};

const packageOf = (version: string) => (otherIds.includes(version) ? "others" : "own");

const insertVersion = async (
  { owner, idOf }: Place,
  { name, number }: { name: string; number: number },
  { features, values }: Pick<Catalog, "features"> & { values: ReadonlyMap<string, Value> },
) => {
  const id = idOf(name);
  await insertRows(owner, "package_versions (id uuid, package_id uuid, number int)", [
    { id, package_id: idOf(packageOf(name)), number },
  ]);
  await insertRows(
    owner,
    "version_apps (version_id uuid, app_id uuid)",
    appIds.map((app) => ({ version_id: id, app_id: idOf(app) })),
  );
  await insertRows(
    owner,
    "version_values (version_id uuid, app_id uuid, feature_id uuid, value jsonb)",
    features.flatMap(({ feature, app }) => {
      const value = values.get(feature.id);
      const row = { version_id: id, app_id: idOf(app), feature_id: idOf(feature.id), value };
      return value === undefined ? [] : [row];
    }),
  );
};

const publish = async ({ owner, idOf }: Place, name: string) => {
  await owner.query(
    "update package_versions set state = 'superseded' where state = 'on sale' and package_id = $1",
    [idOf(packageOf(name))],
  );
  await owner.query(
    "update package_versions set state = 'on sale', note = 'A test.', published_at = now() where id = $1",
    [idOf(name)],
  );
};

const insertPackages = async (place: Place, { features, values, draft }: Catalog) => {
  await insertRows(
    place.owner,
    "packages (id uuid, code text, name text, kind text, visibility text, status text, activated_at timestamptz)",
    ["own", "others"].map((name) => ({
      ...active(),
      id: place.idOf(name),
      code: newCode(),
      name,
      kind: "add-on",
      visibility: "public",
    })),
  );
  for (const [index, name] of [...ownIds, ...otherIds].entries()) {
    const given = { features, values: values[index] ?? new Map() };
    await insertVersion(place, { name, number: index + 1 }, given);
    await publish(place, name);
  }
  await insertVersion(place, { name: "draft", number: 99 }, { features, values: draft });
};

const customerAt = (index: number) => `customer ${index}`;

const insertCustomers = async ({ owner, idOf }: Place, customers: Catalog["customers"]) => {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
  await insertRows(
    owner,
    "users (id uuid, email text, name text, status text)",
    customers.map((_, index) => {
      const id = idOf(customerAt(index));
      return { id, email: `${id}@example.com`, name: "Subscriber", status: "active" };
    }),
  );
  const columnsOf = (grant: Grant) =>
    "version" in grant
      ? { package_id: idOf(packageOf(grant.version)), version_id: idOf(grant.version) }
      : { feature_id: idOf(grant.feature), value: grant.value };
  await insertRows(
    owner,
    `grants (user_id uuid, package_id uuid, version_id uuid, feature_id uuid, value jsonb, source text,
     source_id text, starts_at timestamptz, ends_at timestamptz)`,
    customers.flatMap((grants, index) =>
      grants.map(({ grant, period: [from, to] }) => ({
        ...columnsOf(grant),
        user_id: idOf(customerAt(index)),
        source: "import",
        source_id: "test",
        starts_at: inDays(from),
        ends_at: inDays(to),
      })),
    ),
  );
};

const insertUses = async ({ owner, idOf }: Place, { features, uses: all }: Catalog) => {
  const now = new Date();
  const rows = all.flatMap(({ customer, feature, used, monthsAgo }) => {
    const kind = features.find((one) => one.feature.id === feature)?.feature.kind;
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo));
    const since = kind === "metered" ? month.toISOString() : "-infinity";
    const row = {
      user_id: idOf(customerAt(customer)),
      feature_id: idOf(feature),
      window_start: since,
    };
    return kind === "limit" || kind === "metered" ? [{ ...row, used }] : [];
  });
  const once = new Map(rows.map((row) => [Object.values({ ...row, used: 0 }).join(), row]));
  await insertRows(
    owner,
    "feature_use (user_id uuid, feature_id uuid, window_start timestamptz, used bigint)",
    [...once.values()],
  );
};

/** Inserts a catalog with a few statements and returns the ids of its names. */
export const insertCatalog = async (owner: pg.Pool, catalog: Catalog) => {
  const idOf = naming();
  const place = { owner, idOf };
  await insertFeatures(place, catalog.features);
  await insertPackages(place, catalog);
  await insertCustomers(place, catalog.customers);
  await insertUses(place, catalog);
  return {
    idOf,
    packageId: idOf("own"),
    appIds: appIds.map(idOf),
    userIds: catalog.customers.map((_, index) => idOf(customerAt(index))),
  };
};
