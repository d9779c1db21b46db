import type { Holder, Permission, Role } from "@purser/contract/auth/permissions";
import type { EntityName } from "@purser/contract/entities";
import type { Endpoint } from "@purser/contract/http/endpoint";
import type { Fields } from "@purser/contract/http/list";
import {
  bulkRowsMax,
  downloadRowsMax,
  type previewBulk,
  type startBulk,
  type startExport,
} from "@purser/contract/http/listJobs";
import type { FastifyInstance } from "fastify";
import type { Session } from "../../auth/sessions/sessions.ts";
import { type Db, first, run } from "../../db/db.ts";
import { template } from "../../db/statement.ts";
import { existing, invalidAt, Problem } from "../../http/problem.ts";
import { type Call, serve } from "../../http/serve.ts";
import { message } from "../../messages.ts";
import { conditionsOf } from "../choose.ts";
import { type Exported, exportedBy } from "../export.ts";
import { insertExport } from "../exportLog.ts";
import { whereAll } from "../rows.ts";
import { collectValues } from "../sql.ts";
import { isTooSlow, within } from "../total.ts";
import { listJobsJob } from "./job.ts";
import { type Chosen, previewOf, type Selected } from "./preview.ts";
import { findJob, insertJob, setTotal, storeRows } from "./queries.ts";
import { refuseMany, shown } from "./shown.ts";
import { type AnyList, addSource, type Bulk, type BulkAction, type Given } from "./sources.ts";

type BulkStart = ReturnType<typeof startBulk>;
type BulkPreview = ReturnType<typeof previewBulk>;

const tooSlow = (error: unknown) => {
  if (!isTooSlow(error)) throw error;
  throw new Problem(
    "unavailable",
    message("selection_too_slow", "Counting these rows takes too long. Narrow the filter."),
  );
};

const countMs = 5000;

const changedSince = (rows: number, expected: number) =>
  new Problem(
    "impact_changed",
    message(
      "selection_changed",
      "The selection has changed. {rows, plural, one {# row matches} other {# rows match}} now instead of {expected}. Review and confirm again.",
      { rows, expected },
    ),
  );

const tooMany = () =>
  new Problem(
    "wrong_state",
    message(
      "selection_too_large",
      "A bulk action can change up to {max} rows. Narrow the filter.",
      { max: bulkRowsMax },
    ),
  );

/** What the action needs of what the user entered. Refuses if something is missing. */
const givenOf = ({ actions }: Bulk, action: BulkAction, entered: Given): Given =>
  Object.fromEntries(
    (actions[action]?.given ?? []).map((name) => {
      if (entered[name] === undefined)
        throw invalidAt(`/${name}`, message("bulk_value_missing", "This action needs a value."));
      return [name, entered[name]];
    }),
  );

/** Serves bulk actions on all rows that match a filter. */
export const serveBulkJobs = (
  app: FastifyInstance,
  list: EntityName,
  { start, preview, ...bulk }: Omit<Bulk, "permission"> & { start: Endpoint; preview: Endpoint },
) => {
  const declared: Bulk = { ...bulk, permission: start.permission as Permission };
  addSource(app, list, { bulk: declared });

  serve(app, preview as BulkPreview, async (call) => {
    const { db, query, paging } = call;
    const { action, q, f, ...entered } = query;
    const given = givenOf(declared, action as BulkAction, entered);
    const session = call.session as Session;
    const chosen = { list: declared.listOf(session), selected: { q, f }, paging };
    return paging.countInTurn(() =>
      within(db, countMs, (inside) =>
        previewOf(inside, declared, chosen, { action: action as BulkAction, given }),
      ).catch(tooSlow),
    );
  });

  serve(app, start as BulkStart, async (call) => {
    const { db, body, paging, now, enqueue, request } = call;
    const session = call.session as Session;
    const { userId } = session;
    const { action, expected, reason = null, q, f, ...entered } = body;
    const selected = { ...(q !== undefined && { q }), f };
    const given = givenOf(declared, action as BulkAction, entered);
    await refuseMany(db, userId);
    const id = await insertJob(db, {
      userId,
      list,
      action: action as BulkAction,
      query: { ...selected, given },
      reason,
      address: request.ip,
      now,
    });
    const rows = declared.listOf(session);
    const values = collectValues();
    values.add(id);
    const where = whereAll(conditionsOf(rows, selected, paging, values));
    const chosen = { table: rows.rows.table, where, values: values.all, limit: bulkRowsMax + 1 };
    const found = await storeRows(db, chosen).catch(tooSlow);
    if (found > bulkRowsMax) throw tooMany();
    if (found !== expected) throw changedSince(found, expected);
    await setTotal(db, id, found);
    await enqueue(listJobsJob, {});
    return shown(app, existing(await findJob(db, id, userId), "listJob"), session);
  });
};

const upTo = template(
  "listJobs.countUpTo",
  (table: string, where: string, limit: number) =>
    `select count(*)::int as rows from (select from ${table} r ${where} limit ${limit}) matching`,
  ["users", "", 1],
).narrow<{ rows: number }>();

/** Whether an export is too large for a download. What can't be counted in time is. */
const isLarge = async (db: Db, { list, selected, paging }: Chosen) => {
  const values = collectValues();
  const where = whereAll(conditionsOf(list, selected, paging, values));
  const counted = upTo.for(list.rows.table, where, downloadRowsMax + 1);
  await run(db, "savepoint counting");
  try {
    await run(db, "set local statement_timeout = 3000");
    return ((await first(db, counted, values.all))?.rows ?? 0) > downloadRowsMax;
  } catch (error) {
    if (!isTooSlow(error)) throw error;
    return true;
  } finally {
    await run(db, "rollback to savepoint counting");
  }
};

type ExportStart = ReturnType<typeof startExport>;
type ExportBody = Selected & { ids?: string[]; columns: string[]; format: "csv"; zone?: string };

/** Serves large exports of a list as jobs. */
export const serveExportJob = <F extends Fields, Row extends object>(
  app: FastifyInstance,
  endpoint: Endpoint,
  { name, list, row, isMinus }: Exported<F, Row> & { name: EntityName },
) => {
  const listOf = (reader: Role | Holder) =>
    (typeof list === "function" ? list(reader) : list) as AnyList;
  const permission = endpoint.permission as Permission;
  addSource(app, name, {
    file: { name, permission, listOf, row, isMinus: isMinus as (row: object) => boolean },
  });

  serve(app, endpoint as ExportStart, async (call) => {
    const { db, paging, now, enqueue, request } = call as Call<ExportStart>;
    const session = call.session as Session;
    const { ids, ...query } = call.body as unknown as ExportBody;
    const chosen = { list: listOf(session), selected: query, paging };
    if (ids || !(await isLarge(db, chosen))) return { job: null };
    await refuseMany(db, session.userId);
    const exported = exportedBy(name, { params: null, query });
    const id = await insertJob(db, {
      userId: session.userId,
      list: name,
      action: "export",
      query,
      reason: null,
      address: request.ip,
      now,
      exportId: await insertExport(db, { ...exported, rows: null }),
    });
    await enqueue(listJobsJob, {});
    return { job: shown(app, existing(await findJob(db, id, session.userId), "listJob"), session) };
  });
};
