import { type Db, run } from "#platform/db/db.ts";
import { insertLinesFrom } from "./lines/lineQueries.ts";

/** A payment of another system, with what was refunded of it there. */
export type ImportedSale = {
  id: string;
  /** The refund, if a part was refunded. */
  refundId: string | null;
  userId: string;
  kind: "purchase" | "renewal";
  reference: string;
  provider: string;
  at: string;
  currency: string;
  /** With the tax. */
  amount: number;
  tax: number;
  taxTreatment: "provider" | "none";
  taxBasisPoints: number | null;
  refunded: number;
  refundedTax: number;
  refundedAt: string;
  name: string;
  packageId: string | null;
  versionId: string | null;
  priceId: string | null;
  subscriptionId: string | null;
  periodStart: string | null;
  periodEnd: string | null;
};

const sales = `
  select sold.*, uuid_v7(sold.at) as line_id, uuid_v7(sold.at) as entry_id, uuid_v7(sold."refundedAt") as refund_entry_id,
    'tax:' || sold."taxTreatment" as tax_account
  from jsonb_to_recordset($1::jsonb) as sold (
    id uuid, "refundId" uuid, "userId" uuid, kind text, reference text, provider text, at timestamptz, currency text,
    amount bigint, tax bigint, "taxTreatment" text, "taxBasisPoints" integer, refunded bigint, "refundedTax" bigint,
    "refundedAt" timestamptz, name text, "packageId" uuid, "versionId" uuid, "priceId" uuid, "subscriptionId" uuid,
    "periodStart" timestamptz, "periodEnd" timestamptz)`;

const inserted = `
  insert into transactions (id, kind, state, user_id, package_id, version_id, price_id, subscription_id, parent_id,
    currency, subtotal, tax, total, refunded, tax_included, provider, reference, settled_by, period_start, period_end,
    access, occurred_at, settled_at, reason, created_by, is_split)
  select id, kind, 'succeeded', "userId", "packageId", "versionId", "priceId", "subscriptionId", null, currency, amount,
    tax, amount, refunded, true, provider, reference, provider, "periodStart", "periodEnd", null, at, at, null, $2::uuid, true
  from sale
  union all
  select "refundId", 'refund', 'succeeded', "userId", null, null, null, null, id, currency, refunded - "refundedTax",
    "refundedTax", refunded, 0, false, provider, null, provider, null, null, 'keep', "refundedAt", "refundedAt", 'Imported',
    $2::uuid, true
  from sale where refunded > 0`;

const lined = insertLinesFrom(`
  select line_id as id, id as "transactionId", 0::smallint as position, "packageId", "versionId", "priceId",
    "subscriptionId", name, 1 as quantity, amount as "unitAmount", "periodStart", "periodEnd", amount as subtotal,
    0::bigint as discount, amount - tax as net, tax, amount as gross, "taxTreatment", "taxBasisPoints",
    null as "taxName", null as "taxCountry", null as "taxRegion", null as "taxCategory", null as "vatNumber",
    null as "taxReason"
  from sale`);

const credited = `
  insert into line_credits (line_id, transaction_id, reason, net, tax, gross, state)
  select line_id, "refundId", 'refund', refunded - "refundedTax", "refundedTax", refunded, 'applied'
  from sale where refunded > 0`;

const happened = `
  insert into transaction_events (transaction_id, type, at, source)
  select e.id, type, e.at, 'system' from (
    select id, at from sale union all select "refundId", "refundedAt" from sale where refunded > 0
  ) e cross join unnest(array['created', 'submitted', 'succeeded']) type`;

// As saleEntry and refundEntry of the ledger, for many.
const entered = `
  insert into journal_entries (id, kind, source_id, at, currency, user_id, transaction_id)
  select entry_id, 'sale', id, at, currency, "userId", id from sale
  union all
  select refund_entry_id, 'refund', "refundId", "refundedAt", currency, "userId", "refundId" from sale where refunded > 0`;

const posted = `
  insert into postings (entry_id, position, account, amount)
  select entry_id, position, account, posted from sale cross join lateral (values
    (0, 'cash:' || provider, amount), (1, 'revenue', tax - amount), (2, tax_account, -tax)
  ) paid (position, account, posted) where posted <> 0
  union all
  select refund_entry_id, position, account, posted from sale cross join lateral (values
    (0, 'revenue', refunded - "refundedTax"), (1, tax_account, "refundedTax"), (2, 'cash:' || provider, -refunded)
  ) returned (position, account, posted) where refunded > 0 and posted <> 0`;

const insertText = `
  with sale as materialized (${sales}), inserted as (${inserted}), lined as (${lined}), credited as (${credited}),
    happened as (${happened}), entered as (${entered})
  ${posted}`;

/**
 * Records payments of another system at their own dates, with lines and postings. Nothing else follows from them: no
 * access, redemption or document. Their customers must be locked, and their IDs marked as imported, so that they
 * cause no webhook.
 */
export const insertImportedSales = async (
  db: Db,
  imported: readonly ImportedSale[],
  by: string,
) => {
  if (imported.length > 0) await run(db, insertText, [JSON.stringify(imported), by]);
};
