import { z } from "zod";
import { type Db, first, run } from "../db/db.ts";
import { statement } from "../db/statement.ts";
import type { Job } from "../jobs/queues.ts";
import type { Mailer } from "../mail/mail.ts";
import { findLocale, writeEmail } from "../mail/writeEmail.ts";
import { message } from "../messages.ts";

/** Owners are emailed about files with more rows. */
export const noticeRows = 10_000;

const payload = z.object({ id: z.uuid() });

/** To enqueue the job, which `compose.ts` creates with the mailer. */
export const exportNotice: Job<typeof payload> = {
  name: "tell-owners-of-export",
  isPatient: true,
  payload,
  run: async () => undefined,
};

const findExportSql = statement(
  "lists.findExport",
  `select e.list, e.rows, a.actor_name as "actorName" from exports e
   join audit_entries a on a.entity = 'exports' and a.record_id = e.id and a.action = 'insert'
   where e.id = $1`,
).present<"rows" | "actorName">();

const findOwnersSql = statement(
  "lists.findOwners",
  "select id, name, email from users where role = 'owner' and status = 'active' order by id",
);

const sendNotices = async (db: Db, mail: Mailer, { id, url }: { id: string; url: string }) => {
  const found = await first(db, findExportSql, [id]);
  if (!found) return;
  const { actorName: actor, list, rows } = found;
  for (const owner of await run(db, findOwnersSql, []))
    await mail.send({
      to: owner.email,
      ...writeEmail(await findLocale(db, owner.id), {
        subject: message(
          "export_email_subject",
          "{actor} exported {rows, plural, one {# row} other {# rows}}",
          { actor, rows },
        ),
        paragraphs: [
          message("email_greeting", "Hi {name},", { name: owner.name }),
          message(
            "export_email",
            "{actor} exported {rows, plural, one {# row} other {# rows}} of the list {list}.",
            {
              actor,
              rows,
              list,
            },
          ),
          message(
            "export_email_advice",
            "If this is unexpected, end their sessions and review the audit log.",
          ),
          `${url}/audit`,
        ],
      }),
    });
};

/** Emails owners about a large export. */
export const exportNoticeJob = (mail: Mailer, url: string): Job<typeof payload> => ({
  ...exportNotice,
  run: ({ db }, { id }) => sendNotices(db, mail, { id, url }),
});
