import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import type pg from "pg";
import { databaseServer } from "../../../server/src/platform/db/databaseServer.testing.ts";
import { connectAsOwner } from "../../../server/src/platform/db/db.ts";
import { makeDatabase } from "../setup/database.ts";
import { makeSettings } from "../setup/product.ts";
import { fill, type Size, sizeOf } from "./fill.ts";

/** Changes with everything that the content of the database depends on. */
const fingerprint = (size: Size) => {
  const hash = createHash("sha256").update(JSON.stringify(size));
  const folders = ["server/migrations", "bench/src/scale"];
  const root = new URL("../../../", import.meta.url);
  for (const folder of folders)
    for (const file of readdirSync(new URL(folder, root)).sort())
      if (/\.sql$|fill|copies/.test(file))
        hash.update(readFileSync(new URL(`${folder}/${file}`, root)));
  return hash.digest("hex").slice(0, 12);
};

/** The database of this size, which `npm run scale` keeps for the next run. */
export const keptName = (size: Size) => `purser_scale_${fingerprint(size)}`;

const finished =
  "select from pg_database where datname = $1 and not datistemplate and datconnlimit = -1";

export const isThere = async (client: Pick<pg.Client, "query">, name: string) =>
  Boolean((await client.query(finished, [name])).rowCount);

/** The database of `npm run scale` with this size, because filling one takes long. */
const findKept = async (size: Size) => {
  const { pool } = connectAsOwner(databaseServer);
  const name = keptName(size);
  try {
    if (!(await isThere(pool, name))) return null;
    // `npm run scale` logs the plans of all statements.
    await pool.query(`alter database ${name} reset all`);
    return name;
  } finally {
    await pool.end();
  }
};

/** A database with so many transactions and as many of everything else as belong to them: the kept one or a new one. */
export const openDatabaseWith = async (transactions: number, signal: AbortSignal) => {
  const size = sizeOf(transactions);
  const kept = await findKept(size);
  const database = makeDatabase(kept ? { name: kept, isKept: true } : {});
  const settings = makeSettings(database.url);
  try {
    if (!kept) await fill({ settings, size, signal, tell: () => undefined });
  } catch (error) {
    await database[Symbol.asyncDispose]();
    throw error;
  }
  return { database, settings };
};
