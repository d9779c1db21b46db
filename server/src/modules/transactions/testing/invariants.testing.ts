import { ledgerRules } from "../../ledger/verifyQueries.ts";
import { stateOf, type TransactionEvent } from "../events/states.ts";

export type Query = <Row extends object>(text: string, values?: unknown[]) => Promise<Row[]>;

const isImported = (id: string) =>
  `exists (select from imported_records m where m.record_id = ${id})`;

/** Each query returns the rows that violate the invariant. */
const statements: Record<string, string> = {
  // A chargeback also takes back what was refunded to the balance before.
  "I2 the refunded amount is the sum of the refunds and at most the total": `
    select t.id, t.total, t.refunded, r.total as refunds from transactions t left join (
      select parent_id, sum(total) as total, bool_or(kind = 'chargeback') as is_charged_back from transactions
      where kind in ('refund', 'chargeback') and state in ('pending', 'succeeded') group by 1
    ) r on r.parent_id = t.id
    where t.refunded <> case when r.is_charged_back then least(t.total, r.total) else coalesce(r.total, 0) end
      or t.refunded not between 0 and t.total
      or (t.refunded > 0 and t.state not in ('succeeded', 'disputed', 'charged back'))`,
  "I2 refunds have the currency of the sale and at most its tax": `
    select t.id, t.tax, r.tax as refunded from transactions t join (
      select parent_id, sum(tax) as tax, min(currency) as least, max(currency) as most from transactions
      where kind in ('refund', 'chargeback') and state in ('pending', 'succeeded') group by 1
    ) r on r.parent_id = t.id
    where r.tax > t.tax or r.least <> t.currency or r.most <> t.currency
      -- A change takes back tax, too, and a chargeback returns money whose tax was taken back before.
      or (t.refunded = t.total and r.tax <> t.tax and not exists (
        select from transaction_lines l join line_credits c on c.line_id = l.id
        where l.transaction_id = t.id and c.reason = 'change' and c.state <> 'released'))`,
  "I2 a refund is the sum of what it takes back of lines": `
    select t.id, t.total, c.gross from transactions t left join (
      select transaction_id, sum(gross) as gross, sum(tax) as tax from line_credits
      where state = 'applied' and reason in ('refund', 'chargeback', 'write-off') group by 1
    ) c on c.transaction_id = t.id
    where t.settled_at is not null and (t.kind = 'refund' and t.total <> coalesce(c.gross, 0)
      or t.kind = 'chargeback' and t.total < coalesce(c.gross, 0)
      or t.kind in ('refund', 'chargeback') and t.tax <> coalesce(c.tax, 0))`,
  "I4 a promotion's redemptions are counted and within its limit": `
    select p.id, p.uses, p.max_uses, r.count from promotions p left join (
      select promotion_id, count(*) from redemptions where returned_at is null group by 1
    ) r on r.promotion_id = p.id
    where p.uses <> coalesce(r.count, 0) or p.uses > p.max_uses`,
  "I4 a code's redemptions are counted and within its limit": `
    select c.id, c.uses, c.max_uses, r.count from promotion_codes c left join (
      select code_id, count(*) from redemptions where returned_at is null group by 1
    ) r on r.code_id = c.id
    where c.uses <> coalesce(r.count, 0) or c.uses > c.max_uses`,
  "I4 a promotion's discounts are counted and within its budget": `
    select a.promotion_id, a.currency, a.given, a.budget, r.sum from promotion_amounts a left join (
      select promotion_id, currency, sum(amount) from redemptions where returned_at is null group by 1, 2
    ) r using (promotion_id, currency)
    where a.given <> coalesce(r.sum, 0) or a.given > a.budget`,
  "I4 the limit per customer is respected": `
    select r.promotion_id, r.user_id, count(*) from redemptions r join promotions p on p.id = r.promotion_id
    where r.returned_at is null group by 1, 2 having count(*) > min(p.max_uses_per_user)`,
  "I4 an unpaid sale has no redemptions": `
    select r.id, t.state from redemptions r join transactions t on t.id = r.transaction_id
    where r.returned_at is null and t.state in ('draft', 'failed', 'canceled', 'voided')`,
  "I5 a total is subtotal − discount + tax, and no part is below 0": `
    select id from transactions
    where total <> subtotal - discount + case when tax_included then 0 else tax end or least(subtotal, discount, tax, total) < 0 or discount > subtotal`,
  "I5 a purchase's discount is the sum of its promotions": `
    select t.id, t.discount, r.sum from transactions t left join (
      -- A payment that succeeded late has two redemptions: a restored one and a new one.
      select transaction_id, sum(amount) from (
        select distinct transaction_id, promotion_id, amount from redemptions
      ) once group by 1
    ) r on r.transaction_id = t.id
    where t.kind = 'purchase' and t.state not in ('draft', 'voided') and t.discount <> coalesce(r.sum, 0)`,
  "I5 the tax of a line is its rate of the price, rounded half up": `
    select l.id, l.tax, expected.tax as expected from transaction_lines l join transactions t on t.id = l.transaction_id
    cross join lateral (select 10000 + case when t.tax_included then l.tax_basis_points else 0 end as whole) of
    cross join lateral (
      select div(2::numeric * (l.subtotal - l.discount) * l.tax_basis_points + of.whole, 2 * of.whole) as tax
    ) expected
    where l.tax_treatment = 'rate' and l.tax <> expected.tax
      or l.tax_treatment in ('none', 'reverse charge', 'exempt') and l.tax <> 0`,
  "I9 a paid sale has a grant": `
    select t.id from transactions t
    where t.package_id is not null and t.state in ('succeeded', 'disputed', 'charged back')
      and not ${isImported("t.id")} and not exists (
      select from grants g where g.source = 'transaction' and g.source_id = t.id::text) and not exists (
      select from transaction_lines l join line_credits c on c.line_id = l.id
      where l.transaction_id = t.id and c.reason = 'undelivered')`,
  "I9 an unpaid sale has no grant": `
    select g.id, t.state from grants g join transactions t on t.id::text = g.source_id
    where g.source = 'transaction' and t.state not in ('succeeded', 'disputed', 'charged back')`,
  "I9 a sale refunded with its access has no active grant": `
    select g.id, t.id as transaction_id from grants g join transactions t on t.id::text = g.source_id
    where g.source = 'transaction' and g.ends_at > greatest(now(), g.starts_at) and (t.state = 'charged back' or exists (
      select from transactions r where r.parent_id = t.id and r.access = 'end now'))`,
  "I9 a running subscription has an active grant": `
    select s.id, s.status from subscriptions s
    where s.status in ('trialing', 'active', 'ending') and s.period_end > now() and s.created_at < now()
      and not exists (select from grants g
        where g.subscription_id = s.id and g.starts_at <= now() and g.ends_at > now())`,
  "I9 paid grants never overlap": `
    select * from (
      select id, starts_at, max(ends_at) over (partition by user_id, package_id order by starts_at, ends_at
        rows between unbounded preceding and 1 preceding) as before
      from grants where subscription_id is not null and starts_at < ends_at
    ) g where before > starts_at`,
  "I12 a period of a subscription is renewed once": `
    select subscription_id, period_start, count(*) from transactions where kind = 'renewal'
    group by 1, 2 having count(*) > 1`,
  "I9 an active grant from a sale is covered by its line, the choice to keep access, or the grace period": `
    select g.id, l.id as line_id, t.number from grants g join transaction_lines l on l.id = g.line_id
    join transactions t on t.id = l.transaction_id cross join settings s
    where g.source = 'transaction' and g.ends_at > greatest(now(), g.starts_at) and (
      t.settled_at is null or g.package_id <> l.package_id
      or exists (select from line_credits c where c.line_id = l.id and c.state = 'applied'
        and c.reason in ('change', 'undelivered'))
      -- What a pending change holds isn't taken back yet.
      or l.gross > 0 and l.gross = (select sum(c.gross) from line_credits c
        where c.line_id = l.id and c.state = 'applied') and not exists (
        select from line_credits c join transactions r on r.id = c.transaction_id
        where c.line_id = l.id and c.state = 'applied' and r.access in ('keep', 'end with period'))
      or g.ends_at > l.period_end + (select coalesce(sum(coalesce(p.resumed_at, now()) - p.paused_at), '0')
          from subscription_pauses p where p.subscription_id = g.subscription_id)
        + (select coalesce(sum(e.promised_until - e.starts_at), '0') from grants e
          where e.subscription_id = g.subscription_id and e.source = 'manual')
        -- A day with 25 hours can lie in the grace period.
        + make_interval(days => s.grace_days, hours => 1))`,
  "I12 a paused subscription has an open pause, and no other has one": `
    select s.id, s.status from subscriptions s where (s.status = 'paused') <> exists (
      select from subscription_pauses p where p.subscription_id = s.id and p.resumed_at is null)`,
  "I12 paid time of a subscription has no overlap, and gaps only of the length of pauses and extensions": `
    select * from (
      select l.subscription_id, lower(kept) as starts_at,
        lag(upper(kept)) over (partition by l.subscription_id order by lower(kept)) as before
      from transaction_lines l join transactions t on t.id = l.transaction_id
      -- Time that a change takes back belongs to the line of the change.
      cross join lateral unnest(tstzmultirange(tstzrange(l.period_start, l.period_end)) - coalesce((
        select range_agg(c.unused) from line_credits c where c.line_id = l.id and c.reason = 'change'
          and c.state = 'applied' and c.unused is not null), '{}')) as kept
      where t.settled_at is not null and l.subscription_id is not null and l.period_start is not null
        -- An import that was undone can be imported again.
        and t.reference is distinct from 'undone ' || t.id
    ) paid where before > starts_at or not ${isImported("paid.subscription_id")} and starts_at - before > interval '1 hour'
      + (select coalesce(sum(coalesce(p.resumed_at, now()) - p.paused_at), '0') from subscription_pauses p
        where p.subscription_id = paid.subscription_id)
      + (select coalesce(sum(e.promised_until - e.starts_at), '0') from grants e
        where e.subscription_id = paid.subscription_id and e.source = 'manual')`,
  // Another system has issued those of imported sales.
  "every settled sale has an invoice, and every credit of it a credit note": `
    select t.id, t.number from transactions t
    where t.settled_at is not null and exists (select from settings where seller ->> 'name' is not null)
      and not exists (select from documents_to_issue w where w.transaction_id = t.id)
      and not ${isImported("t.id")}
      and (t.kind in ('purchase', 'renewal', 'change') and t.total > 0
        and not exists (select from documents d where d.transaction_id = t.id and d.kind = 'invoice')
        and not exists (select from transaction_lines l join line_credits c on c.line_id = l.id
          where l.transaction_id = t.id and c.reason = 'undelivered')
      or exists (select from line_credits c join transaction_lines l on l.id = c.line_id
        where c.transaction_id = t.id and c.state = 'applied' and c.gross > 0
          and not ${isImported("l.transaction_id")} and not exists (
          select from documents n join documents i on i.id = n.corrects_id
          where n.transaction_id = t.id and i.transaction_id = l.transaction_id)))`,
  "a document has the total of its sale or credits": `
    select d.id, d.number from documents d join transactions t on t.id = d.transaction_id
    left join documents i on i.id = d.corrects_id
    where d.total is distinct from case d.kind when 'invoice' then t.total else (
      select sum(c.gross) from line_credits c join transaction_lines l on l.id = c.line_id
      where c.transaction_id = t.id and c.state = 'applied' and l.transaction_id = i.transaction_id) end`,
  "an imported sale has no document": `
    select d.id, d.number from documents d where ${isImported("d.transaction_id")}`,
  "document numbers have no gaps": `
    select n.prefix, n.year, n.last from document_numbers n where n.last <> (
      select count(*) from documents d where starts_with(d.number, n.prefix || '-' || n.year || '-'))`,
  "I14 the audit log verifies": "select * from audit_verify()",
};

const audited = (table: string) => `
  select t.id, t.version, a.count from ${table} t left join (
    select record_id, count(*) from audit_entries where entity = '${table}' group by 1
  ) a on a.record_id = t.id
  where t.version <> coalesce(a.count, 0)`;

const all = {
  ...statements,
  ...ledgerRules,
  "I14 every change of a transaction has one entry": audited("transactions"),
  "I14 every change of a subscription has one entry": audited("subscriptions"),
};

const page = 20_000;

/** Transactions whose stored state differs from the state of their events. */
const findWrongStates = async (query: Query) => {
  type Row = {
    id: string;
    state: string;
    events: (Omit<TransactionEvent, "at"> & { at: string })[];
  };
  const wrong: object[] = [];
  let rows: Row[] = [];
  do {
    rows = await query<Row>(
      `select t.id, t.state, (
         select jsonb_agg(jsonb_build_object('id', e.id, 'type', e.type, 'at', e.at)) from transaction_events e
         where e.transaction_id = t.id) as events
       from transactions t where t.id > $1 order by t.id limit ${page}`,
      [rows.at(-1)?.id ?? "00000000-0000-0000-0000-000000000000"],
    );
    for (const { id, state, events } of rows) {
      const derived = stateOf(
        (events ?? []).map((event) => ({ ...event, at: new Date(event.at) })),
      );
      if (derived !== state) wrong.push({ id, state, derived });
    }
  } while (rows.length === page);
  return wrong;
};

const ofStates = "I8 a state follows from the events";

export const invariants = [...Object.keys(all), ofStates];

/** The violated invariants, each with up to five rows. Empty if all hold. */
export const findBroken = async (query: Query) => {
  const broken: { invariant: string; rows: object[] }[] = [];
  const note = (invariant: string, rows: object[]) => {
    if (rows.length > 0) broken.push({ invariant, rows: rows.slice(0, 5) });
  };
  for (const [invariant, text] of Object.entries(all))
    note(invariant, await query(`select * from (${text}) violations limit 5`));
  note(ofStates, await findWrongStates(query));
  return broken;
};
