import { randomBytes } from "node:crypto";
import { expect, type Page } from "@playwright/test";
import { uniqueCode } from "../data/api.ts";
import type { Product } from "../environment/product.ts";

/** A unique word in names, so that a search for it shows only this test's rows. */
export const uniqueWord = () => `W${randomBytes(5).toString("hex")}`;

type Inserted = {
  name: string;
  status?: "draft" | "active" | "archived";
  platforms?: string[];
  supportEmail?: string;
  createdAt?: string;
};

/** Inserts an app by SQL, as if created elsewhere, and returns its ID. */
export const insertApp = async ({ database }: Product, app: Inserted) => {
  const { name, status = "active", platforms = [], supportEmail = null } = app;
  const at = app.createdAt ?? new Date().toISOString();
  const { rows } = await database.query<{ id: string }>(
    `insert into apps (id, code, name, status, platforms, support_email, activated_at, created_at, updated_at)
     values (uuid_v7($6), $1, $2, $3, $4, $5, case when $3 = 'draft' then null else $6 end, $6, $6)
     returning id`,
    [uniqueCode(), name, status, platforms, supportEmail, at],
  );
  return rows[0]?.id ?? "";
};

type Search = Record<string, string | string[]>;

export const listUrl = (search: Search, path = "/apps") => {
  const query = new URLSearchParams();
  for (const [name, given] of Object.entries(search))
    for (const value of [given].flat()) query.append(name, value);
  return `${path}?${query}`;
};

/** The rows of whichever list is on the page. */
export const listRegion = (page: Page) =>
  page.getByRole("region", { name: /^(Apps|Features|Packages|Promotions|Transactions|Users)$/ });

/** The names in the list, from top to bottom. Rows that are still loading have none. */
export const rowNames = (page: Page) => listRegion(page).getByRole("rowheader");

export const rowOf = (page: Page, name: string) =>
  listRegion(page)
    .getByRole("row")
    .filter({ has: page.getByRole("rowheader", { name, exact: true }) });

/** The list has loaded what was requested. */
export const expectListLoaded = (page: Page) =>
  expect(listRegion(page)).toHaveAttribute("aria-busy", "false");

export const openList = async (page: Page, search: Search, path = "/apps") => {
  await page.goto(listUrl(search, path));
  await expectListLoaded(page);
};

export const columnHeader = (page: Page, label: string) =>
  listRegion(page).getByRole("columnheader", { name: new RegExp(`^${label}`) });

/** `word 0001` and so on, as in `makeManyApps`. */
export const numberedNames = (word: string, from: number, to: number) =>
  Array.from(
    { length: Math.abs(to - from) + 1 },
    (_, place) => `${word} ${String(from + (to < from ? -place : place)).padStart(4, "0")}`,
  );

/** A list is requested on its own or as part of the page's payload. */
const isList = (address: string) =>
  /^\/(api\/(apps|features|packages|promotions|transactions|users)|(apps|feature|package|promotion|transaction|users)\/_payload\.json)$/.test(
    new URL(address).pathname,
  );

/** The query of the list request that the action causes. */
export const listQueryAfter = async (page: Page, act: () => Promise<unknown>) => {
  const request = page.waitForRequest((one) => one.method() === "GET" && isList(one.url()), {
    timeout: 15_000,
  });
  await act();
  return new URL((await request).url()).searchParams;
};

export const searchParam = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);
