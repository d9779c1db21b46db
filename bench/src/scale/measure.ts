import type pg from "pg";
import { compose } from "../../../server/src/compose.ts";
import { readConfig } from "../../../server/src/config.ts";
import { pagesMaxOf } from "../../../server/src/platform/db/statement.ts";
import type { Settings } from "../setup/product.ts";
import { type Executed, executedDuring, faultsOf, type Node, pagesOf } from "./plans.ts";
import { type Asked, allRequests } from "./requests.ts";
import { findSamples } from "./samples.ts";

/** The default bound of a statement, and the bound of all statements of one request. */
export const statementPagesMax = 1000;
export const requestPagesMax = 3000;

/** Tables with more rows than this grow with the company's customers. */
const largeMin = 20_000;

export type Measured = {
  name: string;
  url: string;
  text: string;
  pages: number;
  pagesMax: number;
  rows: number;
  plan: Node;
  faults: string[];
};

const nameOf = (text: string) => /^\s*\/\* (\S+) \*\//.exec(text)?.[1];

// Session checks and settings of the transaction run before every request.
const isBookkeeping = (text: string) =>
  /^\s*(begin|commit|rollback|set|select set_config)\b/i.test(text);

const largeTables = async (client: pg.Client) => {
  const { rows } = await client.query<{ name: string }>(
    "select relname as name from pg_class where relkind = 'r' and reltuples > $1",
    [largeMin],
  );
  const names = new Set(rows.map(({ name }) => name));
  return (table: string) => names.has(table);
};

type Measuring = { settings: Settings; cookie: string; only: string | undefined };

/** Sends every request to the product in this process, and reads what the database executed for it. */
export const measureAll = async (client: pg.Client, { settings, cookie, only }: Measuring) => {
  const config = readConfig({
    ...settings,
    LOG_LEVEL: "error",
    OVERLOAD_DELAY_MS: "0",
    REQUEST_TIMEOUT_MS: "60000",
  });
  const product = await compose(config, { name: "purser scale", works: false });
  const app = await product.serve();
  const get = async (url: string) => {
    const response = await app.inject({ url, headers: { cookie } });
    if (response.statusCode !== 200 && !/impact/.test(url))
      failed.push({ url, status: response.statusCode });
    return response.body ? response.json() : null;
  };
  const failed: { url: string; status: number }[] = [];
  const isLarge = await largeTables(client);
  const measured: Measured[] = [];
  const requests: { asked: Asked; pages: number; statements: number }[] = [];
  const readOne = (asked: Asked, executed: Executed): Measured => {
    const name = nameOf(executed.text) ?? executed.text.trim().slice(0, 60);
    return {
      name,
      url: asked.url,
      text: executed.text,
      pages: pagesOf(executed),
      pagesMax: pagesMaxOf(name) ?? statementPagesMax,
      rows: executed.plan["Actual Rows"],
      plan: executed.plan,
      faults: faultsOf(executed, isLarge),
    };
  };
  try {
    const all = await allRequests(await findSamples(client), get);
    for (const asked of all.filter(({ url }) => !only || url.includes(only))) {
      const { executed } = await executedDuring(() => get(asked.url));
      const statements = executed
        .filter(({ text }) => !isBookkeeping(text))
        .map((one) => readOne(asked, one));
      measured.push(...statements);
      const pages = statements.reduce((sum, one) => sum + one.pages, 0);
      requests.push({ asked, pages, statements: statements.length });
    }
  } finally {
    await app.close();
    await product.close();
  }
  return { measured, requests, failed };
};
