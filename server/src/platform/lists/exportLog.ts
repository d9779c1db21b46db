import type { FastifyRequest } from "fastify";
import { type Context, transact } from "../audit/context.ts";
import { type Db, first, run } from "../db/db.ts";
import { statement } from "../db/statement.ts";
import { actorOf } from "../http/calls/change.ts";
import type { Enqueue } from "../jobs/queues.ts";
import type { Platform } from "../platform.ts";
import { exportNotice, noticeRows } from "./exportNotice.ts";

const insertSql = statement(
  "lists.recordExport",
  "insert into exports (list, format, query, rows) values ($1, $2, $3::jsonb, $4) returning id",
);

/** Adds the number of rows to the export log, and emails owners about many. */
export const finishExport = async (
  db: Db,
  enqueue: Enqueue,
  { id, rows }: { id: string; rows: number },
) => {
  await run(db, "update exports set rows = $2 where id = $1", [id, rows]);
  if (rows > noticeRows) await enqueue(exportNotice, { id });
};

type Exported = { list: string; format: string; query: unknown; rows: number | null };

/** Records an export in a transaction that knows its actor, and returns its id. */
export const insertExport = async (db: Db, { list, format, query, rows }: Exported) => {
  const row = await first(db, insertSql, [list, format, JSON.stringify(query), rows]);
  if (!row) throw new Error("The export was not recorded.");
  return row.id;
};

const contextOf = (request: FastifyRequest): Context => ({
  actor: actorOf(request),
  address: request.ip,
  requestId: request.id,
  reason: null,
});

/**
 * Records a file as a row with an audit entry before it is sent, because it takes data out of Purser. The returned
 * function adds the number of rows, also of a file that was interrupted, and emails owners about many.
 */
export const recordExport = async (
  { db, queues, log }: Platform,
  request: FastifyRequest,
  exported: Exported,
) => {
  const context = contextOf(request);
  const { result: id } = await transact(db, context, (inside) => insertExport(inside, exported));
  return async (sent: number) => {
    try {
      await transact(db, context, (inside) =>
        finishExport(inside, queues.enqueueIn(inside), { id, rows: sent }),
      );
    } catch (error) {
      log.error({ err: error, export: id }, "the rows of an export were not recorded");
    }
  };
};
