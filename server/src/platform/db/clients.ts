import type { PoolName } from "@purser/contract/http/endpoint";
import pg from "pg";
import { startOfTransaction } from "./limits.ts";

type Result = pg.QueryResult | pg.QueryResult[];

const statementNames = new Map<string, string>();
const statementNamesMax = 500;

// A named statement is parsed and planned once per connection. Beyond the limit statements have no name, so that they
// don't fill the memory of the database.
const nameOf = (text: string) => {
  const known = statementNames.get(text);
  if (known) return known;
  if (statementNames.size >= statementNamesMax) return undefined;
  const name = `p${statementNames.size}`;
  statementNames.set(text, name);
  return name;
};

// Everything except the statements that begin and end a transaction.
const isRepeated = (text: string, values: unknown[]) =>
  values.length > 0 || (/^\s*(\/\*.*?\*\/)?\s*select\b/i.test(text) && !/;\s*commit$/i.test(text));

/** A text can have several statements. The rows are those of the last one that returns any. */
const withRows = (result: Result) =>
  Array.isArray(result)
    ? (result.findLast(({ fields }) => fields.length > 0) ?? result[0])
    : result;

/** A connection of its own, or of a pooler in session mode. */
export class NamingClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: pg declares a dozen overloads for this one method.
  override query(text: any, values?: any, done?: any): any {
    if (typeof text !== "string" || !Array.isArray(values) || !isRepeated(text, values))
      return Array.isArray(values) && !done
        ? super.query(text, values).then(withRows)
        : super.query(text, values, done);
    return super.query({ name: nameOf(text), text, values } as pg.QueryConfig, done);
  }
}

type Done = (error: Error | null, result?: Result) => void;
type Query = (asked: pg.QueryConfig) => Promise<Result>;

const begins = /^\s*(begin|start transaction)\b[^;]*/i;

/** Adds the statements to a text without values, and removes their results. */
const withStart = async (query: Query, asked: pg.QueryConfig, start: readonly string[]) => {
  const first = begins.exec(asked.text)?.[0] ?? "";
  // The level of isolation can't be set after another statement.
  const rest = asked.text.slice(first.length).replace(/^\s*;/, "").trim();
  const text = [first, ...start, rest].filter(Boolean).join("; ");
  const results = [await query({ ...asked, text })].flat();
  results.splice(first ? 1 : 0, start.length);
  return results.length === 1 ? (results[0] as pg.QueryResult) : results;
};

/** A statement with values can't be sent together with others. */
const inTransaction = async (query: Query, asked: pg.QueryConfig, start: readonly string[]) => {
  await query({ text: ["begin", ...start].join("; ") });
  try {
    const result = await query(asked);
    await query({ text: "commit" });
    return result;
  } catch (error) {
    await query({ text: "rollback" }).catch(() => undefined);
    throw error;
  }
};

/**
 * A client for a pooler that may use another connection for each transaction. Statements have no names, and every
 * transaction starts with a check of its role and limits.
 */
export const sharedClient = (pool: PoolName) => {
  const start = startOfTransaction(pool);
  return class SharedClient extends pg.Client {
    // biome-ignore lint/suspicious/noExplicitAny: pg declares a dozen overloads for this one method.
    override query(given: any, values?: any, done?: any): any {
      const asked: pg.QueryConfig = typeof given === "string" ? { text: given, values } : given;
      const query: Query = (config) => super.query(config);
      const answer = this.#answer(query, asked);
      if (typeof done !== "function") return Array.isArray(values) ? answer.then(withRows) : answer;
      answer.then(
        (result) => (done as Done)(null, result),
        (error) => (done as Done)(error),
      );
    }

    #answer(query: Query, asked: pg.QueryConfig): Promise<Result> {
      if (this.getTransactionStatus() !== "I") return query(asked);
      return asked.values && asked.values.length > 0
        ? inTransaction(query, asked, start)
        : withStart(query, asked, start);
    }
  };
};
