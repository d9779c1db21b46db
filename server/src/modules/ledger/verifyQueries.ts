import { type Db, run } from "#platform/db/db.ts";

const settled = "t.settled_at is not null and t.kind not in ('refund', 'chargeback')";

/** Postings of an account, with the sign in which it grows. A merged customer's belong to the remaining record. */
const posted = (account: string) => `
  select current_customer(e.user_id) as customer, e.currency, sum(p.amount) as amount
  from journal_entries e join postings p on p.entry_id = e.id where p.account ${account} group by 1, 2`;

/** Two sums per customer and currency that have to be equal. */
const equal = (one: string, other: string) => `
  select customer, currency, coalesce(a.amount, 0)::text as posted, coalesce(b.amount, 0)::text as expected
  from (${one}) a full join (${other}) b using (customer, currency)
  where coalesce(a.amount, 0) <> coalesce(b.amount, 0)`;

/** What lines have earned: their value without what was taken back. */
const kept = (part: "net" | "tax") => `
  select current_customer(t.user_id) as customer, t.currency, -sum(l.${part} - coalesce(c.${part}, 0)) as amount
  from transaction_lines l join transactions t on t.id = l.transaction_id
  left join (select line_id, sum(net) as net, sum(tax) as tax from line_credits where state = 'applied' group by 1) c
    on c.line_id = l.id
  where ${settled} group by 1, 2`;

/** Each query returns the rows that violate the rule in its name. */
export const ledgerRules: Readonly<Record<string, string>> = {
  "I1 the postings of an entry add up to 0": `
    select entry_id, sum(amount)::text as sum from postings group by 1 having sum(amount) <> 0`,
  "I1 every settled sale, refund and chargeback is posted once": `
    select t.id, t.number from transactions t
    where t.settled_at is not null and t.total > 0 and not exists (
      select from journal_entries e where e.source_id = t.id and e.kind in ('sale', 'payment', 'refund', 'chargeback', 'write-off'))`,
  "I1 revenue is what lines have earned": equal(posted("= 'revenue'"), kept("net")),
  "I1 tax is the tax of what lines have earned": equal(posted("like 'tax:%'"), kept("tax")),
  "I1 cash is what was received and not returned": equal(
    posted("like 'cash:%'"),
    `select current_customer(user_id) as customer, currency, sum(case when kind in ('refund', 'chargeback') then balance_amount - total
       else total - balance_amount end) as amount
     from transactions where settled_at is not null group by 1, 2`,
  ),
  "I1 a balance is the sum of its entries, and not below 0": `
    select b.user_id, b.currency, b.amount, e.sum from balances b full join (
      select user_id, currency, sum(amount) from balance_entries group by 1, 2
    ) e using (user_id, currency)
    where coalesce(b.amount, 0) <> coalesce(e.sum, 0) or b.amount < 0`,
  "I1 balances are posted": equal(
    posted("= 'balance'"),
    // What a pending charge has taken is posted when it is paid.
    `select current_customer(b.user_id) as customer, b.currency, -sum(b.amount) as amount
     from balance_entries b left join transactions t on t.id = b.transaction_id
     where b.kind not in ('payment', 'payment returned') or t.settled_at is not null group by 1, 2`,
  ),
  "I5 the amounts of a sale are the sums of its lines": `
    select t.id, t.number from transactions t join (
      select transaction_id, sum(subtotal) as subtotal, sum(discount) as discount, sum(tax) as tax, sum(gross) as total
      from transaction_lines group by 1
    ) l on l.transaction_id = t.id
    where (t.subtotal, t.discount, t.tax, t.total) is distinct from (l.subtotal, l.discount, l.tax, l.total)`,
  "I5 every sale has lines": `
    select t.id, t.number from transactions t where t.kind in ('purchase', 'renewal', 'change')
      and not exists (select from transaction_lines l where l.transaction_id = t.id)`,
  "I9 a grant from a sale names the line that pays for it": `
    select g.id, t.number from grants g join transactions t on t.id::text = g.source_id
    where g.source = 'transaction' and g.line_id is null`,
  "I2 what is credited of a line is the sum of its credits, and at most its value": `
    select l.id, l.gross, l.credited, c.gross as credits from transaction_lines l left join (
      select line_id, sum(gross) as gross, sum(tax) as tax from line_credits where state <> 'released' group by 1
    ) c on c.line_id = l.id
    where (l.credited, l.credited_tax) is distinct from (coalesce(c.gross, 0), coalesce(c.tax, 0))
      or l.credited > l.gross or l.credited_tax > l.tax`,
  "I2 no time of a line is credited twice": `
    select a.id, b.id as other from line_credits a join line_credits b on b.line_id = a.line_id and b.id > a.id
      and a.unused && b.unused where a.state <> 'released' and b.state <> 'released'`,
  "I2 only a pending change holds credits": `
    select c.id, t.state from line_credits c join transactions t on t.id = c.transaction_id
    where c.state = 'held' and t.state not in ('pending', 'unknown')`,
};

const rowsMax = 5;

/** How many rows violate a rule, and the first of them. */
export const verifyRule = async (db: Db, rule: string) => {
  const text = `select to_jsonb(violations) as row, (count(*) over ())::int as count from (${ledgerRules[rule]}) violations limit ${rowsMax}`;
  const found = (await run(db, text)) as { row: object; count: number }[];
  return { count: found[0]?.count ?? 0, rows: found.map(({ row }) => row) };
};
