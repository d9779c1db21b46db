import {
  type ImportedSale,
  insertImportedSales,
} from "#modules/transactions/importedSaleQueries.ts";
import {
  lockImportedSales,
  undoImportedSales,
} from "#modules/transactions/undoImportedSaleQueries.ts";
import { type Db, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import { customerFault, customerJoins, markImported, packageJoin } from "../historyQueries.ts";
import { checkedRows, type Judged, sentRows } from "../judgeQueries.ts";
import type { Span } from "../queries.ts";

const period = (row: string) =>
  `tstzrange((${row}.fields ->> 'period_start')::timestamptz, (${row}.fields ->> 'period_end')::timestamptz)`;

/** Another payment for the same time of the subscription, stored or in an earlier row. */
const isPaid = `
  exists (select from transaction_lines l join transactions t on t.id = l.transaction_id where l.subscription_id = s.id
      and t.reference is distinct from 'undone ' || t.id and tstzrange(l.period_start, l.period_end) && ${period("r")})
    or exists (select from rows o where o.fields ->> 'subscription' = r.fields ->> 'subscription' and o.row < r.row
      and ${period("o")} && ${period("r")})`;

/**
 * A payment of an earlier row of the file for the same time. They don't overlap each other, so only the last one that
 * begins before the end of this period can.
 */
const isStaged = `
  exists (select from (
      select o.fields ->> 'period_end' as ends from import_results o
      where o.import_id = r.import_id and o.fields ->> 'place' = s.id::text
        and o.fields ->> 'period_start' < r.fields ->> 'period_end'
      order by o.fields ->> 'period_start' desc limit 1) latest
    where latest.ends > r.fields ->> 'period_start')`;

const judged = (source: string, isEarlier = "false") => `
  with rows as materialized (select * from ${source} given)
  select r.row, known.id as "recordId", coalesce(u.email, r.email) as email,
    jsonb_strip_nulls(jsonb_build_object('userId', u.id, 'packageId', coalesce(s.package_id, packaged.id),
      'versionId', coalesce(s.version_id, version.id), 'priceId', s.price_id, 'subscriptionId', s.id, 'place', s.id,
      'name', p.name, 'kind', case when (r.fields ->> 'period_start')::timestamptz > s.created_at
        -- A period is renewed once, also if that import was undone.
        and not exists (select from transactions o where o.subscription_id = s.id and o.kind = 'renewal'
          and o.period_start = (r.fields ->> 'period_start')::timestamptz) then 'renewal' end))
      as links,
    case
      when known.total = (r.fields ->> 'amount')::bigint and known.currency = r.fields ->> 'currency'
        and (u.id is null or current_customer(known.user_id) = current_customer(u.id)) then 'unchanged'
      when known.id is not null then 'taken'
      else coalesce(${customerFault}, case
        when r.fields ->> 'package' is null then null
        when packaged.count = 0 then 'package unknown'
        when packaged.count > 1 then 'package ambiguous'
        when version.id is null then 'package unpublished'
      end, case
        when r.fields ->> 'subscription' is null then null
        when s.id is null then 'subscription unknown'
        when s.user_id <> u.id then 'subscription of another'
        when price.currency <> r.fields ->> 'currency' then 'subscription currency'
        when ${isPaid} or ${isEarlier} then 'period paid'
      end, 'new')
    end as verdict
  from rows r
  ${customerJoins}
  ${packageJoin}
  left join lateral (
    select v.id from package_versions v where v.package_id = packaged.id and v.published_at is not null
    order by v.number desc limit 1
  ) version on true
  left join imported_records marked on marked.key = r.fields ->> 'subscription'
  left join subscriptions s on s.id = marked.record_id
  left join version_prices price on price.id = s.price_id
  left join packages p on p.id = coalesce(s.package_id, packaged.id)
  left join lateral (
    select t.id, t.total, t.currency, t.user_id from transactions t
    where t.reference = r.fields ->> 'reference' and t.provider = r.fields ->> 'provider' and t.state <> 'voided'
    union all
    select t.id, t.total, t.currency, t.user_id from transaction_references n join transactions t on t.id = n.transaction_id
    where n.reference = r.fields ->> 'reference' and n.provider = r.fields ->> 'provider'
    limit 1
  ) known on true`;

// About ten lookups for each of the rows of a batch.
const pagesMax = 40_000;

const judgeSql = statement("imports.judgeTransactions", judged(sentRows, isStaged))
  .bounded(pagesMax)
  .narrow<Judged>();

const judgeAgainSql = statement("imports.judgeTransactionsAgain", judged(checkedRows))
  .bounded(pagesMax)
  .narrow<Judged>();

export const judgeTransactions = { sent: judgeSql, again: judgeAgainSql };

type Fields = {
  reference: string;
  provider: string;
  created_at: string;
  currency: string;
  amount: number;
  tax: number;
  tax_treatment: ImportedSale["taxTreatment"];
  tax_basis_points: number | null;
  refunded: number;
  refunded_tax: number;
  refunded_at: string;
  name: string | null;
  period_start: string | null;
  period_end: string | null;
};

const newRowsSql = statement(
  "imports.newTransactions",
  `select r.row, r.record_id as id, r.fields, coalesce(i.acted_by, i.created_by) as by,
     case when (r.fields ->> 'refunded')::bigint > 0 then uuid_v7((r.fields ->> 'refunded_at')::timestamptz
       -- Listed after its sale, even at the same time.
       + interval '1 millisecond') end as "refundId"
   from imports i join import_results r on r.import_id = i.id
   where i.id = $1 and r.row > $2 and r.row <= $3 and r.outcome = 'new' order by r.row`,
)
  .present<"id" | "fields">()
  .narrow<{ fields: Fields; by: string; refundId: string | null }>();

type NewRow = NonNullable<typeof newRowsSql.row>;

const saleOf = ({ id, refundId, fields }: NewRow, links: Record<string, string>): ImportedSale => ({
  id,
  refundId,
  userId: links["userId"] ?? "",
  kind: links["kind"] === "renewal" ? "renewal" : "purchase",
  reference: fields.reference,
  provider: fields.provider,
  at: fields.created_at,
  currency: fields.currency,
  amount: fields.amount,
  tax: fields.tax,
  taxTreatment: fields.tax_treatment,
  taxBasisPoints: fields.tax_basis_points,
  refunded: fields.refunded,
  refundedTax: fields.refunded_tax,
  refundedAt: fields.refunded_at,
  name: fields.name ?? links["name"] ?? fields.reference,
  packageId: links["packageId"] ?? null,
  versionId: links["versionId"] ?? null,
  priceId: links["priceId"] ?? null,
  subscriptionId: links["subscriptionId"] ?? null,
  periodStart: fields.period_start,
  periodEnd: fields.period_end,
});

export const writeTransactions = async (
  db: Db,
  { id, after, to }: Span,
  { judged: rows }: { judged: readonly Judged[] },
) => {
  const linksOf = new Map(rows.map(({ row, links }) => [row, links ?? {}]));
  const added = await run(db, newRowsSql, [id, after, to]);
  const marks = added.flatMap((one) => [one.id, ...(one.refundId ? [one.refundId] : [])]);
  await markImported(
    db,
    id,
    marks.map((record) => ({ id: record, key: null })),
  );
  const [{ by } = { by: "" }] = added;
  await insertImportedSales(
    db,
    added.map((one) => saleOf(one, linksOf.get(one.row) ?? {})),
    by,
  );
};

const createdSql = statement(
  "imports.createdTransactions",
  `select r.record_id as id, coalesce(i.acted_by, i.created_by) as by from imports i join import_results r on r.import_id = i.id
   where i.id = $1 and r.row > $2 and r.row <= $3 and r.outcome = 'new' and r.record_id is not null order by r.row`,
)
  .present<"id">()
  .narrow<{ by: string }>();

/** Refunds the payments of a batch that no one has used since. Returns how many. */
export const undoTransactions = async (db: Db, { id, after, to }: Span) => {
  const created = await run(db, createdSql, [id, after, to]);
  const [{ by } = { by: "" }] = created;
  const sales = await lockImportedSales(
    db,
    created.map((one) => one.id),
  );
  const refunds = sales.flatMap(({ refundId }) => (refundId ? [{ id: refundId, key: null }] : []));
  await markImported(db, id, refunds);
  await undoImportedSales(db, sales, by);
  return sales.length;
};
