import { randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import type { Product } from "../environment/product.ts";

export type App = { id: string; code: string; name: string; version: number; status: string };

export const uniqueCode = (start = "app") => `${start}-${randomBytes(5).toString("hex")}`;

type Call = { method?: string; path: string; body?: unknown; version?: number };

/** Calls the API as whoever is signed in on that page, from a page of ours. */
export const callApi = async <Reply = unknown>(page: Page, call: Call): Promise<Reply> => {
  if (!page.url().startsWith("http")) await page.goto("/login");
  return page.evaluate(async ({ method = "GET", path, body, version }) => {
    const request = {
      method,
      headers: {
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(method === "POST" && { "idempotency-key": crypto.randomUUID() }),
        ...(version !== undefined && { "if-match": `"${version}"` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
    let response = await fetch(`/api${path}`, request);
    // A server that is late asks to come back: what others do to the machine is no test's failure.
    for (let tries = 0; response.status === 503 && tries < 5; tries += 1) {
      const seconds = Number(response.headers.get("retry-after") ?? 1);
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
      response = await fetch(`/api${path}`, request);
    }
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text ? JSON.parse(text) : null;
  }, call) as Promise<Reply>;
};

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

/** Somebody else's change: the details as stored, but for these. */
export const changeApp = async (page: Page, id: string, changes: Details) => {
  const stored = await callApi<Record<string, unknown> & App>(page, { path: `/apps/${id}` });
  const { code, name, description, platforms, icon, supportEmail, version } = stored;
  const body = { code, name, description, platforms, icon, supportEmail, ...changes };
  return callApi<App>(page, { method: "PUT", path: `/apps/${id}`, version, body });
};

/** Many apps at once, by SQL: named `<word> 0001` and on, newest last. */
export const makeManyApps = async ({ database }: Product, word: string, amount: number) => {
  await database.query(
    `insert into apps (id, code, name, status, activated_at, created_at, updated_at)
     select uuid_v7(at), lower($1) || '-' || to_char(n, 'FM0000'), $1 || ' ' || to_char(n, 'FM0000'),
       'active', at, at, at
     from (select n, now() - make_interval(secs => $2::int - n) as at from generate_series(1, $2::int) n) rows`,
    [word, amount],
  );
};
