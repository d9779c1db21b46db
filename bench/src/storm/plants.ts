import {
  findBroken,
  type Query,
} from "../../../server/src/modules/transactions/testing/invariants.testing.ts";
import { connectAsOwner } from "../../../server/src/platform/db/db.ts";

type Plant = {
  /** Selects the row that the fault is planted in. */
  chosen: string;
  /** Writes the fault past the constraints. */
  change: string;
  /** The beginning of the check that must find it. */
  foundBy: string;
};

const without = (table: string, ...constraints: string[]) =>
  constraints.map((name) => `alter table ${table} drop constraint ${name};`).join(" ");

const copiedTo = (table: string, changes: string, where: string) => `
  insert into ${table} select (jsonb_populate_record(t, ${changes})).* from ${table} t, chosen where ${where};`;

/** Faults of money. Each leaves everything else in step, so that only the checks of the rule can find it. */
export const plants: Record<string, Plant> = {
  "credit-twice": {
    chosen: `select c.* from line_credits c where c.reason = 'change' and c.state = 'applied' and c.gross > 0
      and c.unused is not null`,
    change: `${without("line_credits", "line_credits_time_once")}
      ${without("transaction_lines", "transaction_lines_credited")}
      ${copiedTo("line_credits", "jsonb_build_object('id', uuid_v7())", "t.id = chosen.id")}
      update transaction_lines l set credited = l.credited + c.gross, credited_tax = l.credited_tax + c.tax
      from chosen c where l.id = c.line_id;`,
    foundBy: "I2 no time of a line is credited twice",
  },
  "refund-above-rest": {
    chosen: `select r.id, r.parent_id, c.id as credit_id, c.line_id, p.total as extra
      from transactions r join transactions p on p.id = r.parent_id join line_credits c on c.transaction_id = r.id
      where r.kind = 'refund' and p.total > 0`,
    change: `${without("transactions", "transactions_refunded")}
      ${without("transaction_lines", "transaction_lines_credited")}
      update transactions t set total = t.total + extra, subtotal = t.subtotal + extra from chosen where t.id = chosen.id;
      update transactions t set refunded = t.refunded + extra from chosen where t.id = chosen.parent_id;
      update line_credits c set gross = c.gross + extra, net = c.net + extra from chosen where c.id = credit_id;
      update transaction_lines l set credited = l.credited + extra from chosen where l.id = chosen.line_id;`,
    foundBy: "I2 what is credited of a line is the sum of its credits, and at most its value",
  },
  "posting-missing": {
    chosen: "select e.id from journal_entries e where e.kind = 'credit'",
    change: `delete from postings p using chosen where p.entry_id = chosen.id;
      delete from journal_entries e using chosen where e.id = chosen.id;`,
    foundBy: "I1 revenue is what lines have earned",
  },
  "tax-dropped": {
    chosen: `select l.id, t.id as transaction_id, e.id as entry_id, l.tax from transaction_lines l
      join transactions t on t.id = l.transaction_id
      join journal_entries e on e.source_id = t.id and e.kind = 'sale'
      where l.tax_treatment = 'rate' and l.tax > 0 and l.credited = 0 and t.total = l.gross and not t.tax_included
        and t.balance_amount = 0 and t.refunded = 0`,
    change: `update transaction_lines l set tax = 0, gross = l.net from chosen where l.id = chosen.id;
      update transactions t set tax = 0, total = t.total - chosen.tax from chosen where t.id = chosen.transaction_id;
      delete from postings p using chosen where p.entry_id = chosen.entry_id and p.account like 'tax:%';
      update postings p set amount = p.amount - chosen.tax from chosen
      where p.entry_id = chosen.entry_id and p.account like 'cash:%';`,
    foundBy: "I5 the tax of a line is its rate of the price",
  },
  "renewal-twice": {
    chosen: `select t.id, uuid_v7() as new_id from transactions t where t.kind = 'renewal'
      and t.state in ('pending', 'canceled', 'failed') and t.balance_amount = 0`,
    change: `drop index transactions_one_renewal;
      ${copiedTo("transactions", "jsonb_build_object('id', new_id, 'number', 'TX-PLANTED')", "t.id = chosen.id")}
      ${copiedTo("transaction_lines", "jsonb_build_object('id', uuid_v7(), 'transaction_id', new_id)", "t.transaction_id = chosen.id")}
      ${copiedTo("transaction_events", "jsonb_build_object('id', uuid_v7(), 'transaction_id', new_id)", "t.transaction_id = chosen.id")}`,
    foundBy: "I12 a period of a subscription is renewed once",
  },
  "balance-below-zero": {
    chosen: `select b.user_id, b.currency, b.amount + 1 as taken, uuid_v7() as entry_id, uuid_v7() as journal_id
      from balances b`,
    change: `${without("balances", "balances_not_negative")}
      update balances b set amount = -1 from chosen c where b.user_id = c.user_id and b.currency = c.currency;
      insert into balance_entries (id, user_id, currency, amount, kind, reason)
      select entry_id, user_id, currency, -taken, 'removed', 'Planted' from chosen;
      insert into journal_entries (id, kind, source_id, at, currency, user_id)
      select journal_id, 'balance', entry_id, now(), currency, user_id from chosen;
      insert into postings (entry_id, position, account, amount)
      select journal_id, 0, 'balance', taken from chosen union all select journal_id, 1, 'team credits', -taken from chosen;`,
    foundBy: "I1 a balance is the sum of its entries, and not below 0",
  },
};

/** The checks that found a fault. Those that failed before it was planted don't count. */
export type Search = { name: string; isFound: boolean; found: string[] };

const namesOfBroken = async (query: Query) =>
  (await findBroken(query)).map(({ invariant }) => invariant);

/** Plants a fault in a transaction, checks all invariants, and takes the fault back. */
export const findPlanted = async (databaseUrl: string, name: string): Promise<Search> => {
  const plant = plants[name];
  if (!plant) throw new Error(`There is no fault "${name}".`);
  const { pool } = connectAsOwner(databaseUrl);
  const client = await pool.connect();
  const query: Query = async (text, values) => (await client.query(text, values)).rows;
  try {
    await client.query("begin; set local session_replication_role = replica");
    const before = await namesOfBroken(query);
    await client.query(
      `create temporary table chosen on commit drop as ${plant.chosen} order by 1 limit 1`,
    );
    if ((await query("select from chosen")).length === 0)
      throw new Error(`The storm left no row to plant "${name}" in.`);
    await client.query(plant.change);
    const found = (await namesOfBroken(query)).filter((invariant) => !before.includes(invariant));
    const isFound = found.some((invariant) => invariant.startsWith(plant.foundBy));
    return { name, isFound, found };
  } finally {
    await client.query("rollback");
    client.release();
    await pool.end();
  }
};
