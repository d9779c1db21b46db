import {
  deletedReportDays,
  type ReportSchedule,
  type SavedReport,
  savedReportsMax,
} from "@purser/contract/reports/saved";
import type { ReportSearch } from "@purser/contract/reports/search";
import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";

const mayReceive = (user: "o" | "u") =>
  `${user}.role is not null and not ${user}.is_service and ${user}.status = 'active'`;

const saved = statement(
  "reports.saved",
  `select r.id, r.name, r.search, jsonb_build_object('id', u.id, 'name', u.name) as "createdBy",
     r.created_at as "createdAt", (select e.schedule from report_emails e where e.report_id = r.id and e.user_id = $1) as schedule,
     (select count(*)::int from report_emails e join users o on o.id = e.user_id
      where e.report_id = r.id and e.user_id <> $1 and ${mayReceive("o")}) as "otherReaders"
   from saved_reports r join users u on u.id = r.created_by where true`,
).narrow<SavedReport>();
const all = saved.with(`and r.deleted_at is null order by lower(r.name) limit ${savedReportsMax}`);
const one = saved.with("and r.deleted_at is null and r.id = $2");
const oneDeleted = saved.with("and r.deleted_at is not null and r.id = $2");

export const findSaved = (db: Db, readerId: string) => run(db, all, [readerId]);

export const findOneSaved = (db: Db, readerId: string, id: string) =>
  first(db, one, [readerId, id]);

export const findOneDeleted = (db: Db, readerId: string, id: string) =>
  first(db, oneDeleted, [readerId, id]);

const isFull = `(select count(*) from saved_reports where deleted_at is null) >= ${savedReportsMax}`;

const insertSql = statement(
  "reports.insertSaved",
  `insert into saved_reports (name, search, created_by)
   select $1, $2::jsonb, $3 where not ${isFull} returning id`,
);

type NewReport = { name: string; search: ReportSearch; createdBy: string };

/** Undefined if there are too many. */
export const insertSaved = async (db: Db, { name, search, createdBy }: NewReport) =>
  (await first(db, insertSql, [name, JSON.stringify(search), createdBy]))?.id;

/** It can be restored for some time. Those that can't any longer are removed with the next one. */
export const deleteSaved = async (db: Db, id: string, now: Date) => {
  const before = new Date(now.getTime() - deletedReportDays * 86_400_000);
  await run(db, "update saved_reports set deleted_at = $2 where id = $1", [id, now]);
  await run(db, "delete from saved_reports where deleted_at < $1", [before]);
};

const restoreSql = statement(
  "reports.restoreSaved",
  `update saved_reports set deleted_at = null where id = $1 and not ${isFull} returning id`,
);

/** Undefined if there are too many. */
export const restoreSaved = async (db: Db, id: string) => first(db, restoreSql, [id]);

type Choice = {
  id: string;
  readerId: string;
  schedule: ReportSchedule | null;
  /** The day whose email was sent to others before this choice. */
  missedDay: string | null;
};

export const setSchedule = async (db: Db, { id, readerId, schedule, missedDay }: Choice) => {
  if (schedule === null)
    await run(db, "delete from report_emails where report_id = $1 and user_id = $2", [
      id,
      readerId,
    ]);
  else
    await run(
      db,
      `insert into report_emails (report_id, user_id, schedule, sent_on) values ($1, $2, $3, $4::date)
       on conflict (report_id, user_id) do update
       set schedule = excluded.schedule, sent_on = coalesce(excluded.sent_on, report_emails.sent_on)`,
      [id, readerId, schedule, missedDay],
    );
};

const readersSql = statement(
  "reports.findReaders",
  `select r.id as "reportId", r.name as report, r.search, e.schedule, u.id, u.name, u.email, u.role
   from report_emails e join saved_reports r on r.id = e.report_id join users u on u.id = e.user_id
   where r.deleted_at is null and ${mayReceive("u")} order by r.id, u.id`,
).narrow<{ search: ReportSearch; schedule: ReportSchedule }>();

/** Everyone who chose to get a report by email, and may sign in. */
export const findReaders = (db: Db) => run(db, readersSql, []);

const takeSql = statement(
  "reports.takeEmail",
  `update report_emails set sent_on = $3::date where report_id = $1 and user_id = $2 and sent_on is distinct from $3::date
   returning report_id`,
);

/** Whether the report wasn't sent on this day yet. It is then marked as sent. */
export const takeEmail = async (db: Db, reportId: string, readerId: string, day: string) =>
  (await first(db, takeSql, [reportId, readerId, day])) !== undefined;
