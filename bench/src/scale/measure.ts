import type pg from "pg";
import { compose } from "../../../server/src/compose.ts";
import { readConfig } from "../../../server/src/config.ts";
import { newKeySecret } from "../../../server/src/platform/auth/apiKeys.ts";
import { hashToken, newToken } from "../../../server/src/platform/auth/secrets.ts";
import { pagesMaxOf } from "../../../server/src/platform/db/statement.ts";
import type { Settings } from "../setup/product.ts";
import { keyedApp, wideApp } from "./outliers.ts";
import {
  countedRowsMax,
  countedRowsOf,
  type Executed,
  executedDuring,
  faultsOf,
  type Node,
  pagesOf,
} from "./plans.ts";
import { allRequests, lists, nameOf as nameOfRequest, type Request } from "./requests.ts";
import { findSamples } from "./samples.ts";
import { findCalls, resetCalls } from "./statementCalls.ts";

/** The most pages of all statements of one request. A list looks up, reads, counts, and finds the end of its search. */
export const requestPagesMax = 15_000;

/** The most time that the database needs for a request of home or of a report. */
export const databaseMsMax = 50;

/** Home and reports add up rows of days, so their time must not grow with the sales. */
export const isTimed = (url: string) => /^\/api\/(home|reports)\b/.test(url);

const listUrls = new Set(lists.map(({ path }) => `/api${path}`));

/** A list shows how many rows match only up to a bound. Sums and exact numbers have endpoints of their own. */
const countFaults = (url: string, executed: Executed) => {
  const counted = countedRowsOf(executed);
  const isList = listUrls.has(url.split("?")[0] ?? "");
  return isList && counted > countedRowsMax ? [`counts ${counted} rows for a list`] : [];
};

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
export const openSession = async (client: {
  query: (text: string, values: unknown[]) => Promise<unknown>;
}) => {
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

/** Authorization headers with a key of each app that asks, by its code. */
export const openKeys = async (client: pg.Client) => {
  const headers: Record<string, string> = {};
  for (const app of [keyedApp, wideApp]) {
    const { secret, prefix, secretHash } = newKeySecret("server");
    await client.query(
      `insert into app_keys (app_id, name, kind, scopes, prefix, secret_hash, created_at)
       select id, 'Measured', 'server', '{entitlements:read,usage:write}', $2, $3, now() from apps where code = $1`,
      [app, prefix, secretHash],
    );
    headers[app] = `Bearer ${secret}`;
  }
  return headers;
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

type Measuring = {
  settings: Settings;
  cookie: string;
  keys: Record<string, string>;
  only: string | undefined;
};

const openProduct = async ({ settings, cookie, keys }: Omit<Measuring, "only">) => {
  // Load shedding and deadlines are off, so that a busy machine doesn't refuse requests.
  const config = readConfig({
    ...settings,
    LOG_LEVEL: "error",
    OVERLOAD_DELAY_MS: "0",
    REQUEST_TIMEOUT_MS: "60000",
    // Every check reads the database.
    CHECK_CACHE_MS: "0",
  });
  const product = await compose(config, { name: "purser scale", works: false });
  const app = await product.serve();
  return {
    send: async ({ url, body: payload, app: caller }: Request) => {
      const headers = caller
        ? { authorization: keys[caller] ?? "" }
        : { cookie, ...(payload && { origin: settings.PUBLIC_URL }) };
      const { statusCode, body } = await app.inject({
        url,
        headers,
        ...(payload && { method: "POST" as const, payload }),
      });
      return { status: statusCode, body: body === "" ? null : JSON.parse(body) };
    },
    [Symbol.asyncDispose]: async () => {
      await app.close();
      await product.close();
    },
  };
};

/** Sends every request to the product in this process, and reads what the database executed for it. */
export const measureAll = async (client: pg.Client, { only, ...access }: Measuring) => {
  await using product = await openProduct(access);
  const pagesOfTable = await largeTables(client);
  const measured: Measured[] = [];
  const requests: { url: string; pages: number; ms: number }[] = [];
  const failed: { url: string; status: number; detail: unknown }[] = [];
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
      faults: [
        ...(isCalculation ? [] : faultsOf(executed, pagesOfTable)),
        ...countFaults(url, executed),
      ],
    };
  };
  const samples = await findSamples(client);
  const all = await allRequests(samples, async (url) => {
    const { status, body } = await product.send({ url });
    if (status !== 200) throw new Error(`${url}: ${status} ${JSON.stringify(body)}`);
    return body;
  });
  await resetCalls(client);
  for (const request of all) {
    const url = nameOfRequest(request);
    if (only && !url.includes(only)) continue;
    const { executed, result } = await executedDuring(() => product.send(request));
    if (result.status > 204)
      failed.push({ url, status: result.status, detail: result.body?.detail });
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
  return { measured, requests, failed, unseen: await findUnseen(client, measured) };
};

/**
 * The statements that pg_stat_statements counted more often than the database sent their plans, so that they weren't
 * checked. Null if PostgreSQL doesn't load it.
 */
const findUnseen = async (client: pg.Client, measured: readonly Measured[]) => {
  const calls = await findCalls(client);
  if (!calls) return null;
  const seen = Map.groupBy(measured, ({ name }) => name);
  return {
    calls: [...calls.values()].reduce((sum, one) => sum + one, 0),
    names: [...calls].flatMap(([name, times]) => {
      const checked = seen.get(name)?.length ?? 0;
      return checked < times ? [`${name} (${checked} of ${times})`] : [];
    }),
  };
};
export type MeasuredAll = Awaited<ReturnType<typeof measureAll>>;
