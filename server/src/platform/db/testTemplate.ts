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

/** New installations require two-factor authentication. Most tests sign in without it. */
const turnOffTwoFactor = async (url: string) => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`set session_replication_role = replica;
    update settings set second_factor_roles = '{}', second_factor_grace_days = 7, version = 1;
    delete from audit_unsealed; delete from audit_entries where entity = 'settings'`);
  await client.end();
};

/** One migrated database per run, which every test file copies quickly. */
export const setup = async ({ provide }: Project) => {
  const name = `purser_template_${process.pid}_${Date.now()}`;
  const url = new URL(databaseServer);
  url.pathname = `/${name}`;
  // The database is temporary, so writes need not be durable.
  url.searchParams.set("options", "--synchronous_commit=off");
  await migrate(url.href);
  await turnOffTwoFactor(url.href);
  provide("databaseServer", databaseServer);
  provide("databaseTemplate", name);
  return async () => {
    const client = new pg.Client({ connectionString: databaseServer });
    await client.connect();
    await client.query(`drop database if exists ${name} with (force)`);
    await client.end();
  };
};
