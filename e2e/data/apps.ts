import type { Page } from "@playwright/test";
import { appWritable } from "@purser/contract/apps/fields";
import { pick } from "@purser/contract/fields/declarations";
import type { Product } from "../environment/product.ts";
import { callApi, uniqueCode } from "./api.ts";

export type App = { id: string; code: string; name: string; version: number; status: string };

type Details = { name?: string; code?: string; [detail: string]: unknown };

/** A draft that is this test's own. */
export const makeApp = (page: Page, details: Details = {}) => {
  const code = details.code ?? uniqueCode();
  return callApi<App>(page, {
    method: "POST",
    path: "/apps",
    body: { ...details, code, name: details.name ?? `App ${code}` },
  });
};

export const activateApp = (page: Page, { id, version }: App) =>
  callApi<App>(page, { method: "POST", path: `/apps/${id}/activate`, version, body: {} });

/** A change by another user: the stored details with these changes. */
export const changeApp = async (page: Page, id: string, changes: Details) => {
  const stored = await callApi<Record<string, unknown> & App>(page, { path: `/apps/${id}` });
  const body = { ...pick(stored, appWritable), ...changes };
  const { version } = stored;
  return callApi<App>(page, { method: "PUT", path: `/apps/${id}`, version, body });
};

/** Inserts many apps by SQL, named `<word> 0001` and so on, newest last. */
export const makeManyApps = async ({ database }: Product, word: string, amount: number) => {
  await database.query(
    `insert into apps (id, code, name, status, activated_at, created_at, updated_at)
     select uuid_v7(at), lower($1) || '-' || to_char(n, 'FM0000'), $1 || ' ' || to_char(n, 'FM0000'),
       'active', at, at, at
     from (select n, now() - make_interval(secs => $2::int - n) as at from generate_series(1, $2::int) n) rows`,
    [word, amount],
  );
};
