import type { TestProduct } from "#testing.ts";

type StoredTransaction = {
  id: string;
  kind: string;
  state: string;
  subscriptionId: string | null;
};
export type StoredLine = {
  id: string;
  transactionId: string;
  position: number;
  subscriptionId: string | null;
  from: Date | null;
  until: Date | null;
  net: number;
  tax: number;
  credited: number;
  creditedTax: number;
};
type StoredCredit = {
  id: string;
  lineId: string;
  reason: string;
  from: Date | null;
  until: Date | null;
  net: number;
  tax: number;
};
type StoredEntry = { id: string; kind: string; sourceId: string; postings: Record<string, number> };
export type StoredSubscription = {
  id: string;
  packageId: string;
  status: string;
  quantity: number;
  interval: string;
  intervalCount: number;
  periodEnd: Date;
  accessUntil: Date;
};

/** What the tables say about a customer's money. */
export type Stored = {
  transactions: StoredTransaction[];
  lines: StoredLine[];
  credits: StoredCredit[];
  entries: StoredEntry[];
  subscriptions: StoredSubscription[];
  balance: number;
};

const texts = {
  transactions: `select id, kind, state, subscription_id as "subscriptionId" from transactions
    where user_id = $1 order by id`,
  lines: `select l.id, l.transaction_id as "transactionId", l.position, l.subscription_id as "subscriptionId",
      l.period_start as "from", l.period_end as until, l.net::float8 as net, l.tax::float8 as tax,
      l.credited::float8 as credited, l.credited_tax::float8 as "creditedTax"
    from transaction_lines l join transactions t on t.id = l.transaction_id where t.user_id = $1
    order by l.transaction_id, l.position`,
  credits: `select c.id, c.line_id as "lineId", c.reason, lower(c.unused) as "from", upper(c.unused) as until,
      c.net::float8 as net, c.tax::float8 as tax
    from line_credits c join transaction_lines l on l.id = c.line_id join transactions t on t.id = l.transaction_id
    where t.user_id = $1 order by c.id`,
  entries: `select e.id, e.kind, e.source_id as "sourceId", jsonb_object_agg(p.account, p.amount) as postings
    from journal_entries e join postings p on p.entry_id = e.id where e.user_id = $1 group by e.id order by e.id`,
  subscriptions: `select s.id, s.package_id as "packageId", s.status, s.quantity, p.interval,
      p.interval_count as "intervalCount", s.period_end as "periodEnd", s.access_until as "accessUntil"
    from subscriptions s join version_prices p on p.id = s.price_id where s.user_id = $1 order by s.id`,
  balance: `select coalesce(sum(amount), 0)::float8 as amount from balances where user_id = $1`,
};

export const readStored = async ({ owner }: TestProduct, userId: string): Promise<Stored> => {
  const all = async <T extends object>(text: string) => (await owner.query<T>(text, [userId])).rows;
  const [balance] = await all<{ amount: number }>(texts.balance);
  return {
    transactions: await all(texts.transactions),
    lines: await all(texts.lines),
    credits: await all(texts.credits),
    entries: await all(texts.entries),
    subscriptions: await all(texts.subscriptions),
    balance: balance?.amount ?? 0,
  };
};
