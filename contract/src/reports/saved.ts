import { z } from "zod";
import { id, instant, record } from "../fields/primitives.ts";
import { plain, text } from "../fields/text.ts";
import { endpoint } from "../http/endpoint.ts";
import { rule } from "../messages/rules.ts";
import { reportSearch } from "./search.ts";

export const reportSchedules = ["weekly", "monthly"] as const;
export type ReportSchedule = (typeof reportSchedules)[number];

export const savedReportsMax = 200;

/** How long a deleted report can be restored. */
export const deletedReportDays = 30;

const savedReport = z
  .object({
    id,
    name: plain,
    search: reportSearch,
    createdBy: z.object({ id, name: plain }),
    createdAt: instant,
    /** How often the caller gets it by email. */
    schedule: z.enum(reportSchedules).nullable(),
    /** How many others get it by email. */
    otherReaders: z.int(),
  })
  .meta({ id: "SavedReport" });
export type SavedReport = z.output<typeof savedReport>;

export const listSavedReports = endpoint({
  method: "GET",
  path: "/reports/saved",
  summary: "List saved reports by name",
  permission: "reports:read",
  reply: z.object({ items: z.array(savedReport) }),
});

export const saveReport = endpoint({
  method: "POST",
  path: "/reports/saved",
  summary: "Save a report for the team",
  permission: "reports:read",
  body: z.strictObject({ name: text({ min: 1, max: 80 }), search: reportSearch }),
  reply: savedReport,
  status: 201,
  refusals: ["taken", "wrong_state"],
});

export const deleteSavedReport = endpoint({
  method: "DELETE",
  path: "/reports/saved/:id",
  summary: "Delete a saved report and its emails",
  permission: "reports:read",
  params: record,
});

export const restoreSavedReport = endpoint({
  method: "POST",
  path: "/reports/saved/:id/restore",
  summary: "Restore a deleted report with everyone's emails",
  permission: "reports:read",
  params: record,
  reply: savedReport,
  refusals: ["taken", "wrong_state"],
});

export const scheduleReport = endpoint({
  method: "PUT",
  path: "/reports/saved/:id/email",
  summary: "Choose how often you get a saved report by email",
  permission: "reports:read",
  serviceAccounts: false,
  params: record,
  body: z.strictObject({
    /** Weekly on Mondays, monthly on the first day, or null for never. */
    schedule: z.enum(reportSchedules).nullable(),
  }),
  reply: savedReport,
});

export const getReportFile = endpoint({
  method: "GET",
  path: "/reports/file",
  summary: "Download the table of a report as CSV",
  permission: "reports:read",
  query: reportSearch
    .extend({ format: z.enum(["csv"]).default("csv") })
    .refine(({ range, from, until }) => range !== "custom" || (from && until && from <= until), {
      path: ["until"],
      error: rule("report_end_before_start", "Choose a day on or after the first one."),
    }),
  reply: plain,
  file: true,
});
