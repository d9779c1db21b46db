import { type Db, run } from "#platform/db/db.ts";
import { type RowOf, statement } from "#platform/db/statement.ts";

const findStuckSql = statement(
  "providers.findStuck",
  `select t.id, t.provider, t.reference, coalesce(r.asked, 0) as attempts, t.occurred_at as "occurredAt"
   from transactions t left join reconciliations r on r.transaction_id = t.id
   where t.state in ('pending', 'unknown') and t.provider = any ($1::text[]) and t.reference is not null
     and case when r.transaction_id is null then t.occurred_at <= $3 else r.next_at <= $2 end
   order by t.occurred_at limit 100`,
)
  .present<"reference">()
  .narrow<{ attempts: number }>();

/** A payment without a result, and how often it was looked up. */
export type StuckPayment = RowOf<typeof findStuckSql>;

/** Payments whose lookup is due. The first lookup of a payment is due if it is from before `since`. */
export const findStuck = (
  db: Db,
  providers: readonly string[],
  { now, since }: { now: Date; since: Date },
) => run(db, findStuckSql, [providers, now, since]);

type Lookup = { transactionId: string; answer: string; now: Date; nextAt: Date | null };

export const recordLookup = async (db: Db, { transactionId, answer, now, nextAt }: Lookup) => {
  await run(
    db,
    `insert into reconciliations (transaction_id, asked, last_at, last_answer, next_at) values ($1, 1, $2, $3, $4)
     on conflict (transaction_id) do update set asked = reconciliations.asked + 1, last_at = $2, last_answer = $3,
       next_at = $4`,
    [transactionId, now, answer, nextAt],
  );
};
