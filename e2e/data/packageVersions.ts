import { expect, type Page } from "@playwright/test";
import type { Product } from "../environment/product.ts";
import { waitForStream } from "../pages/liveChanges.ts";
import { callApi } from "./api.ts";
import { type App, makeApp } from "./apps.ts";
import { changeDraft, makeFeatureOfKind, makePackage, type Package } from "./packages.ts";

export const heading = (page: Page) => page.getByRole("heading", { level: 1 });

const eur = { currency: "EUR", intervalCount: 1 };
export const prices = [
  { ...eur, amount: 1200, interval: "month" },
  { ...eur, amount: 12_000, interval: "year" },
];

type Publishing = {
  note?: string;
  rollout?: "new buyers" | "now" | "renewal" | "date";
  rolloutAt?: string;
  publishAt?: string;
};

/** Publishes the draft with its current impact, as after a review. */
export const publishWith = async (page: Page, { id }: Package, how: Publishing = {}) => {
  const { draft } = await callApi<Package>(page, { path: `/packages/${id}` });
  const { hash } = await callApi<{ hash: string }>(page, {
    method: "POST",
    path: `/packages/${id}/impact`,
    body: {},
  });
  return callApi<Package>(page, {
    method: "POST",
    path: `/packages/${id}/publish`,
    body: { note: "For the test", ...how, draftId: draft?.id, impact: hash },
  });
};

type Details = { name?: string; code?: string; [detail: string]: unknown };
type Part = { app: Pick<App, "id">; feature: { id: string }; value: boolean | number | string };

/** An app with a limit of seats, to be put into packages. */
export const makeAppWithSeats = async (page: Page, value = 5): Promise<Part & { app: App }> => {
  const app = await makeApp(page);
  return { app, feature: await makeFeatureOfKind(page, app, "limit", { name: "Seats" }), value };
};

/** A package whose draft has prices, a trial, an app and a value of its feature. */
export const makePricedPackage = async (page: Page, details: Details = {}, part?: Part) => {
  const { app, feature, value } = part ?? (await makeAppWithSeats(page));
  const pack = await makePackage(page, { prices, trialDays: 14, ...details });
  await changeDraft(page, pack, {
    addApps: [app.id],
    cells: [{ featureId: feature.id, value, was: null }],
  });
  return pack;
};

/** The same, on sale as its first version. */
export const sellPackage = async (page: Page, details: Details = {}, part?: Part) =>
  publishWith(page, await makePricedPackage(page, details, part));

const written = [
  "code",
  "name",
  "description",
  "kind",
  "group",
  "visibility",
  "sort",
  "trialDays",
  "prices",
] as const;

/** A change by another user: the stored details with these changes. */
export const changePackage = async (
  page: Page,
  id: string,
  changes: { [Detail in (typeof written)[number]]?: unknown },
) => {
  const path = `/packages/${id}`;
  const stored = await callApi<Record<string, unknown> & Package>(page, { path });
  const details = Object.fromEntries(written.map((field) => [field, stored[field]]));
  const body = { ...details, ...changes };
  return callApi<Package>(page, { method: "PUT", path, version: stored.version, body });
};

/** Opens a package's page and waits until it receives live updates. */
export const openPackage = async (page: Page, { id, name }: Package, search = "") => {
  const following = waitForStream(page);
  await page.goto(`/package/view/${id}${search}`);
  await expect(heading(page)).toHaveText(name);
  await following;
};

/** Inserts many packages on sale by SQL, named `<word> 0001` and so on, newest last. */
export const makeManyPackages = async ({ database }: Product, word: string, amount: number) => {
  await database.query(
    `with made as (
       insert into packages (id, code, name, kind, visibility, status, activated_at, created_at, updated_at)
       select uuid_v7(at), lower($1) || '-' || to_char(n, 'FM0000'), $1 || ' ' || to_char(n, 'FM0000'),
         'base', 'public', 'active', at, at, at
       from (select n, now() - make_interval(secs => $2::int - n) as at from generate_series(1, $2::int) n) rows
       returning id
     )
     insert into package_versions (package_id, number, state, note, published_at)
     select id, 1, 'on sale', 'For a test', now() from made`,
    [word, amount],
  );
};
