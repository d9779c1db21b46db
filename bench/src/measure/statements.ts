import { compose } from "../../../server/src/compose.ts";
import { readConfig } from "../../../server/src/config.ts";
import type { Platform } from "../../../server/src/platform/platform.ts";
import type { Case } from "../cases.ts";
import type { Settings } from "../setup/product.ts";

export type Statement = { text: string; values: unknown[] };

/** Hears every statement that leaves through the product's pool. */
const overhear = (pool: Platform["pool"], hear: (statement: Statement) => void) => {
  const heard = new WeakSet<object>();
  pool.on("acquire", (client) => {
    if (heard.has(client)) return;
    heard.add(client);
    const query = client.query.bind(client) as (...given: unknown[]) => unknown;
    const listening = (...given: unknown[]) => {
      const [text, values] = given;
      hear({ text: String(text), values: Array.isArray(values) ? values : [] });
      return query(...given);
    };
    Object.assign(client, { query: listening });
  });
};

/**
 * The very statements that the product makes for each case, the check of the session included. Taken
 * from the product itself, put together in this process, so that they can never be an old copy.
 */
export const statementsOf = async (
  settings: Settings,
  { cases, cookie }: { cases: Case[]; cookie: string },
) => {
  // Asked once each: what else the machine does must not turn one away.
  const config = readConfig({ ...settings, LOG_LEVEL: "error", BUSY_AFTER_MS: "0" });
  const product = await compose(config, { name: "purser bench", works: false });
  const app = await product.serve();
  const made = new Map<string, Statement[]>();
  let heard: Statement[] = [];
  overhear(product.platform.pool, (statement) => heard.push(statement));
  for (const { name, path } of cases) {
    // Only the second answer shows what each one costs: the first also fills what the process remembers.
    for (const _ of ["first", "second"]) {
      heard = [];
      const { statusCode } = await app.inject({ url: path, headers: { cookie } });
      if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}.`);
    }
    made.set(name, heard);
  }
  await app.close();
  await product.close();
  return made;
};
