import {
  deleteSavedReport,
  getReportFile,
  listSavedReports,
  restoreSavedReport,
  type SavedReport,
  savedReportsMax,
  saveReport,
  scheduleReport,
} from "@purser/contract/reports/saved";
import type { FastifyInstance } from "fastify";
import { existing, Problem } from "#platform/http/problem.ts";
import { serve } from "#platform/http/serve.ts";
import { serveDocument } from "#platform/lists/export.ts";
import { findLocale } from "#platform/mail/writeEmail.ts";
import { message } from "#platform/messages.ts";
import { findMissedDay } from "./emails.ts";
import { fileOf } from "./file.ts";
import {
  deleteSaved,
  findOneDeleted,
  findOneSaved,
  findSaved,
  insertSaved,
  restoreSaved,
  setSchedule,
} from "./savedQueries.ts";
import { readTable } from "./tables.ts";

const tooMany = () =>
  new Problem(
    "wrong_state",
    message("saved_reports_full", "At most {max} reports can be saved. Delete one first.", {
      max: savedReportsMax,
    }),
  );

/** Only the author of a report and owners delete and restore it. */
const refuseOthers = (
  { createdBy: { id, name } }: SavedReport,
  { userId, role }: { userId: string; role: string },
) => {
  if (id !== userId && role !== "owner")
    throw new Problem(
      "forbidden",
      message("saved_report_not_own", "Only {name} or an owner can delete this report.", { name }),
    );
};

/** Reports that are saved, downloaded and emailed. */
export const savedReportRoutes = (app: FastifyInstance) => {
  const zone = app.platform.config.COMPANY_TIME_ZONE;

  serve(app, listSavedReports, async ({ db, session }) => ({
    items: await findSaved(db, session.userId),
  }));

  serve(app, saveReport, async ({ db, session, body }) => {
    const id = await insertSaved(db, { ...body, createdBy: session.userId });
    if (!id) throw tooMany();
    return existing(await findOneSaved(db, session.userId, id), "savedReport");
  });

  serve(app, deleteSavedReport, async ({ db, session, now, params: { id } }) => {
    refuseOthers(existing(await findOneSaved(db, session.userId, id), "savedReport"), session);
    await deleteSaved(db, id, now);
  });

  serve(app, restoreSavedReport, async ({ db, session, params: { id } }) => {
    refuseOthers(existing(await findOneDeleted(db, session.userId, id), "savedReport"), session);
    if (!(await restoreSaved(db, id))) throw tooMany();
    return existing(await findOneSaved(db, session.userId, id), "savedReport");
  });

  serve(app, scheduleReport, async ({ db, session, now, params: { id }, body: { schedule } }) => {
    existing(await findOneSaved(db, session.userId, id), "savedReport");
    const missedDay = await findMissedDay(db, session.userId, { now, zone });
    await setSchedule(db, { id, readerId: session.userId, schedule, missedDay });
    return existing(await findOneSaved(db, session.userId, id), "savedReport");
  });

  serveDocument(app, getReportFile, "report", async ({ db, session, query, now }) => {
    const { format: _csv, ...search } = query;
    const table = await readTable(db, search, { now, zone });
    const { from, until, currency } = table;
    const kind = search.tab === "revenue" ? `revenue-by-${search.group ?? "package"}` : search.tab;
    const file = fileOf(table, await findLocale(db, session.userId));
    return { name: `${kind}-${from}-${until}-${currency}`, text: Buffer.from(file) };
  });
};
