import { writeFileSync } from "node:fs";
import pg from "pg";
import { connectAsOwner } from "../server/src/platform/db/db.ts";
import { dumpSchema, generateSchema } from "../server/src/platform/db/generate.ts";
import { migrate } from "../server/src/platform/db/migrate.ts";

// Writes what the migrations make: the tables' types, and the whole schema for reading and review.
const server = process.env["TEST_DATABASE_URL"] ?? "postgres://root@127.0.0.1:5432/postgres";
const name = `purser_schema_${process.pid}`;
const url = new URL(server);
url.pathname = `/${name}`;
await migrate(url.href);
const { db } = connectAsOwner(url.href);
const file = (path: string) => new URL(`../server/${path}`, import.meta.url);
writeFileSync(file("src/platform/db/schema.ts"), await generateSchema(db));
writeFileSync(file("schema.sql"), dumpSchema(url.href));
await db.destroy();
const admin = new pg.Client({ connectionString: server });
await admin.connect();
await admin.query(`drop database ${name} with (force)`);
await admin.end();
