import { Readable } from "node:stream";
import type { Holder, Role } from "@purser/contract/auth/permissions";
import type { Endpoint } from "@purser/contract/http/endpoint";
import type { exportQuery, Fields } from "@purser/contract/http/list";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type pg from "pg";
import type { z } from "zod";
import type { Session } from "../auth/sessions/sessions.ts";
import { poolForCall } from "../db/callDb.ts";
import { openSnapshot } from "../db/snapshot.ts";
import type { Statement } from "../db/statement.ts";
import { callerGone } from "../http/calls/callerGone.ts";
import { Problem } from "../http/problem.ts";
import { accessOf, type Call, callOf } from "../http/serve.ts";
import { message } from "../messages.ts";
import {
  type DocumentFormat,
  documentTypes,
  type Format,
  fileTypes,
  momentsIn,
  writerOf,
} from "./cells.ts";
import { conditionsOf } from "./choose.ts";
import { recordExport } from "./exportLog.ts";
import type { List, Paging } from "./list.ts";
import { keysOf, tailOf } from "./rows.ts";
import { collectValues } from "./sql.ts";

type ExportEndpoint = Endpoint & { file: true; query: ReturnType<typeof exportQuery> };
type ExportQuery = z.output<ExportEndpoint["query"]>;

/** A list as a file: the start of its name, and the fields of a row in the API. */
export type Exported<F extends Fields, Row> = {
  name: string;
  /** Depends on the role if users see different rows. */
  list: List<F, Row> | ((reader: Role | Holder) => List<F, Row>);
  row: z.ZodObject;
  /** Whether sums subtract the amounts of a row. */
  isMinus?: (row: Row) => boolean;
};

export const statementOf = <F extends Fields, Row>(
  list: List<F, Row>,
  query: ExportQuery,
  paging: Paging,
) => {
  const { idCast = "uuid" } = list;
  const values = collectValues();
  const conditions = conditionsOf(list, query, paging, values);
  if (query.ids) conditions.push(`r.id = any (${values.add(query.ids)}::${idCast}[])`);
  const statement = list.rows.with(tailOf(conditions, keysOf(list, query.sort)));
  return { statement, values: values.all };
};

const perSession = 2;
const shutdownMs = 5000;

type Running = { session: string; cut: () => void };

// Each export uses a connection until it is read, so half of the connections are kept for other requests.
const runningOn = new WeakMap<pg.Pool, Set<Running>>();

const runningFor = (pool: pg.Pool) => {
  const running = runningOn.get(pool) ?? new Set();
  runningOn.set(pool, running);
  return running;
};

const takePlace = (pool: pg.Pool, { tokenHash }: Session) => {
  const running = runningFor(pool);
  const session = tokenHash.toString("hex");
  const own = [...running].filter((one) => one.session === session);
  if (own.length >= perSession)
    throw new Problem(
      "too_many_requests",
      message(
        "exports_running",
        "{count, plural, one {# export is} other {# exports are}} still running. Wait for one to finish.",
        { count: perSession },
      ),
      {
        retryAfterSeconds: 10,
      },
    );
  if (running.size >= (pool.options.max ?? 10) / 2)
    throw new Problem(
      "unavailable",
      message("exports_busy", "Too many exports are running. Try again in a minute."),
      {
        retryAfterSeconds: 60,
      },
    );
  const place: Running = { session, cut: () => undefined };
  running.add(place);
  return { place, leave: () => running.delete(place) };
};

type Source<Row> = { next: () => Promise<Row[]>; close: () => Promise<void> };

/**
 * Reads more rows only after the written ones are sent, and closes the source however the stream ends. The first rows
 * are read before, so that an error can still be answered with a problem.
 */
const fileOf = <Row extends object>(
  { next, close }: Source<Row>,
  firstRows: Row[],
  { head, line }: { head: string; line: (row: Row) => string },
) => {
  let before = head;
  let waiting: Row[] | null = firstRows;
  const textOfMore = async () => {
    const rows = waiting ?? (await next());
    waiting = null;
    if (rows.length === 0) await close();
    const text = before + rows.map(line).join("");
    before = "";
    return { text, isEnd: rows.length === 0 };
  };
  const writeMore = async (file: Readable) => {
    let more = await textOfMore();
    // The stream reads again only after a write, and some rows have no lines.
    while (more.text === "" && !more.isEnd) more = await textOfMore();
    if (more.text !== "") file.push(more.text);
    if (more.isEnd) file.push(null);
  };
  return new Readable({
    read() {
      writeMore(this).catch((error) => this.destroy(error));
    },
    destroy(error, done) {
      void close().finally(() => done(error));
    },
  });
};

/** The content of a file: a statement, and how each row is written. */
type Rows<Selected> = {
  statement: Statement<Selected>;
  values: readonly unknown[];
  columns: readonly string[];
  /** The header of a CSV file, if it differs from the columns. */
  head?: readonly string[];
  row: z.ZodObject;
  isMinus?: ((selected: Selected) => boolean) | undefined;
  zone?: string | undefined;
  /** The lines of one row, which can be none or several. */
  read?: (selected: Selected) => object[];
};

/** Records the file before anything of it is sent. */
type Recorded = { record: () => ReturnType<typeof recordExport> };

const openFile = async <Selected extends object>(
  pool: pg.Pool,
  { request, reply }: Pick<Call<Endpoint>, "request" | "reply">,
  format: Format,
  { record, ...rows }: Rows<Selected> & Recorded,
) => {
  const { place, leave } = takePlace(pool, request.session as Session);
  // Exports have limits of their own, so they don't take the turn of a read.
  const enter = async () => () => undefined;
  const reading = poolForCall(pool, { enter, signal: callerGone(reply) });
  try {
    const snapshot = await openSnapshot(reading, rows, () => place.cut());
    let sent = 0;
    let recordRows: ((sent: number) => Promise<void>) | null = null;
    const close = async () => {
      leave();
      await snapshot.close();
      const recording = recordRows?.(sent);
      recordRows = null;
      await recording;
    };
    place.cut = () => void close();
    const firstRows = await snapshot.next();
    recordRows = await record();
    const { head, line } = writerOf({
      ...rows,
      format,
      zone: rows.zone ?? "UTC",
      isMinus: rows.isMinus as ((row: object) => boolean) | undefined,
    });
    const read = rows.read ?? ((selected: Selected) => [selected]);
    const writer = {
      head,
      line: (selected: Selected) => {
        const lines = read(selected).map((one) => line(one as Record<string, unknown>));
        sent += lines.length;
        return lines.join("");
      },
    };
    const file = fileOf({ next: snapshot.next, close }, firstRows, writer);
    place.cut = () => file.destroy(new Error("The export was stopped."));
    return file;
  } catch (error) {
    place.cut();
    leave();
    throw error;
  }
};

/** The list with its filters and columns, as the audit log shows it. */
export const exportedBy = (
  name: string,
  { params, query }: { params: unknown; query: unknown },
) => {
  const { format, zone: _zone, ...selection } = query as { format: string; zone?: string };
  return { list: name.replaceAll("-", " "), format, query: { ...(params ?? {}), ...selection } };
};

type FileEndpoint = Endpoint & { file: true; query: z.ZodType<{ format: Format }> };

/** Serves the rows of a statement as a download, as a snapshot of one moment, for any number of rows. */
export const serveFile = <const E extends FileEndpoint, Selected extends object>(
  app: FastifyInstance,
  endpoint: E,
  name: string,
  rowsOf: (call: Call<E>) => Promise<Rows<Selected>> | Rows<Selected>,
) => {
  const { method, path } = endpoint;
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const call = callOf(app, endpoint, { request, reply });
    const { format } = call.query as { format: Format };
    const rows = await rowsOf(call);
    const day = momentsIn(rows.zone ?? "UTC")(call.now).slice(0, 10);
    // Before the headers, because a refusal isn't a file.
    const file =
      request.method === "HEAD"
        ? undefined
        : await openFile(app.platform.pools.reads.pool, call, format, {
            ...rows,
            record: () =>
              recordExport(app.platform, request, { ...exportedBy(name, call), rows: null }),
          });
    return reply
      .type(fileTypes[format])
      .header("content-disposition", `attachment; filename="${name}-${day}.${format}"`)
      .send(file);
  };
  app.route({ method, url: `/api${path}`, config: accessOf(endpoint), handler: answer });

  // A long export must not delay a shutdown. A nearly finished one may end.
  app.addHook("preClose", async () => {
    const cutAll = () => {
      for (const { cut } of runningFor(app.platform.pools.reads.pool)) cut();
    };
    setTimeout(cutAll, shutdownMs).unref();
  });
};

type DocumentEndpoint = Endpoint & { file: true; query: z.ZodType<{ format: DocumentFormat }> };

/** Serves one document as a download. */
export const serveDocument = <const E extends DocumentEndpoint>(
  app: FastifyInstance,
  endpoint: E,
  name: string,
  textOf: (call: Call<E>) => Promise<string | Buffer | { name: string; text: Buffer }>,
) => {
  const { method, path } = endpoint;
  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const call = callOf(app, endpoint, { request, reply });
    const { format } = call.query as { format: DocumentFormat };
    // Before the headers, because a refusal isn't a file.
    const found = await textOf(call);
    const file =
      typeof found === "string" || Buffer.isBuffer(found) ? { name, text: found } : found;
    if (request.method !== "HEAD")
      await recordExport(app.platform, request, { ...exportedBy(name, call), rows: 1 });
    return reply
      .type(documentTypes[format])
      .header("content-disposition", `attachment; filename="${file.name}.${format}"`)
      .send(file.text);
  };
  app.route({ method, url: `/api${path}`, config: accessOf(endpoint), handler });
};

/** Serves a list as a download. */
export const serveExport = <F extends Fields, Row extends object>(
  app: FastifyInstance,
  endpoint: ExportEndpoint,
  { name, list, row, isMinus }: Exported<F, Row>,
) =>
  serveFile(app, endpoint, name, async (call) => {
    const { query, paging } = call;
    const asked = typeof list === "function" ? list((call.session as Session).role) : list;
    return {
      ...statementOf(asked, query, paging),
      columns: query.columns,
      zone: query.zone,
      row,
      isMinus,
    };
  });
