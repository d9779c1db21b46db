import type { Credit, CreditableLine, Pause } from "#modules/billing/credits.ts";
import { taxAccountOf } from "#modules/ledger/journal.ts";
import type { TaxFacts } from "#modules/taxes/tax.ts";
import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import type { Period } from "#platform/periods.ts";

/** What is charged for one package. */
export type NewLine = TaxFacts & {
  packageId: string;
  versionId: string;
  priceId: string;
  name: string;
  quantity: number;
  unitAmount: number;
  subtotal: number;
  discount: number;
  net: number;
  tax: number;
  gross: number;
};

/** The columns of new lines as JSON. */
export const lineRecord = `position smallint, "packageId" uuid, "versionId" uuid, "priceId" uuid, name text,
  quantity integer, "unitAmount" bigint, subtotal bigint, discount bigint, net bigint, tax bigint, gross bigint,
  "taxTreatment" text, "taxBasisPoints" integer, "taxName" text, "taxCountry" text, "taxRegion" text,
  "taxCategory" text, "vatNumber" text, "taxReason" text, "periodStart" timestamptz, "periodEnd" timestamptz`;

/** Inserts lines from a query of such rows with their "id", "transactionId" and "subscriptionId". */
export const insertLinesFrom = (rows: string) => `
  insert into transaction_lines (id, transaction_id, position, package_id, version_id, price_id, subscription_id,
    name, quantity, unit_amount, period_start, period_end, subtotal, discount, net, tax, gross, tax_treatment,
    tax_basis_points, tax_name, tax_country, tax_region, tax_category, vat_number, tax_reason)
  select l.id, l."transactionId", l.position, l."packageId", l."versionId", l."priceId", l."subscriptionId", l.name,
    l.quantity, l."unitAmount", l."periodStart", l."periodEnd", l.subtotal, l.discount, l.net, l.tax, l.gross,
    l."taxTreatment", l."taxBasisPoints", l."taxName", l."taxCountry", l."taxRegion", l."taxCategory", l."vatNumber",
    l."taxReason"
  from (${rows}) l`;

/** Inserts the lines of many transactions. */
export const insertLinesOf = async (
  db: Db,
  lines: readonly (NewLine & { transactionId: string; position: number })[],
) => {
  await run(
    db,
    insertLinesFrom(`
      select uuid_v7() as id, null::uuid as "subscriptionId", added.* from jsonb_to_recordset($1::jsonb)
        as added ("transactionId" uuid, ${lineRecord})`),
    [JSON.stringify(lines)],
  );
};

/** Links a line to the subscription and time that it pays for. Both are fixed from then on. */
export const setLinePeriod = async (
  db: Db,
  lineId: string,
  { subscriptionId, period }: { subscriptionId: string | null; period: Period | null },
) => {
  await run(
    db,
    "update transaction_lines set subscription_id = $2, period_start = $3, period_end = $4 where id = $1",
    [lineId, subscriptionId, period?.start, period?.end],
  );
};

const columns = `
  l.id, l.transaction_id as "transactionId", t.number, l.name, l.quantity, l.unit_amount::float8 as "unitAmount",
  l.package_id as "packageId", l.subscription_id as "subscriptionId",
  l.period_start as "periodStart", l.period_end as "periodEnd", l.subtotal::float8 as subtotal,
  l.discount::float8 as discount, l.net::float8 as net, l.tax::float8 as tax, l.gross::float8 as gross,
  l.tax_treatment as "taxTreatment", l.tax_basis_points as "taxBasisPoints", l.tax_name as "taxName",
  l.tax_country as "taxCountry", l.tax_region as "taxRegion", l.tax_category as "taxCategory",
  l.tax_reason as "taxReason", l.vat_number as "vatNumber", l.credited::float8 as credited,
  (select coalesce(jsonb_agg(jsonb_build_object('net', c.net, 'tax', c.tax, 'from', lower(c.unused),
     'until', upper(c.unused)) order by c.id), '[]')
   from line_credits c where c.line_id = l.id and c.state <> 'released') as credits,
  (select coalesce(jsonb_agg(jsonb_build_object('pausedAt', p.paused_at, 'resumedAt', p.resumed_at)), '[]')
   from subscription_pauses p where p.subscription_id = l.subscription_id
     and p.paused_at >= least(t.settled_at, l.period_start)) as pauses`;

type Stored = {
  unitAmount: number;
  subtotal: number;
  discount: number;
  net: number;
  tax: number;
  gross: number;
  credited: number;
  credits: { net: number; tax: number; from: string | null; until: string | null }[];
  pauses: { pausedAt: string; resumedAt: string | null }[];
};

const lines = statement(
  "transactions.lines",
  `select ${columns} from transaction_lines l join transactions t on t.id = l.transaction_id`,
).narrow<Stored>();
const ofTransaction = lines.with("where l.transaction_id = $1 order by l.position");
const lockedOfTransaction = ofTransaction.with("for update of l");
const unusedOfSubscription = lines.with(
  `where l.subscription_id = $1 and t.state = 'succeeded' order by l.period_start, l.id for update of l`,
);

const read = ({
  credits,
  pauses,
  periodStart,
  periodEnd,
  ...line
}: NonNullable<typeof lines.row>) => ({
  ...line,
  taxAccount: taxAccountOf(line),
  period: periodStart && periodEnd ? { start: periodStart, end: periodEnd } : null,
  credits: credits.map(({ net, tax, from, until }) => ({
    net,
    tax,
    unused: from && until ? { start: new Date(from), end: new Date(until) } : null,
  })) satisfies CreditableLine["credits"],
  pauses: pauses.map(({ pausedAt, resumedAt }) => ({
    pausedAt: new Date(pausedAt),
    resumedAt: resumedAt === null ? null : new Date(resumedAt),
  })) satisfies Pause[],
});
export type StoredLine = ReturnType<typeof read>;

export const findLines = async (db: Db, transactionId: string) =>
  (await run(db, ofTransaction, [transactionId])).map(read);

/** Refunds and changes that credit the same lines wait until this one is recorded. */
export const lockLines = async (db: Db, transactionId: string) =>
  (await run(db, lockedOfTransaction, [transactionId])).map(read);

/** The paid lines of a subscription. Payments that are disputed aren't credited. */
export const lockPaidLines = async (db: Db, subscriptionId: string) =>
  (await run(db, unusedOfSubscription, [subscriptionId])).map(read);

const findDisputedTimeSql = statement(
  "transactions.findDisputedTime",
  `select t.number from transaction_lines l join transactions t on t.id = l.transaction_id
   where l.subscription_id = $1 and t.state = 'disputed' and l.credited < l.gross
     and l.period_end + (select coalesce(sum(coalesce(p.resumed_at, $2) - p.paused_at), '0')
       from subscription_pauses p where p.subscription_id = l.subscription_id) > $2
     and not exists (select from line_credits c where c.line_id = l.id and c.state <> 'released'
       and upper(c.unused) >= l.period_end)
   order by t.id limit 1`,
);

/** A disputed payment for unused time that isn't credited yet. It can't pay for a change until the dispute is decided. */
export const findDisputedTime = (db: Db, subscriptionId: string, at: Date) =>
  first(db, findDisputedTimeSql, [subscriptionId, at]);

export type CreditReason = "change" | "refund" | "chargeback" | "write-off" | "undelivered";
export type LineCredit = Credit & { lineId: string };

export const insertCredits = async (
  db: Db,
  credits: readonly LineCredit[],
  {
    transactionId,
    reason,
    state,
  }: { transactionId: string | null; reason: CreditReason; state: "held" | "applied" },
) => {
  for (const { lineId, unused, net, tax, gross } of credits)
    await run(
      db,
      `insert into line_credits (line_id, transaction_id, reason, unused, net, tax, gross, state)
       values ($1, $2, $3, case when $4::timestamptz is not null then tstzrange($4, $5) end, $6, $7, $8, $9)`,
      [lineId, transactionId, reason, unused?.start, unused?.end, net, tax, gross, state],
    );
};

const moveCreditsSql = statement(
  "transactions.moveCredits",
  `with moved as (
     update line_credits set state = $3 where transaction_id = $1 and state = $2 returning line_id, unused, net, tax, gross
   )
   select m.line_id as "lineId", lower(m.unused) as "from", upper(m.unused) as until, m.net::float8 as net,
     m.tax::float8 as tax, m.gross::float8 as gross, l.tax_treatment as "taxTreatment",
     l.tax_basis_points as "taxBasisPoints", l.tax_country as "taxCountry", l.tax_region as "taxRegion"
   from moved m join transaction_lines l on l.id = m.line_id`,
).narrow<{ net: number; tax: number; gross: number }>();

/** Applies or releases what a change holds, and returns it. */
export const moveHeldCredits = async (db: Db, transactionId: string, to: "applied" | "released") =>
  (await run(db, moveCreditsSql, [transactionId, "held", to])).map((credit) => ({
    ...credit,
    taxAccount: taxAccountOf(credit),
  }));

const findReleasedSql = statement(
  "transactions.findReleased",
  `select c.line_id as "lineId", lower(c.unused) as "from", upper(c.unused) as until, c.net::float8 as net,
     c.tax::float8 as tax, c.gross::float8 as gross
   from line_credits c where c.transaction_id = $1 and c.state = 'released'
     and c.created_at = (select max(created_at) from line_credits where transaction_id = $1)`,
).narrow<{ net: number; tax: number; gross: number }>();

/** What a change held before its payment seemed to fail. */
export const findReleasedCredits = async (db: Db, transactionId: string): Promise<LineCredit[]> =>
  (await run(db, findReleasedSql, [transactionId])).map(({ from, until, ...credit }) => ({
    ...credit,
    unused: from && until ? { start: from, end: until } : null,
  }));

const areReleasedFreeSql = statement(
  "transactions.areReleasedFree",
  `select not exists (
     select from line_credits r join transaction_lines l on l.id = r.line_id
     where r.transaction_id = $1 and r.state = 'released' and (l.gross - l.credited < r.gross or exists (
       select from line_credits o where o.line_id = r.line_id and o.state <> 'released' and o.unused && r.unused))
   ) as "isFree"`,
).narrow<{ isFree: boolean }>();

/** Whether nothing else was credited of what a change had held. Locks its lines. */
export const areReleasedFree = async (db: Db, transactionId: string) => {
  await run(
    db,
    `select from transaction_lines where id in (
       select line_id from line_credits where transaction_id = $1 and state = 'released') order by id for update`,
    [transactionId],
  );
  return (await first(db, areReleasedFreeSql, [transactionId]))?.isFree ?? true;
};

const findTakenSql = statement(
  "transactions.findTaken",
  `select (-coalesce(sum(amount), 0))::float8 as amount from balance_entries
   where transaction_id = $1 and kind in ('payment', 'payment returned')`,
).narrow<{ amount: number }>();

/** What a sale has taken from the balance. */
export const findTaken = async (db: Db, id: string) =>
  (await first(db, findTakenSql, [id]))?.amount ?? 0;
