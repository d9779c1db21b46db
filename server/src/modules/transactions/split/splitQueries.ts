// No rules.ts: what a split transaction consists of is calculated in splitHistory.ts.
import { taxAccountOf } from "#modules/ledger/journal.ts";
import { type Db, first, run } from "#platform/db/db.ts";
import { type RowOf, statement } from "#platform/db/statement.ts";
import type { KnownLine, OldTransaction, Split } from "./history.ts";

// A merged customer's transactions keep their user, and their subscriptions belong to the remaining one.
const family = (customers: string) => `
  with recursive family as (
    select id, id as customer from users where id = any (${customers})
    union all
    select u.id, f.customer from family f join users u on u.merged_into = f.id
  )`;

const findUnsplitSql = (customer: string) => `
  ${family(`array(${customer})`)}
  select f.customer from family f where exists (
    select from transactions t where t.user_id = f.id and not t.is_split) limit 1`;

const unsplitOfTransactionSql = statement(
  "split.ofTransaction",
  findUnsplitSql("select current_customer(user_id) from transactions where id = $1"),
).narrow<{ customer: string }>();

const unsplitOfSubscriptionSql = statement(
  "split.ofSubscription",
  findUnsplitSql("select current_customer(user_id) from subscriptions where id = $1"),
).narrow<{ customer: string }>();

/** The customer of a transaction, if not all of their transactions are split. */
export const findUnsplitOfTransaction = async (db: Db, id: string) =>
  (await first(db, unsplitOfTransactionSql, [id]))?.customer;

/** The customer of a subscription, if not all of their transactions are split. */
export const findUnsplitOfSubscription = async (db: Db, id: string) =>
  (await first(db, unsplitOfSubscriptionSql, [id]))?.customer;

const unsplitCustomersSql = statement(
  "split.ofCustomers",
  `${family("$1::uuid[]")}
   select distinct f.customer from family f where exists (
     select from transactions t where t.user_id = f.id and not t.is_split)`,
).narrow<{ customer: string }>();

/** Those of the customers who have transactions that aren't split. */
export const findUnsplitCustomers = async (db: Db, customers: readonly string[]) =>
  new Set((await run(db, unsplitCustomersSql, [customers])).map(({ customer }) => customer));

const nextUsersSql = statement(
  "split.nextUsers",
  `with recursive next as (
     (select user_id, 1 as place from transactions where not is_split and user_id > $1 order by user_id limit 1)
     union all
     select (select t.user_id from transactions t where not t.is_split and t.user_id > n.user_id
       order by t.user_id limit 1), n.place + 1
     from next n where n.user_id is not null and n.place < $2
   )
   select user_id as id, current_customer(user_id) as customer from next where user_id is not null order by user_id`,
).narrow<{ id: string; customer: string }>();

/** The next users with transactions that aren't split, and the customers that they are merged into. */
export const findNextUsers = (db: Db, after: string | null, limit: number) =>
  run(db, nextUsersSql, [after ?? "00000000-0000-0000-0000-000000000000", limit]);

const oldSql = statement(
  "split.transactions",
  `${family("$1::uuid[]")}
   select f.customer, t.id, t.kind, t.state, t.package_id as "packageId", t.version_id as "versionId",
     t.price_id as "priceId", left(coalesce(nullif(t.snapshot ->> 'package', ''), p.name, 'Sale'), 200) as "packageName",
     t.subscription_id as "subscriptionId", t.parent_id as "parentId", t.currency, t.subtotal::float8 as subtotal,
     t.discount::float8 as discount, t.tax::float8 as tax, t.total::float8 as total, t.provider,
     t.period_start as "periodStart", t.period_end as "periodEnd", t.occurred_at as "occurredAt",
     t.settled_at as "settledAt", t.created_at as "createdAt",
     coalesce((t.snapshot ->> 'trialDays')::int, 0) as "trialDays", nullif(t.snapshot -> 'credit', 'null') as credit,
     s.anchor, s.period_end as "subscriptionEnd", not exists (
       select from transactions later where later.subscription_id = t.subscription_id
         and later.period_start > t.period_start and later.settled_at is not null) as "isLastPeriod"
   from family f join transactions t on t.user_id = f.id
   left join packages p on p.id = t.package_id left join subscriptions s on s.id = t.subscription_id
   where not t.is_split order by t.id`,
).narrow<
  Omit<OldTransaction, "periodStart" | "periodEnd" | "settledAt" | "anchor"> & { customer: string }
>();

export type OldRow = RowOf<typeof oldSql>;

/** The transactions of customers that aren't split. The customers must be locked. */
export const findOldTransactions = (db: Db, customers: readonly string[]) =>
  run(db, oldSql, [customers]);

const linesSql = statement(
  "split.lines",
  `select l.id, l.transaction_id as "transactionId", l.subscription_id as "subscriptionId", l.net::float8 as net,
     l.tax::float8 as tax, l.period_start as "periodStart", l.period_end as "periodEnd",
     l.tax_treatment as "taxTreatment", l.tax_basis_points as "taxBasisPoints", l.tax_country as "taxCountry",
     l.tax_region as "taxRegion",
     (select coalesce(jsonb_agg(jsonb_build_object('net', c.net, 'tax', c.tax, 'from', lower(c.unused),
        'until', upper(c.unused)) order by c.id), '[]')
      from line_credits c where c.line_id = l.id and c.state <> 'released') as credits,
     coalesce((select sum(extract(epoch from resumed_at - paused_at)) from subscription_pauses p
       where p.subscription_id = l.subscription_id and p.paused_at >= least(t.settled_at, l.period_start)
         and p.paused_at < l.period_end), 0)::float8 as "pausedSeconds"
   from transaction_lines l join transactions t on t.id = l.transaction_id where l.transaction_id = any ($1::uuid[]) or l.subscription_id = any ($2::uuid[])
   order by l.id`,
).narrow<{
  net: number;
  tax: number;
  pausedSeconds: number;
  credits: { net: number; tax: number; from: string | null; until: string | null }[];
}>();

/** Lines of transactions and subscriptions that were split before. */
export const findKnownLines = async (
  db: Db,
  transactionIds: readonly string[],
  subscriptionIds: readonly string[],
): Promise<KnownLine[]> =>
  (await run(db, linesSql, [transactionIds, subscriptionIds])).map(
    ({ id, transactionId, subscriptionId, net, tax, periodStart, periodEnd, ...line }) => ({
      id,
      transactionId,
      subscriptionId,
      net,
      tax,
      taxAccount: taxAccountOf(line),
      period: periodStart && periodEnd ? { start: periodStart, end: periodEnd } : null,
      pausedMs: line.pausedSeconds * 1000,
      credits: line.credits.map(({ from, until, ...amount }) => ({
        ...amount,
        unused: from && until ? { start: new Date(from), end: new Date(until) } : null,
      })),
    }),
  );

const openChangesSql = statement(
  "split.openChanges",
  `select changes_id as id from transactions
   where changes_id = any ($1::uuid[]) and state in ('pending', 'unknown')`,
).present<"id">();

export const findOpenChanges = async (db: Db, subscriptionIds: readonly string[]) =>
  (await run(db, openChangesSql, [subscriptionIds])).map(({ id }) => id);

type ForCustomer<Row> = Row & { userId: string };

export type Rows = Pick<Split, "lines" | "credits" | "marks"> & {
  balanceEntries: ForCustomer<Split["balanceEntries"][number]>[];
  entries: ForCustomer<Split["entries"][number]>[];
};

const insertLinesSql = `
  insert into transaction_lines (id, transaction_id, position, package_id, version_id, price_id, subscription_id, name,
    unit_amount, period_start, period_end, subtotal, discount, net, tax, gross, tax_treatment, created_at)
  select id, "transactionId", 0, "packageId", "versionId", "priceId", "subscriptionId", name, subtotal, "periodStart",
    "periodEnd", subtotal, discount, net, tax, gross, "taxTreatment", "createdAt"
  from jsonb_to_recordset($1::jsonb) as line (id uuid, "transactionId" uuid, "packageId" uuid, "versionId" uuid,
    "priceId" uuid, "subscriptionId" uuid, name text, "periodStart" timestamptz, "periodEnd" timestamptz,
    subtotal bigint, discount bigint, net bigint, tax bigint, gross bigint, "taxTreatment" text,
    "createdAt" timestamptz)`;

const insertCreditsSql = `
  insert into line_credits (id, line_id, transaction_id, reason, unused, net, tax, gross, state, created_at)
  select id, "lineId", "transactionId", reason, case when unused <> 'null' then
      tstzrange((unused ->> 'start')::timestamptz, (unused ->> 'end')::timestamptz) end,
    net, tax, gross, state, at
  from jsonb_to_recordset($1::jsonb) as credit (id uuid, "lineId" uuid, "transactionId" uuid, reason text,
    unused jsonb, net bigint, tax bigint, gross bigint, state text, at timestamptz)`;

// In their order, because the balance must not fall below 0 in between.
const insertBalanceSql = `
  insert into balance_entries (id, user_id, currency, amount, kind, transaction_id, reason, created_at)
  select (entry ->> 'id')::uuid, (entry ->> 'userId')::uuid, entry ->> 'currency', (entry ->> 'amount')::bigint,
    entry ->> 'kind', (entry ->> 'transactionId')::uuid, entry ->> 'reason', (entry ->> 'at')::timestamptz
  from jsonb_array_elements($1::jsonb) with ordinality as given (entry, place) order by place`;

const insertEntriesSql = `
  insert into journal_entries (id, kind, source_id, at, currency, user_id, transaction_id)
  select id, kind, "sourceId", at, currency, "userId", "transactionId"
  from jsonb_to_recordset($1::jsonb) as entry (id uuid, kind text, "sourceId" uuid, at timestamptz, currency text,
    "userId" uuid, "transactionId" uuid)`;

const insertPostingsSql = `
  insert into postings (entry_id, position, account, amount)
  select "entryId", position, account, amount
  from jsonb_to_recordset($1::jsonb) as posting ("entryId" uuid, position smallint, account text, amount bigint)`;

// A pause of an earlier version is known only by the end of the period, which it moved.
const insertPausesSql = `
  insert into subscription_pauses (subscription_id, paused_at, resumed_at)
  select s.id, coalesce(s.paused_at, line.period_start),
    case when s.paused_at is null then line.period_start + (s.period_end - line.period_end) end
  from subscriptions s cross join lateral (
    select l.period_start, l.period_end from transaction_lines l where l.subscription_id = s.id
    order by l.period_end desc limit 1
  ) line
  where s.id = any ($1::uuid[]) and s.status <> 'ended'
    and (s.paused_at is not null or s.period_end > line.period_end)
    and not exists (select from subscription_pauses p where p.subscription_id = s.id
      and coalesce(p.resumed_at, 'infinity') >= line.period_start)`;

/** Stores what transactions were split into. */
export const insertSplit = async (db: Db, rows: Rows) => {
  const { lines, credits, balanceEntries, entries, marks } = rows;
  const insert = (text: string, given: readonly object[]) =>
    given.length > 0 ? run(db, text, [JSON.stringify(given)]) : undefined;
  await insert(insertLinesSql, lines);
  await insert(insertCreditsSql, credits);
  await insert(insertBalanceSql, balanceEntries);
  await insert(
    insertEntriesSql,
    entries.map(({ postings: _, ...entry }) => entry),
  );
  await insert(
    insertPostingsSql,
    entries.flatMap(({ id: entryId, postings }) =>
      postings.map((posting, position) => ({ entryId, position, ...posting })),
    ),
  );
  await run(db, "select mark_split($1::jsonb)", [JSON.stringify(marks.map(snakeCased))]);
  await run(db, "select link_grants($1::uuid[])", [
    lines.map(({ transactionId }) => transactionId),
  ]);
  const subscriptionIds = lines.flatMap(({ subscriptionId }) => subscriptionId ?? []);
  await run(db, insertPausesSql, [subscriptionIds]);
};

const snakeCased = ({ id, credit, settledBy, changesId }: Split["marks"][number]) => ({
  id,
  credit,
  settled_by: settledBy,
  changes_id: changesId,
});
