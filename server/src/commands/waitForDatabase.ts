import { setTimeout } from "node:timers/promises";
import pg from "pg";
import type { Config } from "../config.ts";
import { findPrimary } from "../platform/db/hosts.ts";
import { codeOf } from "./explanations.ts";

// Not reachable yet, or PostgreSQL is starting.
const temporary = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "ETIMEDOUT", "57P03"]);

const connectOnce = async (url: string) => {
  const client = new pg.Client({
    connectionString: await findPrimary(url),
    connectionTimeoutMillis: 5000,
  });
  // A connection that breaks while it is closed doesn't matter.
  client.on("error", () => undefined);
  await client.connect();
  await client.end();
};

/** Processes of one machine start in any order, so the database may follow. */
export const waitForDatabase = async ({ DATABASE_WAIT_SECONDS: seconds }: Config, url: string) => {
  const until = performance.now() + seconds * 1000;
  for (let attempt = 1; ; attempt += 1) {
    try {
      await connectOnce(url);
      return;
    } catch (error) {
      // The command itself explains any other error.
      if (!temporary.has(codeOf(error) ?? "")) return;
      if (performance.now() >= until) throw error;
      if (attempt === 1)
        process.stderr.write(`The database can't be reached. Trying for up to ${seconds} s.\n`);
    }
    await setTimeout(500);
  }
};
