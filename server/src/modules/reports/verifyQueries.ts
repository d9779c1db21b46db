import { type Db, run } from "#platform/db/db.ts";
import { findMovementDifferences } from "./movementQueries.ts";

const posted = (account: string) => `
  select (e.at at time zone $1)::date as day, e.currency, -sum(p.amount) as amount
  from journal_entries e join postings p on p.entry_id = e.id where p.account ${account} group by 1, 2`;

const counted = (column: string, dimension = "total") => `
  select day, currency, sum(${column}) as amount from revenue_days where dimension = '${dimension}' group by 1, 2`;

/** Two sums per day and currency that have to be equal. */
const equal = (one: string, other: string) => `
  select day::text, currency, coalesce(a.amount, 0)::text as expected, coalesce(b.amount, 0)::text as counted
  from (${one}) a full join (${other}) b using (day, currency)
  where coalesce(a.amount, 0) <> coalesce(b.amount, 0)`;

const measures = [
  ...["payments", "refund_count", "dispute_count", "charged", "tax", "refunds", "disputes", "net"],
  "discount",
];

/** Each query returns the rows that violate the rule in its name. */
const rules: Readonly<Record<string, string>> = {
  "Net revenue is what was posted to revenue": equal(posted("= 'revenue'"), counted("net")),
  "Tax is what was posted to tax accounts": equal(posted("like 'tax:%'"), counted("tax")),
  "Each tax account has what was posted to it": `
    select day::text, currency, key, coalesce(a.amount, 0)::text as expected, coalesce(b.amount, 0)::text as counted
    from (
      select (e.at at time zone $1)::date as day, e.currency, p.account as key, -sum(p.amount) as amount
      from journal_entries e join postings p on p.entry_id = e.id where p.account like 'tax:%' group by 1, 2, 3
    ) a full join (select day, currency, key, tax as amount from revenue_days where dimension = 'tax') b
      using (day, currency, key)
    where coalesce(a.amount, 0) <> coalesce(b.amount, 0)`,
  "Every dimension adds up to the same totals": ["package", "country", "promotion", "tax"]
    .flatMap((dimension) =>
      measures.map((name) => `(${equal(counted(name), counted(name, dimension))})`),
    )
    .join(" union all "),
  "Days of recurring revenue are the sums of their movements": `
    select day::text, currency, kind, a.amount::text as expected, b.amount::text as counted
    from (select day, currency, kind, count(*) as customers, sum(amount) as amount from mrr_movements group by 1, 2, 3) a
    full join mrr_days b using (day, currency, kind)
    where (coalesce(a.customers, 0), coalesce(a.amount, 0)) <> (coalesce(b.customers, 0), coalesce(b.amount, 0))`,
  "Movements of packages add up to those of customers": `
    select day::text, currency, kind, a.amount::text as expected, b.amount::text as counted
    from (select day, currency, kind, amount from mrr_days where amount <> 0) a
    full join (select day, currency, kind, sum(amount) as amount from mrr_package_days group by 1, 2, 3) b
      using (day, currency, kind)
    where coalesce(a.amount, 0) <> coalesce(b.amount, 0)`,
  "Days of packages are the sums of their movements": `
    select day::text, currency, kind, package_id::text, a.amount::text as expected, b.amount::text as counted
    from (select day, currency, kind, package_id, count(*) as customers, sum(subscribers) as subscribers,
        sum(amount) as amount from mrr_package_movements group by 1, 2, 3, 4) a
    full join mrr_package_days b using (day, currency, kind, package_id)
    where (coalesce(a.customers, 0), coalesce(a.subscribers, 0), coalesce(a.amount, 0))
      <> (coalesce(b.customers, 0), coalesce(b.subscribers, 0), coalesce(b.amount, 0))`,
  "Cohorts are the sums of their movements": `
    select cohort::text, month::text, currency, a.change::text as expected, b.change::text as counted
    from (select cohort, date_trunc('month', day)::date as month, currency,
        sum(case kind when 'churn' then -1 else 1 end) as change
      from mrr_movements where kind in ('new', 'reactivation', 'churn') group by 1, 2, 3) a
    full join retention_months b using (cohort, month, currency)
    where coalesce(a.change, 0) <> coalesce(b.change, 0)`,
};

const movementsRule = "Movements follow from what was paid";

export const figureRules = [...Object.keys(rules), movementsRule];

/** The first rows that violate a rule. */
export const verifyFigures = async (db: Db, rule: string, zone: string): Promise<object[]> => {
  if (rule === movementsRule) return findMovementDifferences(db, zone);
  // Every rule gets the time zone, also those that don't need it.
  const text = `select to_jsonb(v) as row from (${rules[rule]}) v where $1::text is not null limit 5`;
  return ((await run(db, text, [zone])) as { row: object }[]).map(({ row }) => row);
};
