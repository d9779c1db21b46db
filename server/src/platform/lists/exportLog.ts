import type { FastifyRequest } from "fastify";
import { type Context, transact } from "../audit/context.ts";
import { type Db, run } from "../db/db.ts";
import { statement } from "../db/statement.ts";
import { actorOf } from "../http/calls/change.ts";
import type { Platform } from "../platform.ts";
import { exportNotice, noticeRows } from "./exportNotice.ts";

const insertSql = statement(
  "lists.recordExport",
  "insert into exports (list, format, query, rows) values ($1, $2, $3::jsonb, $4) returning id",
);

const finish = async (db: Db, id: string, rows: number) => {
  await run(db, "update exports set rows = $2 where id = $1", [id, rows]);
};

type Exported = { list: string; format: string; query: unknown; rows: number | null };

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
  { list, format, query, rows }: Exported,
) => {
  const context = contextOf(request);
  const { result } = await transact(db, context, (inside) =>
    run(inside, insertSql, [list, format, JSON.stringify(query), rows]),
  );
  const id = result[0]?.id;
  if (!id) throw new Error("The export was not recorded.");
  return async (sent: number) => {
    try {
      await transact(db, context, async (inside) => {
        await finish(inside, id, sent);
        if (sent > noticeRows) await queues.enqueueIn(inside)(exportNotice, { id });
      });
    } catch (error) {
      log.error({ err: error, export: id }, "the rows of an export were not recorded");
    }
  };
};
