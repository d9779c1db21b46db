import { type Db, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";

const exportedSql = statement(
  "ledger.exported",
  `select e.id, e.at, e.at::text as moment, e.kind, e.currency, t.number as transaction, u.number as customer, p.account,
     p.amount::float8 as amount
   from (select * from journal_entries where at >= $1 and at < $2 and (at, id) > ($3::timestamptz, $4)
     order by at, id limit $5) e
   join postings p on p.entry_id = e.id left join transactions t on t.id = e.transaction_id
   left join users u on u.id = e.user_id
   order by e.at, e.id, p.position`,
).narrow<{ amount: number; moment: string }>();

export type ExportedPosting = NonNullable<typeof exportedSql.row>;

const beforeAll = "00000000-0000-0000-0000-000000000000";

type Period = { from: Date; until: Date };

/** The postings of a period, in batches, so that any number of them fits in memory. */
export async function* readPostings(db: Db, { from, until }: Period, entriesPerBatch = 1000) {
  // As text, because a Date has no microseconds: the next batch would repeat the last entry.
  let after = { moment: from.toISOString(), id: beforeAll };
  for (;;) {
    const rows = await run(db, exportedSql, [
      ...[from, until],
      ...[after.moment, after.id],
      entriesPerBatch,
    ]);
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    after = last;
  }
}

const codesSql = statement(
  "ledger.accountCodes",
  `select account_codes as codes from settings`,
).narrow<{ codes: Record<string, string> }>();

/** The codes of the accounting software, by kind of account. */
export const findAccountCodes = async (db: Db) => (await run(db, codesSql))[0]?.codes ?? {};
