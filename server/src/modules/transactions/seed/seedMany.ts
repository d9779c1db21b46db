import { promotionDetails } from "@purser/contract/promotions/endpoints";
import type { Snapshot } from "@purser/contract/transactions/endpoints";
import { setMoments } from "#modules/promotions/queries.ts";
import { insertPromotion } from "#modules/promotions/saveQueries.ts";
import { seedDemoTaxRates } from "#modules/taxes/seed/seed.ts";
import { suspendConstraints } from "#platform/db/bulkLoad.ts";
import { type Db, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import { pricesOf, type SeedPackage, seedPackages } from "../../packages/seed/seed.ts";
import { findVersionFeatures } from "../sales/saleQueries.ts";
import { snapshotFeatures } from "../sales/snapshot.ts";
import {
  customersPerRound,
  insertRounds,
  packagesCount,
  transactionsPerRound,
} from "./seedStatement.ts";

const roundsPerStatement = 2500;
// Below this, rebuilding indexes takes longer than updating them.
const bulkMin = 500_000;

// Not grants, because the trigger that counts subscribers reads the other grants of each customer.
const bulkTables = [
  "transactions",
  "transaction_events",
  "transaction_lines",
  "journal_entries",
  "postings",
  "subscriptions",
  "audit_entries",
  "audit_unsealed",
];

const settings = [
  "set local work_mem = '256MB'",
  "set local maintenance_work_mem = '1GB'",
  "set local synchronous_commit = off",
  "set local jit = off",
  // From the sixth statement on, the triggers would use plans for few rows, which compare all rows with each other.
  "set local plan_cache_mode = force_custom_plan",
];

// Few features, because every sale and its audit entry contain all of them.
const sold: SeedPackage[] = Array.from({ length: packagesCount }, (_, place) => ({
  code: `many-sold-${place + 1}`,
  name: `Sold to many ${place + 1}`,
  description: "Made by the seeder.",
  // Each has a group of its own, because a customer buys several of them.
  kind: "base",
  group: `many-sold-${place + 1}`,
  sort: 2000 + place,
  versions: [
    {
      values: { "many-office/feature-1": 10 + place, "many-office/feature-4": true },
      prices: pricesOf({ EUR: 900 + 50 * place, USD: 990, GBP: 850, JPY: 1500 }),
      trialDays: 0,
      note: "Sold for years.",
      daysAgo: 1200,
    },
  ],
}));

const currencies = ["EUR", "USD", "GBP", "JPY"];

const promotions = [
  { name: "Ten of many", code: "MANY10", kind: "percent", basisPoints: 1000 },
  {
    name: "Five off for many",
    code: "MANY-OFF",
    kind: "fixed",
    redemptionLimit: 1_000_000_000,
    intervals: ["year"],
    amounts: currencies.map((currency) => ({ currency, off: 500, budget: 900_000_000_000 })),
  },
];

const yearMs = 365 * 86_400_000;

const seedPromotions = async (db: Db, now: Date) => {
  const startsAt = new Date(+now - 4 * yearMs);
  for (const details of promotions) {
    const [known] = await run(db, "select from promotions where name = $1", [details.name]);
    if (known) continue;
    const id = await insertPromotion(db, { ...promotionDetails.parse(details), startsAt });
    await setMoments(db, id, { publishedAt: startsAt });
  }
};

// Counters that the product updates with every redemption, updated at once.
const counters = [
  `update promotions r set uses = used.count, first_used_at = coalesce(r.first_used_at, used.first)
   from (select promotion_id, count(*)::int, min(created_at) as first from redemptions
     where returned_at is null group by 1) used
   where used.promotion_id = r.id and used.count <> r.uses`,
  `update promotion_codes c set uses = used.count
   from (select code_id, count(*)::int from redemptions where returned_at is null group by 1) used
   where used.code_id = c.id and used.count <> c.uses`,
  `update promotion_amounts a set given = used.sum
   from (select promotion_id, currency, sum(amount)::bigint from redemptions where returned_at is null group by 1, 2) used
   where used.promotion_id = a.promotion_id and used.currency = a.currency and used.sum <> a.given`,
];

const findVersionsSql = statement(
  "transactions.findSeededVersions",
  `select v.id from packages p join package_versions v on v.package_id = p.id and v.state = 'on sale'
   where p.code like 'many-sold-%'`,
);

/** The features of each sold version as snapshots show them. */
const findSnapshotFeatures = async (db: Db) => {
  const byVersion: Record<string, Snapshot["features"]> = {};
  for (const { id } of await run(db, findVersionsSql))
    byVersion[id] = snapshotFeatures(await findVersionFeatures(db, id), 1);
  return byVersion;
};

/** The most transactions for this many customers, because each of their sales is of another package. */
export const transactionsOf = (customers: number) =>
  Math.floor((customers * packagesCount) / customersPerRound) * transactionsPerRound;

type Sales = {
  transactions: number;
  /** The number of the first customer that `seedManyCustomers` made, and how many buy. */
  first: number;
  customers: number;
  /** The time zone of billing periods. */
  zone: string;
  now: Date;
  onProgress: (made: number) => void;
};

/** Three years of sales to many customers, in one transaction. */
export const seedManySales = async (db: Db, sales: Sales) => {
  const { transactions, first, customers, zone, now, onProgress } = sales;
  for (const setting of settings) await run(db, setting);
  await run(db, "select set_config('timezone', $1, true)", [zone]);
  await seedPackages(db, sold, now);
  await seedPromotions(db, now);
  await seedDemoTaxRates(db);
  const features = JSON.stringify(await findSnapshotFeatures(db));
  const restore = transactions >= bulkMin ? await suspendConstraints(db, bulkTables) : null;
  const rounds = Math.floor(transactions / transactionsPerRound);
  const rest = transactions % transactionsPerRound;
  for (let from = 0; from < rounds || from === 0; from += roundsPerStatement) {
    const to = Math.min(from + roundsPerStatement, rounds);
    const isLast = to === rounds;
    const more = isLast ? rest : 0;
    await run(db, insertRounds, [from, to - 1, rounds, first, customers, now, more, features]);
    onProgress(to * transactionsPerRound + more);
  }
  for (const counter of counters) await run(db, counter);
  // Indexes can't be created while checks of new rows are waiting.
  await run(db, "set constraints all immediate");
  await restore?.();
  await run(
    db,
    "analyze transactions, transaction_events, transaction_lines, line_credits, journal_entries, postings, subscriptions, grants, redemptions",
  );
};
