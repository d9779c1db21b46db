import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import type pg from "pg";
import type { Size } from "./fill.ts";

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
