import { compose } from "../../../server/src/compose.ts";
import { readConfig } from "../../../server/src/config.ts";
import type { Platform } from "../../../server/src/platform/platform.ts";
import type { Case } from "../cases.ts";
import type { Settings } from "../setup/product.ts";

export type Statement = { text: string; values: unknown[] };

/** Calls back for every statement that the product's pool executes. */
const recordStatements = (pool: Platform["pool"], record: (statement: Statement) => void) => {
  const patched = new WeakSet<object>();
  pool.on("acquire", (client) => {
    if (patched.has(client)) return;
    patched.add(client);
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    const recording = (...given: unknown[]) => {
      const [text, values] = given;
      record({ text: String(text), values: Array.isArray(values) ? values : [] });
      return query(...given);
    };
    Object.assign(client, { query: recording });
  });
};

/**
 * The statements that the product executes for each case, including the session check. They are recorded from the
 * product itself in this process, so that they are always up to date.
 */
export const statementsOf = async (
  settings: Settings & { CHECK_CACHE_MS?: string },
  { cases, headers }: { cases: Case[]; headers: Record<string, string> },
) => {
  // Load shedding is off, so that a busy machine doesn't refuse one of the few requests.
  const config = readConfig({ ...settings, LOG_LEVEL: "error", OVERLOAD_DELAY_MS: "0" });
  const product = await compose(config, { name: "purser bench", works: false });
  const app = await product.serve();
  const made = new Map<string, Statement[]>();
  let recorded: Statement[] = [];
  const { checks, reads } = product.platform.pools;
  for (const { pool } of [checks, reads])
    recordStatements(pool, (statement) => recorded.push(statement));
  for (const { name, path } of cases) {
    // The first request also fills caches, so only the second one is recorded.
    for (const _ of ["first", "second"]) {
      recorded = [];
      const { statusCode } = await app.inject({ url: path, headers });
      if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}.`);
    }
    made.set(name, recorded);
  }
  await app.close();
  await product.close();
  return made;
};
