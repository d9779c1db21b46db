import { type Db, first } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";

const nextDueSql = statement(
  "subscriptions.nextDue",
  `select least(
     (select min(period_end) from subscriptions
      where status in ('trialing', 'active', 'ending') and period_end > $1::timestamptz),
     (select min(access_until) from subscriptions where status = 'past due' and access_until > $1::timestamptz)
   ) as at`,
).narrow<{ at: Date | null }>();

/** When the next subscription is renewed or ends, after this time. */
export const findNextDue = async (db: Db, after: Date) =>
  (await first(db, nextDueSql, [after]))?.at ?? null;
