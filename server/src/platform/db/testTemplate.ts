import pg from "pg";
import { databaseServer } from "./databaseServer.testing.ts";
import { migrate } from "./migrate.ts";

declare module "vitest" {
  interface ProvidedContext {
    databaseServer: string;
    databaseTemplate: string;
    /** How many times slower this machine is than the reference machine of the deadlines. */
    slowness: number;
  }
}

type Project = { provide: (key: "databaseServer" | "databaseTemplate", value: string) => void };

/** One migrated database per run, which every test file copies quickly. */
export const setup = async ({ provide }: Project) => {
  const name = `purser_template_${process.pid}_${Date.now()}`;
  const url = new URL(databaseServer);
  url.pathname = `/${name}`;
  // The database is temporary, so writes need not be durable.
  url.searchParams.set("options", "--synchronous_commit=off");
  await migrate(url.href);
  provide("databaseServer", databaseServer);
  provide("databaseTemplate", name);
  return async () => {
    const client = new pg.Client({ connectionString: databaseServer });
    await client.connect();
    await client.query(`drop database if exists ${name} with (force)`);
    await client.end();
  };
};
