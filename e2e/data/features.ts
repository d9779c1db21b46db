import type { Page } from "@playwright/test";
import type { Product } from "../environment/product.ts";
import { callApi, uniqueCode } from "./api.ts";
import { type App, activateApp, makeApp } from "./apps.ts";

export type Feature = {
  id: string;
  code: string;
  name: string;
  version: number;
  status: string;
  app: { id: string; name: string };
};

type Details = { name?: string; code?: string; [detail: string]: unknown };

const plain = { kind: "switch", defaultValue: false };

/** A limit in seats, where a test wants something that is counted. */
export const seats = { kind: "limit", unit: { one: "seat", many: "seats" }, defaultValue: 3 };

export const regions = {
  kind: "choice",
  options: [
    { code: "coast", name: "One coast" },
    { code: "ocean", name: "One ocean" },
    { code: "world", name: "World" },
  ],
  defaultValue: "coast",
};

/** A draft that is this test's own, in an app of its own unless one is given. */
export const makeFeature = async (page: Page, details: Details = {}, app?: App) => {
  const { id: appId } = app ?? (await activateApp(page, await makeApp(page)));
  const code = details.code ?? uniqueCode("feature");
  return callApi<Feature>(page, {
    method: "POST",
    path: "/features",
    body: { ...plain, ...details, appId, code, name: details.name ?? `Feature ${code}` },
  });
};

export const activateFeature = (page: Page, { id, version }: Pick<Feature, "id" | "version">) =>
  callApi<Feature>(page, { method: "POST", path: `/features/${id}/activate`, version, body: {} });

const written = [
  "code",
  "name",
  "description",
  "kind",
  "unit",
  "reset",
  "combining",
  "options",
  "defaultValue",
  "enforcement",
  "fallback",
] as const;

/** A change by another user: the stored details with these changes. */
export const changeFeature = async (page: Page, id: string, changes: Details) => {
  const path = `/features/${id}`;
  const stored = await callApi<Record<string, unknown> & Feature>(page, { path });
  const details = Object.fromEntries(written.map((field) => [field, stored[field]]));
  const body = { ...details, ...changes };
  return callApi<Feature>(page, { method: "PUT", path, version: stored.version, body });
};

/** Inserts a package on sale that includes the feature, and one subscriber. */
export const sellFeatureInPackage = async (
  { database }: Product,
  feature: Pick<Feature, "id" | "app">,
  { name, value }: { name: string; value: unknown },
) => {
  const insert = async (statement: string, values: unknown[]) => {
    const { rows } = await database.query<{ id: string }>(`${statement} returning id`, values);
    return rows[0]?.id ?? "";
  };
  const packageId = await insert(
    "insert into packages (code, name, kind, visibility) values ($1, $2, 'base', 'public')",
    [uniqueCode("package"), name],
  );
  const versionId = await insert(
    "insert into package_versions (package_id, number) values ($1, 1)",
    [packageId],
  );
  await database.query("insert into version_apps values ($1, $2)", [versionId, feature.app.id]);
  await database.query(
    "insert into version_values (version_id, app_id, feature_id, value) values ($1, $2, $3, $4)",
    [versionId, feature.app.id, feature.id, JSON.stringify(value)],
  );
  await database.query(
    `update package_versions set state = 'on sale', note = 'For a test', published_at = now()
     where id = $1`,
    [versionId],
  );
  const userId = await insert(
    "insert into users (email, name, status) values ($1, 'A subscriber', 'active')",
    [`${uniqueCode("subscriber")}@example.com`],
  );
  await database.query(
    `insert into grants (user_id, package_id, version_id, source, source_id, starts_at, ends_at)
     values ($1, $2, $3, 'import', 'test', now(), now() + interval '30 days')`,
    [userId, packageId, versionId],
  );
};

/** Inserts many features of an app by SQL, named `<word> 0001` and so on, newest last. */
export const makeManyFeatures = async (
  { database }: Product,
  { id }: Pick<App, "id">,
  { word, amount }: { word: string; amount: number },
) => {
  await database.query(
    `insert into features (id, app_id, code, name, kind, combining, default_value, enforcement, fallback,
       status, activated_at, created_at, updated_at)
     select uuid_v7(at), $3, lower($1) || '-' || to_char(n, 'FM0000'), $1 || ' ' || to_char(n, 'FM0000'),
       'switch', 'largest', 'false', 'hard', 'last known', 'active', at, at, at
     from (select n, now() - make_interval(secs => $2::int - n) as at from generate_series(1, $2::int) n) rows`,
    [word, amount, id],
  );
};
