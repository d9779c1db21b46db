import pg from "pg";
import { expect, test } from "vitest";
import { seed } from "#commands/seed.ts";
import { atEnd, testConfig, testDatabase } from "#testing.ts";
import { findBroken, invariants, type Query } from "./invariants.testing.ts";

const database = await testDatabase();
const client = new pg.Client({ connectionString: database.url });
await client.connect();
atEnd(async () => {
  await client.end();
  await database.drop();
});
const query: Query = async (text, values) => (await client.query(text, values)).rows;
const options = { print: () => undefined, rest: [], exitWith: () => undefined, environment: {} };
await seed(testConfig(database.url), { ...options, users: "40", transactions: "400" });

const one = (where: string) => `(select id from transactions where ${where} order by id limit 1)`;
const without = (table: string, ...constraints: string[]) =>
  constraints.map((name) => `alter table ${table} drop constraint ${name}`).join("; ");
const paid = "state = 'succeeded' and subscription_id is not null";

// A violation of each invariant, written past the constraints.
const planted: [invariant: string, how: string][] = [
  [
    "I2 the refunded",
    `update transactions set refunded = 1 where id = ${one("refunded = 0 and total > 0")}`,
  ],
  [
    "I2 refunds have",
    `${without("transactions", "transactions_amounts")}; update transactions set tax = tax + 1
    where id = ${one("kind = 'refund' and access = 'end now'")}`,
  ],
  ["I4 a promotion's redemptions", "update promotions set uses = uses + 1"],
  ["I4 a promotion's redemptions", "update redemptions set returned_at = now()"],
  ["I4 a code's", "update promotion_codes set uses = uses - 1"],
  ["I4 a promotion's discounts", "update promotion_amounts set given = given + 1"],
  [
    "I4 the limit per",
    `update promotions set max_uses_per_user = 1; drop index redemptions_nth_taken;
    update redemptions set user_id = (select user_id from redemptions limit 1)`,
  ],
  ["I4 an unpaid", "update transactions set state = 'failed' where discount > 0"],
  [
    "I5 a total",
    `${without("transactions", "transactions_amounts", "transactions_refunded")};
    update transactions set total = total + 1 where id = ${one("true")}`,
  ],
  [
    "I2 a refund is",
    `update line_credits set gross = gross + 1, net = net + 1 where reason = 'refund'`,
  ],
  [
    "I5 the tax of a line",
    `${without("transaction_lines", "transaction_lines_amounts", "transaction_lines_credited")}; update transaction_lines
    set tax_treatment = 'rate', tax_basis_points = 1900, tax = 0 where subtotal - discount > 100`,
  ],
  ["I5 a purchase's", "update redemptions set amount = amount + 1"],
  ["I8 ", `update transactions set state = 'unknown' where id = ${one(paid)}`],
  ["I9 a paid", `delete from grants where source_id = ${one(paid)}::text`],
  [
    "I9 an unpaid",
    `update grants set source_id = ${one("state = 'failed'")}::text where id = (select id from grants where source = 'transaction' limit 1)`,
  ],
  [
    "I9 a sale refunded",
    "update grants set ends_at = 'infinity', promised_until = 'infinity' where revoked_at is not null",
  ],
  ["I9 a running", "delete from grants where ends_at > now()"],
  [
    "I9 paid grants",
    `${without("grants", "grants_periods_apart")};
    update grants set starts_at = starts_at - interval '1 hour' where subscription_id is not null`,
  ],
  [
    "I9 an active grant",
    `insert into line_credits (line_id, reason, net, tax, gross, state)
    select id, 'change', 1, 0, 1, 'applied' from transaction_lines`,
  ],
  [
    "I9 an active grant",
    `update grants set ends_at = 'infinity', promised_until = 'infinity'
    where source = 'transaction' and ends_at > now()`,
  ],
  [
    "I12 a paused",
    `insert into subscription_pauses (subscription_id, paused_at)
    select id, now() from subscriptions where status = 'active'`,
  ],
  [
    "I12 a period",
    `drop index transactions_one_renewal; update transactions t set period_start = b.period_start
    from (select id, lag(period_start) over (partition by subscription_id order by period_start) as period_start
      from transactions where kind = 'renewal') b where b.id = t.id and b.period_start is not null`,
  ],
  [
    "I12 paid",
    "update transaction_lines set period_end = period_end + interval '1 day' where period_end is not null",
  ],
  [
    "I12 paid",
    `update transaction_lines set period_end = period_end - interval '1 day' where period_end is not null`,
  ],
  ["every settled sale", `update settings set seller = '{"name": "Harbor Ltd"}'`],
  [
    "a document",
    `insert into documents (kind, number, transaction_id, user_id, currency, total, issued_at, content)
    select 'invoice', number, id, user_id, currency, total + 1, now(), '{}' from transactions where settled_at is not null`,
  ],
  [
    "an imported sale",
    `insert into documents (kind, number, transaction_id, user_id, currency, total, issued_at, content)
    select 'invoice', number, id, user_id, currency, total, now(), '{}' from transactions where settled_at is not null;
    insert into imports (kind, name, created_by) select 'transactions', 'old.csv', id from users limit 1;
    insert into imported_records (record_id, import_id) select transaction_id, i.id from documents cross join imports i`,
  ],
  ["document numbers", "insert into document_numbers (prefix, year, last) values ('INV', 2026, 1)"],
  ["I1 the postings", "update postings set amount = amount + 1 where position = 0"],
  ["I1 every settled", "delete from postings; delete from journal_entries"],
  ["I1 revenue", "update postings set amount = amount - 1 where account = 'revenue'"],
  ["I1 tax", "update postings set account = 'tax:unknown' where account = 'revenue'"],
  ["I1 cash", "update postings set account = 'receivable' where account like 'cash:%'"],
  [
    "I1 a balance",
    "insert into balances (user_id, currency, amount) select user_id, 'CHF', 5 from transactions limit 1",
  ],
  [
    "I1 balances",
    `insert into balance_entries (user_id, currency, amount, kind)
    select user_id, 'CHF', 5, 'credit' from transactions limit 1`,
  ],
  [
    "I5 the amounts",
    `${without("transaction_lines", "transaction_lines_amounts")};
    update transaction_lines set discount = discount + 1`,
  ],
  ["I5 every sale", "delete from transaction_lines"],
  ["I9 a grant from", "update grants set line_id = null"],
  [
    "I2 what is credited",
    `${without("transaction_lines", "transaction_lines_credited")};
    update transaction_lines set credited = credited + 1`,
  ],
  [
    "I2 no time",
    `${without("line_credits", "line_credits_time_once")};
    insert into line_credits (line_id, reason, unused, net, tax, gross, state)
    select id, 'change', tstzrange('2026-01-01', '2026-02-01'), 0, 0, 0, 'applied'
    from transaction_lines, generate_series(1, 2)`,
  ],
  [
    "I2 only a pending",
    `insert into line_credits (line_id, transaction_id, reason, net, tax, gross, state)
    select l.id, l.transaction_id, 'change', 1, 0, 1, 'held' from transaction_lines l
    join transactions t on t.id = l.transaction_id where t.state = 'succeeded'`,
  ],
  [
    "I14 the audit",
    "update audit_entries set reason = 'Another' where id = (select max(id) from audit_entries)",
  ],
  ["I14 every change of a transaction", "delete from audit_entries where entity = 'transactions'"],
  ["I14 every change of a subscription", "update subscriptions set version = 2"],
];

test("the demo data violates no invariant", async () => {
  expect(await findBroken(query)).toEqual([]);
});

test("each invariant has a planted violation", () => {
  const unplanted = invariants.filter(
    (invariant) => !planted.some(([beginning]) => invariant.startsWith(beginning)),
  );
  expect(unplanted).toEqual([]);
});

test.each(planted)("detects a violation of %s…", async (beginning, how) => {
  await client.query("begin; set local session_replication_role = replica");
  try {
    await client.query(how);
    const broken = (await findBroken(query)).map(({ invariant }) => invariant);
    expect(broken.filter((invariant) => invariant.startsWith(beginning))).not.toEqual([]);
  } finally {
    await client.query("rollback");
  }
});
