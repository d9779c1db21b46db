import type pg from "pg";
import { compose } from "../../../server/src/compose.ts";
import { readConfig } from "../../../server/src/config.ts";
import { hashToken, newToken } from "../../../server/src/platform/auth/secrets.ts";
import { pagesMaxOf } from "../../../server/src/platform/db/statement.ts";
import type { Settings } from "../setup/product.ts";
import { type Executed, executedDuring, faultsOf, type Node, pagesOf } from "./plans.ts";
import { allRequests } from "./requests.ts";
import { findSamples } from "./samples.ts";

/** The most pages of all statements of one request. A list looks up, reads, counts, and finds the end of its search. */
export const requestPagesMax = 15_000;

/** The most time that the database needs for a request of home or of a report. */
export const databaseMsMax = 50;

/** Home and reports add up rows of days, so their time must not grow with the sales. */
export const isTimed = (url: string) => /^\/api\/(home|reports)\b/.test(url);

/** Tables with more rows than this grow with the company's customers. */
const largeMin = 20_000;

export type Measured = {
  name: string;
  url: string;
  text: string;
  pages: number;
  pagesMax: number;
  /** Reads everything on purpose, when a user asks for a number. */
  isCalculation: boolean;
  rows: number;
  plan: Node;
  faults: string[];
};

/** The session of an owner who has been there for long. */
export const openSession = async (client: pg.Client) => {
  const token = newToken();
  await client.query(
    `insert into sessions
       (token_hash, user_id, created_at, last_seen_at, address, device, second_factor, proven_at)
     select $1, id, now(), now(), '127.0.0.1', 'scale', true, now() + interval '12 hours'
     from users where role = 'owner' order by id limit 1`,
    [hashToken(token)],
  );
  return `__Host-purser=${token}`;
};

const nameOf = (text: string) => /^\s*\/\* (\S+) \*\//.exec(text)?.[1];

// What begins and ends a transaction.
const isBookkeeping = (text: string) =>
  /^\s*(begin|commit|rollback|set|select set_config)\b/i.test(text);

const largeTables = async (client: pg.Client) => {
  const { rows } = await client.query<{ name: string; pages: number }>(
    "select relname as name, relpages as pages from pg_class where relkind = 'r' and reltuples > $1",
    [largeMin],
  );
  const known = new Map(rows.map(({ name, pages }) => [name, pages]));
  return (table: string) => known.get(table) ?? null;
};

const openProduct = async (settings: Settings, cookie: string) => {
  // Load shedding and deadlines are off, so that a busy machine doesn't refuse requests.
  const config = readConfig({
    ...settings,
    LOG_LEVEL: "error",
    OVERLOAD_DELAY_MS: "0",
    REQUEST_TIMEOUT_MS: "60000",
  });
  const product = await compose(config, { name: "purser scale", works: false });
  const app = await product.serve();
  return {
    get: async (url: string) => {
      const { statusCode, body } = await app.inject({ url, headers: { cookie } });
      return { status: statusCode, body: body === "" ? null : JSON.parse(body) };
    },
    [Symbol.asyncDispose]: async () => {
      await app.close();
      await product.close();
    },
  };
};

type Measuring = { settings: Settings; cookie: string; only: string | undefined };

/** Sends every request to the product in this process, and reads what the database executed for it. */
export const measureAll = async (client: pg.Client, { settings, cookie, only }: Measuring) => {
  await using product = await openProduct(settings, cookie);
  const pagesOfTable = await largeTables(client);
  const measured: Measured[] = [];
  const requests: { url: string; pages: number; ms: number }[] = [];
  const failed: { url: string; status: number }[] = [];
  const measuredOf = (url: string, executed: Executed): Measured => {
    const name = nameOf(executed.text) ?? executed.text.trim().slice(0, 60);
    const pagesMax = pagesMaxOf(name);
    const isCalculation = pagesMax > requestPagesMax;
    return {
      name,
      url,
      text: executed.text,
      pages: pagesOf(executed),
      pagesMax,
      isCalculation,
      rows: executed.plan["Actual Rows"],
      plan: executed.plan,
      faults: isCalculation ? [] : faultsOf(executed, pagesOfTable),
    };
  };
  const samples = await findSamples(client);
  const urls = await allRequests(samples, async (url) => {
    const { status, body } = await product.get(url);
    if (status !== 200) throw new Error(`${url}: ${status} ${JSON.stringify(body)}`);
    return body;
  });
  for (const url of urls.filter((one) => !only || one.includes(only))) {
    const { executed, result } = await executedDuring(() => product.get(url));
    if (result.status > 204) failed.push({ url, status: result.status });
    const statements = executed
      .filter(({ text }) => !isBookkeeping(text))
      .map((one) => measuredOf(url, one));
    measured.push(...statements);
    const bounded = statements.filter(({ isCalculation }) => !isCalculation);
    requests.push({
      url,
      pages: bounded.reduce((sum, { pages }) => sum + pages, 0),
      ms: executed.reduce((sum, { ms }) => sum + ms, 0),
    });
  }
  return { measured, requests, failed };
};
export type MeasuredAll = Awaited<ReturnType<typeof measureAll>>;
