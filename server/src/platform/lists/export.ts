import { Readable } from "node:stream";
import type { Endpoint } from "@purser/contract/endpoint";
import type { exportQuery, Fields } from "@purser/contract/list";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type pg from "pg";
import type { z } from "zod";
import type { Session } from "../auth/sessions.ts";
import { openSnapshot } from "../db/snapshot.ts";
import { Problem } from "../http/problem.ts";
import { callOf } from "../http/serve.ts";
import { fileTypes, momentsIn, writerOf } from "./cells.ts";
import { conditionsOf, keysOf, type List, orderBy, type Paging, whereAll } from "./page.ts";
import { collectValues } from "./sql.ts";

type ExportEndpoint = Endpoint & { file: true; query: ReturnType<typeof exportQuery> };
type ExportQuery = z.output<ExportEndpoint["query"]>;

/** A list as a file: what its name starts with, and what the API tells of a row. */
type Exported<F extends Fields, Row> = { name: string; list: List<F, Row>; row: z.ZodObject };

const statementOf = <F extends Fields, Row>(
  list: List<F, Row>,
  query: ExportQuery,
  paging: Paging,
) => {
  const { table, select, joins = "" } = list;
  const values = collectValues();
  const conditions = conditionsOf(list, query, paging, values);
  if (query.ids) conditions.push(`r.id = any (${values.add(query.ids)}::uuid[])`);
  const text = `
    select ${select} from ${table} r ${joins} ${whereAll(conditions)}
    order by ${orderBy(keysOf(list, query.sort))}`;
  return { text, values: values.all };
};

const perSession = 2;
const shutdownMs = 5000;

type Running = { session: string; cut: () => void };

// Each holds a connection for as long as somebody reads, so half of them stay for everybody else.
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
    throw new Problem("too_many", `${perSession} of your files are still under way. Let one end.`, {
      retryAfterSeconds: 10,
    });
  if (running.size >= (pool.options.max ?? 10) / 2)
    throw new Problem("unavailable", "Others are taking files away. Try again in a minute.", {
      retryAfterSeconds: 60,
    });
  const place: Running = { session, cut: () => undefined };
  running.add(place);
  return { place, leave: () => running.delete(place) };
};

type Source<Row> = { next: () => Promise<Row[]>; close: () => Promise<void> };

/**
 * Asks for more rows only when what was written is on its way, and closes the source when it ends, whoever
 * ends it. The first rows are asked for before, so that a refusal can still be told as one.
 */
const fileOf = <Row extends object>(
  { next, close }: Source<Row>,
  firstRows: Row[],
  { head, line }: ReturnType<typeof writerOf>,
) => {
  let before = head;
  let waiting: Row[] | null = firstRows;
  const writeMore = async (file: Readable) => {
    const rows = waiting ?? (await next());
    waiting = null;
    if (rows.length === 0) await close();
    const text = before + rows.map((row) => line(row as Record<string, unknown>)).join("");
    before = "";
    if (text !== "") file.push(text);
    if (rows.length === 0) file.push(null);
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

const openFile = async <F extends Fields, Row extends object>(
  { platform: { pool } }: FastifyInstance,
  { list, row }: Exported<F, Row>,
  { query, paging, session }: { query: ExportQuery; paging: Paging; session: Session },
) => {
  const { place, leave } = takePlace(pool, session);
  try {
    const statement = statementOf(list, query, paging);
    const snapshot = await openSnapshot<Row>(pool, statement, () => place.cut());
    const close = async () => {
      leave();
      await snapshot.close();
    };
    place.cut = () => void close();
    const firstRows = await snapshot.next();
    const writer = writerOf({ ...query, zone: query.zone ?? "UTC", row });
    const file = fileOf({ next: snapshot.next, close }, firstRows, writer);
    place.cut = () => file.destroy(new Error("The file was cut short."));
    return file;
  } catch (error) {
    place.cut();
    leave();
    throw error;
  }
};

/** Serves a list as a file to keep: all its rows as they were at one moment, however many there are. */
export const serveExport = <F extends Fields, Row extends object>(
  app: FastifyInstance,
  endpoint: ExportEndpoint,
  exported: Exported<F, Row>,
) => {
  const { method, path, permission } = endpoint;
  const setHeaders = (reply: FastifyReply, { format, zone = "UTC" }: ExportQuery, now: Date) => {
    const day = momentsIn(zone)(now).slice(0, 10);
    return reply
      .type(fileTypes[format])
      .header("content-disposition", `attachment; filename="${exported.name}-${day}.${format}"`);
  };

  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const { query, paging, now } = callOf(app, endpoint, { request, reply });
    if (request.method === "HEAD") return setHeaders(reply, query, now).send();
    const session = request.session as Session;
    const file = await openFile(app, exported, { query, paging, session });
    return setHeaders(reply, query, now).send(file);
  };
  app.route({ method, url: `/api${path}`, config: { permission }, handler: answer });

  // A long file must not hold up a shutdown; one that is nearly done may end.
  app.addHook("preClose", async () => {
    const cutAll = () => {
      for (const { cut } of runningFor(app.platform.pool)) cut();
    };
    setTimeout(cutAll, shutdownMs).unref();
  });
};
