import { createHmac } from "node:crypto";
import type { SignInMethod, SignInOutcome, SignIns } from "@purser/contract/auth/activeSessions";
import type { ProblemCode } from "@purser/contract/http/problem";
import type { FastifyRequest } from "fastify";
import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import { Problem } from "#platform/http/problem.ts";
import { newestOf } from "../secrets.ts";
import { describeUserAgent } from "./userAgent.ts";

export const userAgentOf = ({ headers }: FastifyRequest) =>
  (headers["user-agent"] ?? "unknown").slice(0, 300);

/** Who tries to sign in: a known user, or the address that was entered. */
type Meant = { userId: string } | { email: string } | null;

type Entry = {
  meant: Meant;
  how: SignInMethod;
  outcome: SignInOutcome;
  isNewDevice?: boolean;
};

/** Keyed, so that the log can not be searched for guessed addresses. */
const hashOf = (secretKey: string, email: string) =>
  createHmac("sha256", secretKey).update(`sign-in log:${email}`).digest();

// One statement for team members and unknown addresses, so that the time does not tell them apart. Blocked attempts
// are recorded once a minute, so that a flood of attempts doesn't become a flood of rows.
const insertion = `
  with person as (
    select coalesce($1::uuid, (select id from users where email = $2 and role is not null and not is_service)) as id
  ), stranger as (
    select case when (select id from person) is null then $3::bytea end as hash
  )
  insert into sign_ins (user_id, email_hash, how, outcome, address, device, new_device, at)
  select person.id, stranger.hash, $4, $5, $6, $7, $8, $9::timestamptz from person, stranger
  where $5 <> 'blocked' or not exists (
    select from sign_ins s
    where s.outcome = 'blocked' and s.at > $9::timestamptz - interval '1 minute'
      and case when person.id is null then s.email_hash = stranger.hash else s.user_id = person.id end
  )`;

export const recordSignIn = async (
  db: Db,
  request: FastifyRequest,
  { meant, how, outcome, isNewDevice = false }: Entry,
) => {
  const { config, counts } = request.server.platform;
  counts.signIns[outcome === "ok" ? "succeeded" : "failed"] += 1;
  const secretKey = newestOf(config.SECRET_KEYS);
  const email = meant && "email" in meant ? meant.email : null;
  await run(db, insertion, [
    meant && "userId" in meant ? meant.userId : null,
    email,
    email === null ? null : hashOf(secretKey, email),
    how,
    outcome,
    request.ip,
    userAgentOf(request),
    isNewDevice,
    request.now,
  ]);
};

const outcomes: Partial<Record<ProblemCode, SignInOutcome>> = {
  wrong_credentials: "wrong credentials",
  passkey_refused: "wrong credentials",
  wrong_code: "wrong code",
  too_many_requests: "blocked",
  password_sign_in_off: "refused by policy",
  two_factor_required: "refused by policy",
  sso_refused: "refused by policy",
};

/** Runs work that may be refused, and records the refusal before passing it on. */
export const recordRefusal = async <T>(
  db: Db,
  request: FastifyRequest,
  { meant, how }: Pick<Entry, "meant" | "how">,
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    const outcome = error instanceof Problem ? outcomes[error.code] : undefined;
    if (outcome) await recordSignIn(db, request, { meant, how, outcome });
    throw error;
  }
};

const pageSize = 20;

const findSignInsSql = statement(
  "auth.findSignIns",
  // Ids first, because an index has them in this order.
  `select id, at, how, outcome, address, device, new_device as "newDevice" from sign_ins where id = any (array(
     select id from sign_ins where user_id = $1 and id < coalesce($2::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
     order by id desc limit ${pageSize + 1}))
   order by id desc`,
);

/** Newest first. Ids are in the order of time. */
export const findSignIns = async (
  db: Db,
  userId: string,
  { after }: { after?: string | undefined },
): Promise<SignIns> => {
  const rows = await run(db, findSignInsSql, [userId, after ?? null]);
  const items = rows
    .slice(0, pageSize)
    .map((row) => ({ ...row, device: describeUserAgent(row.device) }));
  return { items, next: rows.length > pageSize ? (items.at(-1)?.id ?? null) : null };
};

const removeOldSql = statement(
  "auth.removeOldSignIns",
  "select remove_sign_ins($1::int) as rows",
).narrow<{ rows: number }>();

/** Removes at most one batch of those that are older than the settings say, and returns how many. */
export const removeOldSignIns = async (db: Db, batch: number) =>
  (await first(db, removeOldSql, [batch]))?.rows ?? 0;
