import type { Page } from "@playwright/test";
import type { Product } from "../environment/product.ts";
import { callApi, uniqueCode } from "./api.ts";
import { type App, makeApp } from "./apps.ts";

type Feature = { id: string; code: string; name: string; version: number };
type Version = { id: string; number: number };
export type Package = {
  id: string;
  code: string;
  name: string;
  version: number;
  draft: Version | null;
  onSale: Version | null;
};
type Value = boolean | number | string;
type Details = { name?: string; code?: string; [detail: string]: unknown };

const post = <Reply>(page: Page, path: string, body: unknown) =>
  callApi<Reply>(page, { method: "POST", path, body });

const kinds = {
  limit: { kind: "limit", defaultValue: 0, unit: { one: "seat", many: "seats" } },
  metered: {
    kind: "metered",
    defaultValue: 0,
    unit: { one: "export", many: "exports" },
    reset: "month",
    combining: "sum",
  },
  switch: { kind: "switch", defaultValue: false },
  choice: {
    kind: "choice",
    defaultValue: "standard",
    options: [
      { code: "standard", name: "Standard" },
      { code: "print", name: "Print" },
      { code: "proof", name: "Print and proof" },
    ],
  },
};

export const makeFeatureOfKind = (
  page: Page,
  app: App,
  kind: keyof typeof kinds,
  details: Details = {},
) => {
  const code = details.code ?? uniqueCode(kind);
  const body = { ...kinds[kind], name: `Feature ${code}`, ...details, code, appId: app.id };
  return post<Feature>(page, "/features", body);
};

/** A package with a first draft that is this test's own. */
export const makePackage = (page: Page, details: Details = {}) => {
  const code = details.code ?? uniqueCode("pack");
  return post<Package>(page, "/packages", {
    ...details,
    code,
    name: details.name ?? `Pack ${code}`,
  });
};

export type Change = {
  addApps?: string[];
  removeApps?: string[];
  cells?: { featureId: string; value: Value | null; was: Value | null }[];
};

/** Saves the draft through the API. */
export const changeDraft = async (page: Page, { id }: Package, change: Change) => {
  const { draft } = await callApi<Package>(page, { path: `/packages/${id}` });
  return post(page, `/packages/${id}/matrix`, { ...change, draftId: draft?.id });
};

export const publish = async (page: Page, { id }: Package) => {
  const { draft } = await callApi<Package>(page, { path: `/packages/${id}` });
  const impact = await post<{ hash: string }>(page, `/packages/${id}/impact`, {});
  const body = { draftId: draft?.id, note: "For the test", impact: impact.hash };
  return post<Package>(page, `/packages/${id}/publish`, body);
};

export const startDraft = (page: Page, { id }: Package) =>
  post<Package>(page, `/packages/${id}/draft`, {});

/** Customers with access to the version on sale, each by an imported grant without an end date. */
export const addSubscribers = async ({ database }: Product, { id }: Package, amount: number) => {
  await database.query(
    `with customers as (
       insert into users (email, name, status)
       select gen_random_uuid() || '@example.com', 'Subscriber ' || n, 'active' from generate_series(1, $2::int) n
       returning id
     )
     insert into grants (user_id, package_id, version_id, source, source_id, starts_at)
     select customers.id, $1, v.id, 'import', 'test', now() from customers, package_versions v
     where v.package_id = $1 and v.state = 'on sale'`,
    [id, amount],
  );
};

type Stored = { apps: { id: string; features: { id: string; value: Value | null }[] }[] };

/** The values of the draft, by feature. */
export const valuesOf = async (page: Page, { id }: Package) => {
  const { apps } = await callApi<Stored>(page, { path: `/packages/${id}/matrix` });
  return Object.fromEntries(
    apps.flatMap(({ features }) => features.map((feature) => [feature.id, feature.value])),
  );
};

/** A package with one app and features of these kinds, in this order, all at their defaults. */
export const makeMatrix = async (
  page: Page,
  wanted: readonly (keyof typeof kinds)[],
  details: Details = {},
) => {
  const app = await makeApp(page, { name: "Darkroom" });
  const features: Feature[] = [];
  for (const [place, kind] of wanted.entries())
    features.push(await makeFeatureOfKind(page, app, kind, { name: `F${place + 1} ${kind}` }));
  const pack = await makePackage(page, { name: "Studio", ...details });
  await changeDraft(page, pack, { addApps: [app.id] });
  return { app, features, pack };
};

/** Many apps with features, by SQL, all in the draft of a package. */
export const fillPackage = async (
  { database }: Product,
  { draft }: Package,
  { apps, features, word }: { apps: number; features: number; word: string },
) => {
  await database.query(
    `with made as (
       insert into apps (code, name, status, activated_at)
       select lower($1) || '-' || to_char(n, 'FM000'), $1 || ' ' || to_char(n, 'FM000'), 'active', now()
       from generate_series(1, $2::int) n returning id, code
     ), given as (
       insert into features (app_id, code, name, kind, combining, default_value, unit_one, unit_many,
         enforcement, fallback, status, activated_at)
       select made.id, 'limit-' || to_char(n, 'FM00'), 'Limit ' || to_char(n, 'FM00'), 'limit', 'largest', '0',
         'seat', 'seats', 'hard', 'allow', 'active', now()
       from made cross join generate_series(1, $3::int) n returning id, app_id
     ), held as (
       insert into version_apps (version_id, app_id) select $4, id from made returning app_id
     )
     select count(*) from given, held`,
    [word, apps, features, draft?.id],
  );
};
