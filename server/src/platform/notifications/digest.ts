import type { Message } from "@purser/contract/messages/message";
import { z } from "zod";
import { findPreferences } from "../auth/preferences/preferences.ts";
import { type Db, run } from "../db/db.ts";
import { statement } from "../db/statement.ts";
import { type Job, job } from "../jobs/queues.ts";
import type { Mailer } from "../mail/mail.ts";
import { sendToEach } from "../mail/sendToEach.ts";
import { writeEmail } from "../mail/writeEmail.ts";
import { message, translate } from "../messages.ts";

/** The hour at which the email is sent, in the reader's time zone. */
export const sentAtHour = 8;
const listedMax = 20;
const hourMs = 3_600_000;

const findReadersSql = statement(
  "notifications.findReaders",
  `select u.id, u.name, u.email from users u join preferences p on p.user_id = u.id
   where u.role is not null and not u.is_service and u.status = 'active' and p.value ->> 'digest' = 'daily' order by u.id`,
);

const takeUnreadSql = statement(
  "notifications.takeUnread",
  `update notifications set emailed_at = $2
   where user_id = $1 and read_at is null and emailed_at is null and ($3::timestamptz is null or created_at < $3)
   returning id, message`,
).narrow<{ id: string; message: Message }>();

export const hourIn = (zone: string, now: Date) =>
  Number(
    new Intl.DateTimeFormat("en-GB", { timeZone: zone, hour: "2-digit", hourCycle: "h23" }).format(
      now,
    ),
  );

type Sending = { mail: Mailer; url: string; zone: string; now: Date };
type Reader = { id: string; name: string; email: string };

const sendTo = async (db: Db, { id, name, email }: Reader, { mail, url, zone, now }: Sending) => {
  const { language, timeZone } = await findPreferences(db, id);
  const hoursLate = hourIn(timeZone ?? zone, now) - sentAtHour;
  if (hoursLate < 0) return;
  // Later on that day only what couldn't be sent in the morning. Anything newer waits for the next one.
  const before = hoursLate === 0 ? null : new Date(+now - hoursLate * hourMs);
  // Marked before it is sent, in the same transaction, so that a retry sends them again and a success doesn't.
  const unread = await run(db, takeUnreadSql, [id, now, before]);
  if (unread.length === 0) return;
  const locale = { language: language ?? "en-US", timeZone: timeZone ?? zone };
  const newest = unread.toSorted((one, other) => (one.id < other.id ? 1 : -1));
  const lines = newest.slice(0, listedMax).map((one) => `- ${translate(one.message, locale)}`);
  await mail.send({
    to: email,
    ...writeEmail(locale, {
      subject: message(
        "digest_email_subject",
        "{count, plural, one {# unread notification} other {# unread notifications}}",
        { count: unread.length },
      ),
      paragraphs: [
        message("email_greeting", "Hi {name},", { name }),
        lines.join("\n"),
        ...(unread.length > listedMax
          ? [
              message("digest_email_more", "And {count} more.", {
                count: unread.length - listedMax,
              }),
            ]
          : []),
        message(
          "digest_email_off",
          "You get this email once a day. Turn it off in your account's preferences.",
        ),
        url,
      ],
    }),
  });
};

/** Emails unread notifications once a day to team members who turned it on. */
export const sendDigestsJob = (
  mail: Mailer,
  url: string,
  findZone: (db: Db) => Promise<string>,
): Job =>
  job({
    name: "send-digests",
    payload: z.object({}),
    every: "2 * * * *",
    inSteps: true,
    run: async ({ step, now }) => {
      const zone = await step(findZone);
      const readers = await step((db) => run(db, findReadersSql, []));
      await sendToEach(
        readers,
        (reader) => step((db) => sendTo(db, reader, { mail, url, zone, now })),
        "Some emails weren't sent.",
      );
    },
  });
