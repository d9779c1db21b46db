import pg from "pg";
import { migrate } from "./migrate.ts";

const server = process.env["TEST_DATABASE_URL"] ?? "postgres://root@127.0.0.1:5432/postgres";

declare module "vitest" {
  interface ProvidedContext {
    databaseServer: string;
    databaseTemplate: string;
  }
}

type Project = { provide: (key: "databaseServer" | "databaseTemplate", value: string) => void };

/** One migrated database per run, which every test file copies in a blink. */
export const setup = async ({ provide }: Project) => {
  const name = `purser_template_${process.pid}_${Date.now()}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  await migrate(url.href);
  provide("databaseServer", server);
  provide("databaseTemplate", name);
  return async () => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    await client.query(`drop database if exists ${name} with (force)`);
    await client.end();
  };
};
