import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";
import { sql } from "kysely";
import type { Db } from "../db/db.ts";
import { Problem } from "../http/problem.ts";

const hashed = (subject: string) => createHash("sha256").update(subject).digest();

/** What is counted: an account, a known device of it, an address, an authenticator, codes of promotions. */
type Limit = { free: number; firstSeconds: number };

export const limits = {
  account: { free: 5, firstSeconds: 30 },
  address: { free: 60, firstSeconds: 30 },
  code: { free: 10, firstSeconds: 900 },
  mail: { free: 5, firstSeconds: 300 },
  promotionCode: { free: 30, firstSeconds: 60 },
} satisfies Record<string, Limit>;

const longestSeconds = 900;
const forgottenAfterHours = 12;

const mappedIPv4 = /^::ffff:(?<address>[\d.]+)$/i;

/** One network of IPv6 is one person's, so it counts as one address; IPv4 is itself in either spelling. */
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
 * Counts a try before it is judged, in one statement, so that guesses side by side cannot all slip
 * through; once it was right, `forgive` takes the count back. Refuses while the subject has to wait.
 */
export const countTry = async (db: Db, subject: string, limit: Limit, now: Date) => {
  const counted = sql`case when tries.last_at < ${now}::timestamptz - make_interval(hours => ${forgottenAfterHours})
    then 1 else tries.failures + 1 end`;
  const { rows } = await sql`
    insert into tries as tries (subject, failures, last_at) values (${hashed(subject)}, 1, ${now})
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

/** Refuses while the subject has to wait, and counts nothing. */
export const assertMayTry = async (db: Db, subject: string, now: Date) => {
  const { rows } = await sql`
    select from tries where subject = ${hashed(subject)} and blocked_until > ${now}`.execute(db);
  if (rows.length > 0) throw await mustWait(db, subject, now);
};

const mustWait = async (db: Db, subject: string, now: Date) => {
  const row = await db
    .selectFrom("tries")
    .select("blockedUntil")
    .where("subject", "=", hashed(subject))
    .executeTakeFirst();
  const waitMs = (row?.blockedUntil?.getTime() ?? now.getTime()) - now.getTime();
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new Problem("too_many", `Wait ${seconds} s, then try again.`, {
    retryAfterSeconds: seconds,
  });
};

export const forgive = async (db: Db, subject: string) => {
  await db.deleteFrom("tries").where("subject", "=", hashed(subject)).execute();
};

/**
 * Takes one try back: a right one among an address's wrong ones neither excuses those nor counts as one.
 * It was let through, so any wait in force now was set by itself.
 */
export const uncount = async (db: Db, subject: string) => {
  await db
    .updateTable("tries")
    .set(({ eb }) => ({ failures: eb("failures", "-", 1), blockedUntil: null }))
    .where("subject", "=", hashed(subject))
    .where("failures", ">", 0)
    .execute();
};
