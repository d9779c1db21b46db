import { readFileSync, writeFileSync } from "node:fs";
import pg from "pg";
import { dumpSchema, generateSchema } from "../server/src/platform/db/codegen/generate.ts";
import {
  differences,
  generateRows,
  loadStatements,
} from "../server/src/platform/db/codegen/statementTypes.ts";
import { connectAsOwner } from "../server/src/platform/db/db.ts";
import { migrate } from "../server/src/platform/db/migrate.ts";

// Generates the table types, the statement types and schema.sql from the migrations. `--check` only
// compares the statement types; tests compare the rest.
const server = process.env["TEST_DATABASE_URL"] ?? "postgres://root@127.0.0.1:5432/postgres";
const name = `purser_schema_${process.pid}_${Date.now()}`;
const url = new URL(server);
url.pathname = `/${name}`;
// The database is temporary, so writes needn't be durable.
url.searchParams.set("options", "--synchronous_commit=off");
const file = (path: string) => new URL(`../server/${path}`, import.meta.url);
const rowsFile = file("src/platform/db/statements.gen.ts");

const generate = async () => {
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    return await generateRows(client, await loadStatements());
  } finally {
    await client.end();
  }
};

const check = async () => {
  const differing = differences(readFileSync(rowsFile, "utf8"), await generate());
  if (differing.length === 0) return;
  console.error(`Row types are out of date: ${differing.join(", ")}. Run \`npm run schema\`.`);
  process.exitCode = 1;
};

const write = async () => {
  const { db } = connectAsOwner(url.href);
  writeFileSync(file("src/platform/db/schema.ts"), await generateSchema(db));
  await db.destroy();
  writeFileSync(file("schema.sql"), dumpSchema(url.href));
  writeFileSync(rowsFile, await generate());
};

try {
  await migrate(url.href);
  await (process.argv.includes("--check") ? check() : write());
} finally {
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  await admin.query(`drop database if exists ${name} with (force)`);
  await admin.end();
}
