import { type Db, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";

const lockSql = statement(
  "transactions.lockImportedSales",
  `select t.id, uuid_v7(t.settled_at + interval '2 milliseconds') as "refundId", t.total > t.refunded as "isLeft"
   from transactions t join users u on u.id = t.user_id
   where t.id = any ($1::uuid[]) and t.version = 1 and t.state = 'succeeded' and t.settled_at is not null
     and not exists (select from transaction_lines l where l.transaction_id = t.id and l.credited <> t.refunded)
   order by u.id, t.id for no key update of u, t`,
)
  // Two rows of each sale and its line.
  .bounded(5000)
  .narrow<{ refundId: string; isLeft: boolean }>();

/** Locks imported sales that no one has refunded, disputed or changed since, with the ID of the refund of each. */
export const lockImportedSales = async (db: Db, ids: readonly string[]) =>
  (await run(db, lockSql, [ids])).map(({ id, refundId, isLeft }) => ({
    id,
    refundId: isLeft ? refundId : null,
  }));

const sales = `
  select t.id, given."refundId", t.user_id, t.currency, t.provider, t.settled_at as at, l.id as line_id,
    l.net - (l.credited - l.credited_tax) as net, l.tax - l.credited_tax as tax, l.gross - l.credited as gross,
    'tax:' || l.tax_treatment as tax_account, uuid_v7(t.settled_at) as entry_id
  from jsonb_to_recordset($1::jsonb) as given (id uuid, "refundId" uuid)
  join transactions t on t.id = given.id join transaction_lines l on l.transaction_id = t.id
  where given."refundId" is not null`;

const refunded = `
  insert into transactions (id, kind, state, user_id, parent_id, currency, subtotal, tax, total, tax_included, provider,
    settled_by, access, occurred_at, settled_at, reason, created_by, is_split)
  select "refundId", 'refund', 'succeeded', user_id, id, currency, net, tax, gross, false, provider, provider, 'keep', at,
    at, 'Import undone', $2::uuid, true
  from sale`;

const credited = `
  insert into line_credits (line_id, transaction_id, reason, net, tax, gross, state)
  select line_id, "refundId", 'refund', net, tax, gross, 'applied' from sale`;

const happened = `
  insert into transaction_events (transaction_id, type, at, source)
  select "refundId", type, at, 'system' from sale cross join unnest(array['created', 'submitted', 'succeeded']) type`;

const entered = `
  insert into journal_entries (id, kind, source_id, at, currency, user_id, transaction_id)
  select entry_id, 'refund', "refundId", at, currency, user_id, "refundId" from sale`;

const posted = `
  insert into postings (entry_id, position, account, amount)
  select entry_id, position, account, posted from sale cross join lateral (values
    (0, 'revenue', net), (1, tax_account, tax), (2, 'cash:' || provider, -gross)
  ) returned (position, account, posted) where posted <> 0`;

const undoText = `
  with sale as materialized (${sales}), refunded as (${refunded}), credited as (${credited}),
    happened as (${happened}), entered as (${entered})
  ${posted}`;

type Locked = Awaited<ReturnType<typeof lockImportedSales>>;

/**
 * Refunds what is left of imported sales at their own dates, so that the figures of these days are as before the
 * import. Postings never change, so these are new ones. The references can be imported again. The refunds must be
 * marked as imported, so that they cause no webhook.
 */
export const undoImportedSales = async (db: Db, sold: Locked, by: string) => {
  if (sold.length === 0) return;
  await run(db, undoText, [JSON.stringify(sold), by]);
  await run(
    db,
    "update transactions set refunded = total, reference = 'undone ' || id where id = any ($1::uuid[])",
    [sold.map(({ id }) => id)],
  );
};
