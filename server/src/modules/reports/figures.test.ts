import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { reports } from "#commands/reports.ts";
import { seed } from "#commands/seed.ts";
import { runHere } from "#commands/testing.ts";
import { testProduct } from "#testing.ts";
import { updateFigures } from "./update.ts";

// The demo has purchases, renewals, changes, trials, pauses, refunds and disputes in several currencies, made by the
// product's own functions.
const product = await testProduct({ environment: { COMPANY_TIME_ZONE: "Europe/Tallinn" } });
const { config, owner, platform } = product;
await runHere(config, seed);

const purser = (...words: string[]) => runHere(config, reports, ...words);

const figures = async () => {
  // Sums that came to 0 are no difference.
  const tables = {
    revenue_days: "",
    mrr_movements: "",
    mrr_days: "where customers <> 0",
    mrr_package_movements: "",
    mrr_package_days: "where customers <> 0",
    retention_months: "where change <> 0",
  };
  const read = Object.entries(tables).map(async ([name, where]) => {
    const { rows } = await owner.query(
      `select coalesce(jsonb_agg(to_jsonb(t) order by to_jsonb(t)::text), '[]') as all from ${name} t ${where}`,
    );
    return [name, rows[0].all];
  });
  return Object.fromEntries(await Promise.all(read));
};

const update = async (zone = config.COMPANY_TIME_ZONE) => {
  const portion = {
    entries: randomInt(1, 200),
    days: randomInt(1, 90),
    customers: randomInt(1, 90),
  };
  const step = () =>
    platform.db.transaction().execute((transaction) => updateFigures(transaction, zone, portion));
  while (await step());
};

const startAgain = async () => {
  await owner.query("truncate revenue_days, mrr_movements, mrr_days, retention_months");
  await owner.query("truncate mrr_package_movements, mrr_package_days");
  await owner.query("truncate revenue_queue, mrr_queue");
};

test("the demo fills the figures, and they equal the journal", async () => {
  expect(await purser("verify")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^(OK {2}.+\n){9}The figures of reports are correct\.\n$/),
  });
  const { rows } = await owner.query(
    `select (select count(distinct currency)::int from revenue_days) as currencies,
       (select array_agg(distinct kind order by kind) from mrr_movements) as kinds,
       (select sum(refunds)::int > 0 and sum(disputes)::int > 0 from revenue_days) as returned`,
  );
  expect(rows[0].currencies).toBeGreaterThan(1);
  expect(rows[0]).toMatchObject({
    kinds: [
      "churn",
      "contraction",
      "expansion",
      "new",
      "reactivation",
      "trial",
      "trial lost",
      "trial paid",
    ],
    returned: true,
  });
});

test("figures are the same, whether everything is counted at once or step by step", async () => {
  const before = await figures();
  await startAgain();
  await owner.query(
    `insert into revenue_queue (entry_id, at) select id, at from journal_entries
     where kind in ('sale', 'credit', 'refund', 'chargeback') order by random()`,
  );
  await owner.query(
    "insert into mrr_queue (user_id) select user_id from subscriptions order by random()",
  );
  await update();
  expect(await figures()).toEqual(before);
  expect((await purser("rebuild")).stdout).toBe("Counted the figures of reports again.\n");
  expect(await figures()).toEqual(before);
});

test("customers are counted by package after an update from a version without it", async () => {
  const before = await figures();
  await owner.query("truncate mrr_package_movements, mrr_package_days");
  await owner.query(
    "update report_state set next_package_customer = '00000000-0000-0000-0000-000000000000'",
  );
  await update();
  expect(await figures()).toEqual(before);
  expect(before["mrr_package_movements"].length).toBeGreaterThan(0);
});

test("another time zone counts the days again", async () => {
  const before = await figures();
  await update("America/Los_Angeles");
  const { rows } = await owner.query(
    `select count(*)::int as wrong from (
       select (e.at at time zone 'America/Los_Angeles')::date as day, e.currency, -sum(p.amount) as net
       from journal_entries e join postings p on p.entry_id = e.id where p.account = 'revenue' group by 1, 2
     ) a full join (select * from revenue_days where dimension = 'total') b using (day, currency)
     where a.net is distinct from b.net`,
  );
  expect(rows).toEqual([{ wrong: 0 }]);
  expect(await figures()).not.toEqual(before);
  await update();
  expect(await figures()).toEqual(before);
});

test.each([
  [
    "update revenue_days set net = net + 1, charged = charged + 1 where dimension = 'total'",
    "Net revenue is",
  ],
  [
    "update revenue_days set tax = tax + 1, net = net - 1 where dimension = 'tax'",
    "Each tax account",
  ],
  [
    "update revenue_days set payments = payments + 1 where dimension = 'country'",
    "Every dimension",
  ],
  ["update mrr_days set amount = amount + 1", "Days of recurring revenue"],
  ["update retention_months set change = change + 1", "Cohorts are"],
  ["update mrr_movements set amount = amount + 1 where kind = 'new'", "Movements follow"],
  ["update mrr_package_days set amount = amount + 1", "Movements of packages"],
  ["update mrr_package_days set subscribers = subscribers + 1", "Days of packages"],
  ["update mrr_package_movements set amount = amount + 1 where kind = 'new'", "Movements follow"],
])("verify finds what %s changes, and rebuild repairs it", async (fault, rule) => {
  await owner.query(fault);
  const found = await purser("verify");
  expect(found).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("Run `purser reports rebuild` to count them again."),
  });
  expect(found.stderr).toContain(rule);
  await startAgain();
  await purser("rebuild");
  expect((await purser("verify")).code).toBe(0);
});

test.each([[[]], [["count"]]])("reports %j is refused", async (words) => {
  expect(await purser(...words)).toMatchObject({
    code: 1,
    stderr: "Usage: purser reports verify, or purser reports rebuild.\n",
  });
});
