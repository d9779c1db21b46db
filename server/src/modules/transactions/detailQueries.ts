import type { TransactionDetails } from "@purser/contract/transactions/endpoints";
import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";

const findGrantedSql = statement(
  "transactions.findGranted",
  `select g.id, coalesce(p.name || ' ' || v.number, f.name) as name, g.starts_at as "startsAt",
     nullif(g.ends_at, 'infinity') as "endsAt", g.starts_at <= $2 and g.ends_at > $2 as "isActive"
   from grants g left join packages p on p.id = g.package_id
   left join package_versions v on v.id = g.version_id left join features f on f.id = g.feature_id
   where g.source in ('transaction', 'promotion') and g.source_id = $1::text order by g.id`,
).narrow<TransactionDetails["grants"][number]>();

export const findGranted = (db: Db, id: string, now: Date) => run(db, findGrantedSql, [id, now]);

const findCreditsSql = statement(
  "transactions.findCredits",
  `select c.id, c.line_id as "lineId", l.name, jsonb_build_object('id', t.id, 'number', t.number) as transaction,
     lower(c.unused) as "from", upper(c.unused) as until, c.net::float8 as net, c.tax::float8 as tax,
     c.gross::float8 as gross, c.reason, c.state
   from line_credits c join transaction_lines l on l.id = c.line_id join transactions t on t.id = l.transaction_id
   where c.transaction_id = $1 order by lower(c.unused), c.id`,
).narrow<TransactionDetails["credits"][number]>();

/** What a change, refund or chargeback takes back of other transactions. */
export const findCredits = (db: Db, id: string) => run(db, findCreditsSql, [id]);

const findReferencesSql = statement(
  "transactions.findReferences",
  "select reference from transaction_references where transaction_id = $1 order by created_at, reference",
);

/** Every name that providers have for a transaction. */
export const findReferences = async (db: Db, id: string) =>
  (await run(db, findReferencesSql, [id])).map(({ reference }) => reference);

const findImportSql = statement(
  "transactions.findImport",
  `select import_id as "importId" from imported_records where record_id = $1`,
);

/** The import that recorded a transaction. */
export const findImportId = async (db: Db, id: string) =>
  (await first(db, findImportSql, [id]))?.importId ?? null;

const findReconciliationSql = statement(
  "transactions.findReconciliation",
  `select asked as attempts, last_at as "lastAt", last_answer as "lastAnswer", next_at as "nextAt"
   from reconciliations where transaction_id = $1`,
);

export const findReconciliation = async (db: Db, id: string) =>
  (await first(db, findReconciliationSql, [id])) ?? null;

const findCustomerFactsSql = statement(
  "transactions.findCustomerFacts",
  `select u.created_at as since, coalesce((
       select jsonb_agg(to_jsonb(s) order by currency) from (
         select currency, sum(total) as total, sum(refunded) as refunded from transactions
         where user_id = u.id and kind in ('purchase', 'renewal', 'change') and state in ('succeeded', 'disputed')
         group by currency
       ) s
     ), '[]') as paid
   from users u where u.id = $1`,
).narrow<TransactionDetails["customer"]>();

export const findCustomerFacts = async (db: Db, userId: string) => {
  const row = await first(db, findCustomerFactsSql, [userId]);
  if (!row) throw new Error("The customer of a transaction was not found.");
  return row;
};
