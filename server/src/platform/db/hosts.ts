import pg from "pg";
import { startStatement, tracing } from "../tracing/tracing.ts";

/** A URL per host. `postgres://one:5432,two:5433/purser` names two, of which one is the primary. */
export const urlsOf = (url: string) => {
  const [, start = "", hosts = "", rest = ""] =
    /^(\w+:\/\/(?:[^@/?]*@)?)([^/?]*)(.*)$/.exec(url) ?? [];
  if (!hosts.includes(",")) return [url];
  return hosts.split(",").map((host) => `${start}${host}${rest}`);
};

/** Thrown for a server that only reads. Another host may be the primary. */
const standby = () => new Error("This server is a standby, which doesn't accept changes.");

const isStandby = async (client: { query: (text: string) => Promise<pg.QueryResult> }) => {
  const { rows } = await client.query("select pg_is_in_recovery() as standby");
  return rows[0]?.standby === true;
};

type ClientClass = new (config?: string | pg.ClientConfig) => pg.Client;

/**
 * Connections to the primary. A host that can't be reached or that is a standby is skipped by the next attempt to connect,
 * so that requests continue soon after a failover.
 */
export const followPrimary = (Client: ClientClass, urls: readonly string[]) => {
  let current = 0;
  const skip = (host: number) => {
    if (current === host) current = (host + 1) % urls.length;
  };
  const hosts = new WeakMap<object, number>();

  class PrimaryClient extends Client {
    constructor(config?: string | pg.ClientConfig) {
      const others = typeof config === "object" ? config : {};
      super({ ...others, connectionString: urls[current] });
      hosts.set(this, current);
    }

    // biome-ignore lint/suspicious/noExplicitAny: pg declares a dozen overloads for this one method.
    override query(asked: any, values?: any, done?: any): any {
      const text = typeof asked === "string" ? asked : asked?.text;
      if (!tracing.isOn || typeof text !== "string" || typeof asked?.submit === "function")
        return super.query(asked, values, done);
      const end = startStatement(text);
      if (typeof done === "function")
        return super.query(asked, values, (error: Error, result: pg.QueryResult) => {
          end(error);
          done(error, result);
        });
      const answer: Promise<pg.QueryResult> = super.query(asked, values);
      answer.then(() => end(), end);
      return answer;
    }

    // biome-ignore lint/suspicious/noExplicitAny: pg declares one with a callback and one without.
    override connect(done?: any): any {
      const skipThis = () => skip(hosts.get(this) ?? current);
      if (!done)
        return super.connect().catch((error: Error) => {
          skipThis();
          throw error;
        });
      super.connect((error: Error) => {
        if (error) skipThis();
        done(error);
      });
    }
  }

  /** After connecting: refuses a standby. */
  const assertPrimary = async (client: pg.ClientBase) => {
    if (!(await isStandby(client))) return;
    skip(hosts.get(client) ?? current);
    throw standby();
  };

  return { PrimaryClient, assertPrimary };
};

const accepts = async (url: string) => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  // A connection that breaks while it is closed doesn't matter.
  client.on("error", () => undefined);
  await client.connect();
  try {
    return !(await isStandby(client));
  } finally {
    await client.end();
  }
};

/** The URLs of all hosts, the primary first, so that a new process doesn't start with another one. */
export const primaryFirst = async (url: string) => {
  const urls = urlsOf(url);
  if (urls.length === 1) return urls;
  const primary = await findPrimary(url);
  return [primary, ...urls.filter((one) => one !== primary)];
};

/** The URL of the primary, for commands that use one connection. */
export const findPrimary = async (url: string) => {
  const urls = urlsOf(url);
  const [only] = urls;
  if (urls.length === 1 && only) return only;
  let problem: unknown = standby();
  for (const one of urls)
    try {
      if (await accepts(one)) return one;
    } catch (error) {
      problem = error;
    }
  throw problem;
};
