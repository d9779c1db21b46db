import { Readable } from "node:stream";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { allows } from "@purser/contract/auth/permissions";
import { plain } from "@purser/contract/fields/text";
import {
  dismissListJob,
  downloadListJob,
  exportListJobRows,
  getListJob,
  listJobRows,
  listJobs,
  stopListJob,
  undoListJob,
} from "@purser/contract/workspace/listJobs";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { Session } from "../../auth/sessions/sessions.ts";
import type { Db } from "../../db/db.ts";
import type { RowOf } from "../../db/statement.ts";
import { existing, Problem } from "../../http/problem.ts";
import { accessOf, callOf, serve } from "../../http/serve.ts";
import { message } from "../../messages.ts";
import { fileTypes } from "../cells.ts";
import { serveFile } from "../export.ts";
import { listJobsJob } from "./job.ts";
import * as queries from "./queries.ts";
import * as results from "./resultQueries.ts";
import { refuseMany, shown, undoOf } from "./shown.ts";
import type { StoredExport } from "./sources.ts";

const decompress = promisify(gunzip);

type Stored = Parameters<typeof shown>[1];

const readOwn = async (db: Db, id: string, { userId }: Session) =>
  existing(await queries.findJob(db, id, userId), "listJob");

const ended = () =>
  new Problem("wrong_state", message("list_job_ended", "This job has already ended."));
const running = () =>
  new Problem("wrong_state", message("list_job_running", "This job is still running."));
const notUndoable = () =>
  new Problem(
    "wrong_state",
    message("list_job_not_undoable", "This job can't be undone, or was already undone."),
  );
const noFile = () =>
  new Problem(
    "wrong_state",
    message("list_job_no_file", "This export isn't finished, so it has no file yet."),
  );

const pageSize = 50;

type Result = RowOf<ReturnType<typeof results.resultsOf>>;

const resultRow = z.object({ id: plain, name: plain, outcome: plain, reason: plain.nullable() });

const resultRoutes = (app: FastifyInstance) => {
  const namedOf = ({ list }: Pick<Stored, "list">, session: Session): results.Named => {
    const { listOf, name = "r.name" } = existing(app.listSources.get(list)?.bulk, "listJob");
    return { table: listOf(session).rows.table, name };
  };

  serve(
    app,
    listJobRows,
    async ({ db, params: { id }, query: { outcome = null, after = 0 }, session }) => {
      const named = namedOf(await readOwn(db, id, session), session);
      const rows = await results.findRows(db, named, id, { after, outcome, limit: pageSize + 1 });
      const items = rows.slice(0, pageSize);
      return {
        items: items.map(({ id: recordId, ...row }) => ({ ...row, recordId })),
        next: rows.length > pageSize ? (items.at(-1)?.position ?? null) : null,
      };
    },
  );

  serveFile(app, exportListJobRows, "results", async ({ db, params: { id }, session }) => {
    const job = await readOwn(db, id, session);
    const { file } = app.listSources.get(job.list) ?? {};
    // Names of customers leave Purser only with the permission to export them.
    const hasNames = file !== undefined && allows(session, file.permission);
    const columns = Object.keys(resultRow.shape);
    return {
      statement: results.resultsOf(namedOf(job, session)),
      values: [id],
      columns: hasNames ? columns : columns.filter((column) => column !== "name"),
      row: resultRow,
      read: ({ detail, ...row }: Result) => [{ ...row, reason: detail?.text ?? null }],
    };
  });
};

const chunksOf = async function* (db: Db, id: string) {
  for (let position = 1; ; position += 1) {
    const content = await results.findChunk(db, id, position);
    if (!content) return;
    yield await decompress(content);
  }
};

/** The file of an export, part by part, so that its size doesn't matter. */
const downloadRoute = (app: FastifyInstance) =>
  app.route({
    method: downloadListJob.method,
    url: `/api${downloadListJob.path}`,
    config: accessOf(downloadListJob),
    handler: async (request, reply) => {
      const { db, params, session } = callOf(app, downloadListJob, { request, reply });
      const job = await readOwn(db, params.id, session);
      const { file } = app.listSources.get(job.list) ?? {};
      if (!file || job.action !== "export" || job.status !== "finished") throw noFile();
      if (!allows(session, file.permission))
        throw new Problem(
          "forbidden",
          message("list_job_file_forbidden", "You no longer have permission to export this list."),
        );
      const { format } = (await queries.findQuery(db, job.id)) as StoredExport;
      const day = job.startedAt.toISOString().slice(0, 10);
      return reply
        .type(fileTypes[format])
        .header("content-disposition", `attachment; filename="${file.name}-${day}.${format}"`)
        .header("content-length", job.bytes)
        .send(request.method === "HEAD" ? undefined : Readable.from(chunksOf(db, job.id)));
    },
  });

export const listJobRoutes = (app: FastifyInstance) => {
  serve(app, listJobs, async ({ db, query: { list }, session }) => ({
    items: (await queries.findShown(db, session.userId, list)).map((job) =>
      shown(app, job, session),
    ),
  }));

  serve(app, getListJob, async ({ db, params: { id }, session }) =>
    shown(app, await readOwn(db, id, session), session),
  );

  serve(app, stopListJob, async ({ db, params: { id }, session, now }) => {
    const job = existing(await queries.lockOwn(db, id, session.userId), "listJob");
    if (job.status !== "running") throw ended();
    await queries.endJob(db, id, { status: "stopped", now });
    // The rest can be undone later.
    if (job.undoes) await queries.setDismissed(db, job.undoes, null);
    return shown(app, await readOwn(db, id, session), session);
  });

  serve(app, undoListJob, async ({ db, params: { id }, session, now, enqueue, request }) => {
    const job = existing(await queries.lockOwn(db, id, session.userId), "listJob");
    if (job.status === "running") throw running();
    const action = undoOf(app, job);
    if (!action || !shown(app, await readOwn(db, id, session), session).canUndo)
      throw notUndoable();
    await refuseMany(db, session.userId);
    const { list, query } = job;
    const undoing = await queries.insertJob(db, {
      userId: session.userId,
      list,
      action,
      query,
      reason: null,
      address: request.ip,
      now,
      undoes: id,
    });
    await queries.setTotal(db, undoing, await queries.copyDoneRows(db, id, undoing));
    await queries.setDismissed(db, id, now);
    await enqueue(listJobsJob, {});
    return shown(app, await readOwn(db, undoing, session), session);
  });

  serve(app, dismissListJob, async ({ db, params: { id }, session, now }) => {
    const job = existing(await queries.lockOwn(db, id, session.userId), "listJob");
    if (job.status === "running") throw running();
    await queries.setDismissed(db, id, now);
  });

  resultRoutes(app);
  downloadRoute(app);
};
