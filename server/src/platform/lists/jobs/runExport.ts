import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Role } from "@purser/contract/auth/permissions";
import { type Db, run } from "../../db/db.ts";
import { writerOf } from "../cells.ts";
import { conditionsOf } from "../choose.ts";
import { orderBy, whereAll } from "../rows.ts";
import { collectValues } from "../sql.ts";
import { type RunningJob, saveChunk } from "./queries.ts";
import type { ExportSource } from "./sources.ts";

const compress = promisify(gzip);

// Few enough that the rows of a chunk are garbage before they are moved to the memory for old objects.
const rowsPerChunk = 500;

// The id never changes, so that each row is in the file once, whatever happens to it meanwhile.
const byId = [{ sql: "r.id", cast: "uuid", descending: true }];

/** Writes the next rows to the file. Returns whether there were any. */
export const runExportBatch = async (
  db: Db,
  source: ExportSource,
  { job, zone }: { job: RunningJob; zone: string },
) => {
  const { query, startedAt: now, lastId, position } = job;
  const list = source.listOf(job.role as Role);
  const values = collectValues();
  const conditions = conditionsOf(list, query, { now, zone }, values);
  conditions.push(
    lastId === null
      ? `r.id < uuid_v7_from(${values.add(now)}::timestamptz)`
      : `r.id < ${values.add(lastId)}::uuid`,
  );
  const ordered = orderBy(byId);
  const chosen = `select r.* from ${list.rows.table} r ${whereAll(conditions)} ${ordered} limit ${rowsPerChunk}`;
  await run(db, "set local statement_timeout = 60000");
  const rows = await run(db, list.rows.page(chosen, ["r.id"], ordered), values.all);
  const { head, line } = writerOf({
    ...query,
    zone: query.zone ?? "UTC",
    row: source.row,
    isMinus: source.isMinus,
  });
  const last = rows.at(-1);
  if (!last && position > 1) return false;
  const text = (position === 1 ? head : "") + rows.map((row) => line({ ...row })).join("");
  const content = Buffer.from(text);
  await saveChunk(db, job, {
    content: await compress(content, { level: 1 }),
    rows: rows.length,
    bytes: content.length,
    lastId: last?.["key0"] ?? null,
  });
  return rows.length > 0;
};
