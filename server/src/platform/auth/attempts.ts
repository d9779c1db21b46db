import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";
import { sql } from "kysely";
import { message } from "#platform/messages.ts";
import { type Db, first } from "../db/db.ts";
import { statement } from "../db/statement.ts";
import { Problem } from "../http/problem.ts";

export const subjectHash = (subject: string) => createHash("sha256").update(subject).digest();

/** After `free` attempts the wait starts at `firstSeconds` and doubles with each attempt. */
type Limit = { free: number; firstSeconds: number };

export const limits = {
  account: { free: 5, firstSeconds: 30 },
  address: { free: 60, firstSeconds: 30 },
  code: { free: 10, firstSeconds: 900 },
  mail: { free: 5, firstSeconds: 300 },
} satisfies Record<string, Limit>;

const longestSeconds = 900;
const forgottenAfterHours = 12;

const mappedIPv4 = /^::ffff:(?<address>[\d.]+)$/i;

/** An IPv6 network usually belongs to one customer, so it counts as one address. IPv4 is the same in both spellings. */
export const networkOf = (given: string) => {
  const address = mappedIPv4.exec(given)?.groups?.["address"] ?? given;
  if (!isIPv6(address)) return address;
  const [head = "", tail = ""] = address.split("::");
  const left = head.split(":").filter(Boolean);
  const right = tail.split(":").filter(Boolean);
  const missing = address.includes("::") ? 8 - left.length - right.length : 0;
  return [...left, ...Array(missing).fill("0"), ...right].slice(0, 4).join(":");
};

/**
 * Counts an attempt before it is checked, in one statement, so that parallel guesses can't bypass the limit. Call
 * `clearAttempts` after a correct one. Refuses while the subject must wait.
 */
export const countAttempt = async (db: Db, subject: string, limit: Limit, now: Date) => {
  const counted = sql`case when tries.last_at < ${now}::timestamptz - make_interval(hours => ${forgottenAfterHours})
    then 1 else tries.failures + 1 end`;
  const { rows } = await sql`
    insert into tries as tries (subject, failures, last_at) values (${subjectHash(subject)}, 1, ${now})
    on conflict (subject) do update set
      failures = ${counted},
      last_at = ${now},
      blocked_until = case when ${counted} >= ${limit.free} then ${now}::timestamptz + make_interval(
        secs => least(${longestSeconds}, ${limit.firstSeconds} * 2 ^ least(${counted} - ${limit.free}, 10)))
      end
    where tries.blocked_until is null or tries.blocked_until <= ${now}
    returning 1`.execute(db);
  if (rows.length === 0) throw await mustWait(db, subject, now);
};

/** The condition that a subject must wait. The arguments are placeholders. */
export const isBlocked = (hash: string, now: string) =>
  `exists (select from tries where subject = ${hash} and blocked_until > ${now})`;

const isBlockedSql = statement(
  "auth.isBlocked",
  `select ${isBlocked("$1", "$2")} as "isBlocked"`,
).narrow<{ isBlocked: boolean }>();

/** Refuses while the subject must wait, without counting. */
export const assertMayAttempt = async (db: Db, subject: string, now: Date) => {
  const row = await first(db, isBlockedSql, [subjectHash(subject), now]);
  if (row?.isBlocked) throw await mustWait(db, subject, now);
};

const mustWait = async (db: Db, subject: string, now: Date) => {
  const row = await db
    .selectFrom("tries")
    .select("blockedUntil")
    .where("subject", "=", subjectHash(subject))
    .executeTakeFirst();
  const waitMs = (row?.blockedUntil?.getTime() ?? now.getTime()) - now.getTime();
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new Problem(
    "too_many_requests",
    message(
      "attempts_limited",
      "Too many attempts. Try again in {seconds, plural, one {# second} other {# seconds}}.",
      { seconds },
    ),
    {
      retryAfterSeconds: seconds,
    },
  );
};

export const clearAttempts = async (db: Db, subject: string) => {
  await db.deleteFrom("tries").where("subject", "=", subjectHash(subject)).execute();
};

/**
 * Removes one attempt, for a correct one from an address with wrong ones. It was not blocked, so a wait that is
 * set now was set by this attempt.
 */
export const undoAttempt = async (db: Db, subject: string) => {
  await db
    .updateTable("tries")
    .set(({ eb }) => ({ failures: eb("failures", "-", 1), blockedUntil: null }))
    .where("subject", "=", subjectHash(subject))
    .where("failures", ">", 0)
    .execute();
};
