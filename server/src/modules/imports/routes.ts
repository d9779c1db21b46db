import {
  exportRejectedRows,
  pauseImport,
  resumeImport,
  startImport,
  stopImport,
  undoImport,
} from "@purser/contract/workspace/importActions";
import {
  createImport,
  getImport,
  listImportRows,
  listImports,
  mapImport,
  replaceInImport,
  uploadImportPart,
} from "@purser/contract/workspace/imports";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { Db } from "#platform/db/db.ts";
import type { RowOf } from "#platform/db/statement.ts";
import type { ApprovalSubject } from "#platform/http/approvalGate.ts";
import { existing, refuse } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { serveFile } from "#platform/lists/export.ts";
import { checkImport, runImport, undoImportJob } from "./jobs.ts";
import {
  findImport,
  findImports,
  findListed,
  insertImport,
  lockImport,
  rejectedRows,
  type StoredImport,
  setMapping,
  setPaused,
  setRunning,
  setStage,
} from "./queries.ts";
import { assertMapping, readAs, refusalOf, refusalOfRole } from "./rules.ts";
import { endImport } from "./runImport.ts";
import { shownOf, summaryOf } from "./shown.ts";
import { setUndoing } from "./undoQueries.ts";
import { errorColumn, takePart } from "./upload.ts";

const pageSize = 50;

const read = async (db: Db, id: string, now: Date) =>
  shownOf(db, existing(await findImport(db, id), "import"), now);

const lock = async (db: Db, id: string, step: Parameters<typeof refusalOf>[1]) => {
  const own = existing(await lockImport(db, id), "import");
  refuse(refusalOf(own.status, step));
  return own;
};

const prepareRoutes = (app: FastifyInstance) => {
  const { IMPORT_MB_MAX: mbMax } = app.platform.config;

  serve(app, listImports, async ({ db }) => ({
    items: (await findImports(db)).map(summaryOf),
    mbMax,
  }));

  serve(app, createImport, async ({ db, body: { kind, name }, session, now }) => {
    refuse(refusalOfRole(session, kind));
    return read(db, await insertImport(db, kind, name, session.userId), now);
  });

  serve(app, uploadImportPart, async ({ db, params: { id, part }, body }) => {
    const own = existing(await lockImport(db, id), "import");
    // The last part may be sent again, when the upload has already ended.
    if (part > own.parts) refuse(refusalOf(own.status, "upload"));
    await takePart(db, own, { part, ...body, mbMax });
    return existing(await findImport(db, id), "import");
  });

  serve(app, getImport, ({ db, params: { id }, now }) => read(db, id, now));

  serve(app, mapImport, async ({ db, params: { id }, body, now, enqueue }) => {
    const own = await lock(db, id, "map");
    const { mapping } = body;
    assertMapping(own.kind, own.columns ?? [], mapping);
    const { replacements } = own;
    await setMapping(db, id, { mapping, replacements, ...readAs(own.written, mapping, body) });
    await setStage(db, id, "checking");
    await enqueue(checkImport, { id });
    return read(db, id, now);
  });

  serve(app, replaceInImport, async ({ db, params: { id }, body, now, enqueue }) => {
    const own = await lock(db, id, "map");
    const { replacements } = own;
    const { field, from, to } = body;
    const changed = { ...replacements, [field]: { ...replacements[field], [from]: to } };
    await setMapping(db, id, { ...own, replacements: changed });
    await setStage(db, id, "checking");
    await enqueue(checkImport, { id });
    return read(db, id, now);
  });
};

const rowRoutes = (app: FastifyInstance) => {
  serve(app, listImportRows, async ({ db, params: { id }, query: { show, after } }) => {
    const { mapping } = existing(await findImport(db, id), "import");
    const found = await findListed(db, { id, show, after, limit: pageSize + 1 });
    const items = found.slice(0, pageSize).map(({ cells, errors, ...row }) => ({
      ...row,
      cells: Object.fromEntries(
        (mapping ?? []).flatMap((field, place) => (field ? [[field, cells[place] ?? ""]] : [])),
      ),
      errors: (errors ?? []).map(({ field, message }) => ({ field, message })),
    }));
    return { items, next: found.length > pageSize ? (items.at(-1)?.row ?? null) : null };
  });

  serveFile(app, exportRejectedRows, "rejected-rows", async ({ db, params: { id } }) => {
    const own = existing(await findImport(db, id), "import");
    refuse(refusalOf(own.status, "download"));
    const names = own.columns ?? [];
    // Two columns can have the same name, so that rows are read by place.
    const places = names.map((_, place) => String(place));
    return {
      statement: rejectedRows,
      values: [id, 0],
      columns: [...places, errorColumn],
      head: [...names, errorColumn],
      row: z.object({}),
      read: ({ cells, errors }: RowOf<typeof rejectedRows>) => [
        {
          ...Object.fromEntries(places.map((place) => [place, cells[Number(place)] ?? ""])),
          [errorColumn]: (errors ?? []).map(({ message }) => message.text).join(" "),
        },
      ],
    };
  });
};

/** An import of subscriptions gives access to all their customers. Another mapping is another request. */
const accessIn = ({
  name,
  checked,
  mapping,
  replacements,
  decimalMark,
  dateOrder,
}: StoredImport): ApprovalSubject => ({
  entity: "users",
  recordId: null,
  summary: `Import ${checked.new ?? 0} subscriptions from ${name}`,
  facts: [
    { label: "File", value: name },
    { label: "New subscriptions", value: String(checked.new ?? 0) },
  ],
  basis: { mapping, replacements, decimalMark, dateOrder },
});

const runRoutes = (app: FastifyInstance) => {
  serve(app, startImport, async (asked) => {
    const { db, now, enqueue, session, requireApproval } = asked;
    const { id } = asked.params;
    const own = await lock(db, id, "start");
    refuse(refusalOfRole(session, own.kind));
    if (own.kind === "subscriptions") await requireApproval("grant", accessIn(own));
    await setRunning(db, id, session.userId, now);
    await enqueue(runImport, { id });
    return read(db, id, now);
  });

  serve(app, pauseImport, async ({ db, params: { id }, now }) => {
    await lock(db, id, "pause");
    await setPaused(db, id);
    return read(db, id, now);
  });

  serve(app, resumeImport, async ({ db, params: { id }, now, enqueue, session }) => {
    refuse(refusalOfRole(session, (await lock(db, id, "resume")).kind));
    await setRunning(db, id, session.userId, now);
    await enqueue(runImport, { id });
    return read(db, id, now);
  });

  serve(app, stopImport, async ({ db, params: { id }, now }) => {
    const own = await lock(db, id, "stop");
    await endImport(db, own, own.startedAt ? "stopped" : "canceled", now);
    return read(db, id, now);
  });

  serve(app, undoImport, async ({ db, params: { id }, now, enqueue, session }) => {
    const own = await lock(db, id, "undo");
    refuse(refusalOfRole(session, own.kind));
    const { canUndo } = await shownOf(db, own, now);
    if (!canUndo) refuse(refusalOf("undone", "undo"));
    await setUndoing(db, id, session.userId);
    await enqueue(undoImportJob, { id });
    return read(db, id, now);
  });
};

/** Imports of files: their upload, mapping, check, progress and result. */
export const importRoutes = (app: FastifyInstance) => {
  prepareRoutes(app);
  rowRoutes(app);
  runRoutes(app);
};
