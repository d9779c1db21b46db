import { allows } from "@purser/contract/auth/permissions";
import type { ReportSchedule } from "@purser/contract/reports/saved";
import { z } from "zod";
import type { Db } from "#platform/db/db.ts";
import { type Job, job } from "#platform/jobs/queues.ts";
import type { Mailer } from "#platform/mail/mail.ts";
import { sendToEach } from "#platform/mail/sendToEach.ts";
import { findLocale, writeEmail } from "#platform/mail/writeEmail.ts";
import { message } from "#platform/messages.ts";
import { hourIn, sentAtHour } from "#platform/notifications/digest.ts";
import { localDateOf } from "#platform/periods.ts";
import type { FindZone } from "#platform/settings.ts";
import { fileOf } from "./file.ts";
import { findReaders, takeEmail } from "./savedQueries.ts";
import { readTable } from "./tables.ts";

/** Weekly on Mondays, monthly on the first day. */
const isDue = (schedule: ReportSchedule, day: string) =>
  schedule === "monthly" ? day.endsWith("-01") : new Date(`${day}T00:00:00Z`).getUTCDay() === 1;

type Reader = Awaited<ReturnType<typeof findReaders>>[number];
type Clock = { zone: string; now: Date };
type Sending = Clock & { mail: Mailer; url: string };

/** The day of a reader, and whether the emails of that day were due already. */
const morningOf = async (db: Db, readerId: string, { zone, now }: Clock) => {
  const found = await findLocale(db, readerId);
  const locale = { ...found, timeZone: found.timeZone ?? zone };
  const day = localDateOf(now, locale.timeZone);
  return { locale, day, isOver: hourIn(locale.timeZone, now) >= sentAtHour };
};

/** The day whose email a new reader doesn't get, because they chose it later. */
export const findMissedDay = async (db: Db, readerId: string, clock: Clock) => {
  const { day, isOver } = await morningOf(db, readerId, clock);
  return isOver ? day : null;
};

const sendTo = async (db: Db, reader: Reader, { mail, url, zone, now }: Sending) => {
  if (!(reader.role && allows(reader.role, "reports:read"))) return;
  const { locale, day, isOver } = await morningOf(db, reader.id, { zone, now });
  // Also later on that day, if nothing could be sent in the morning.
  if (!isOver || !isDue(reader.schedule, day)) return;
  // In the same transaction as the sending, so that a retry sends what the mail server refused.
  if (!(await takeEmail(db, reader.reportId, reader.id, day))) return;
  const table = await readTable(db, reader.search, { now, zone });
  const search = new URLSearchParams(reader.search as Record<string, string>);
  const period = {
    from: { at: `${table.from}T12:00:00Z` },
    until: { at: `${table.until}T12:00:00Z` },
  };
  const { subject, text } = writeEmail(
    { language: locale.language },
    {
      subject: message("report_email_subject", "{report}: {from} to {until}", {
        report: reader.report,
        ...period,
      }),
      paragraphs: [
        message("email_greeting", "Hi {name},", { name: reader.name }),
        message(
          "report_email_attached",
          "The report {report} from {from} to {until} is attached, in {currency}.",
          { report: reader.report, ...period, currency: table.currency },
        ),
        `${url}/reports?${search}`,
        message(
          "report_email_off",
          "You chose to get this report by email. Change that under Reports, Saved.",
        ),
      ],
    },
  );
  const content = Buffer.from(fileOf(table, locale));
  const filename = `${reader.search.tab}-${table.from}-${table.until}.csv`;
  await mail.send({ to: reader.email, subject, text, attachments: [{ filename, content }] });
};

/** Emails saved reports to those who chose it, in the morning of their time zone. */
export const sendReportsJob = (mail: Mailer, url: string, findZone: FindZone): Job =>
  job({
    name: "send-reports",
    payload: z.object({}),
    every: "4 * * * *",
    inSteps: true,
    run: async ({ step, now }) => {
      const zone = await step(findZone);
      await sendToEach(
        await step(findReaders),
        (reader) => step((db) => sendTo(db, reader, { mail, url, zone, now })),
        "Some reports weren't sent.",
      );
    },
  });
