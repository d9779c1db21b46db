import type { DemoCustomer } from "#modules/entitlements/seed/customers.ts";
import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import { backdate } from "./backdate.ts";
import { historyOf } from "./customerHistory.ts";
import { openCompany } from "./demoQueries.ts";
import { playTimeline } from "./timeline.ts";

const countSql = statement(
  "subscriptions.countSeeded",
  `select (select count(*)::int from transactions) as transactions, (select count(*)::int from documents) as documents`,
).narrow<{ transactions: number; documents: number }>();

const count = async (db: Db) => (await first(db, countSql)) ?? { transactions: 0, documents: 0 };

/** Two years of purchases, renewals, changes, refunds and disputes, made by the product's own functions. */
export const seedDemoHistory = async (
  db: Db,
  customers: readonly DemoCustomer[],
  { now, zone }: { now: Date; zone: string },
) => {
  // Compiling the queries takes longer than running them on so few rows.
  await run(db, "set local jit = off");
  const before = await count(db);
  const company = await openCompany(db, { now, zone });
  await playTimeline(
    customers.flatMap((customer) => historyOf(company, customer)),
    now,
  );
  await backdate(db);
  const after = await count(db);
  return {
    transactions: after.transactions - before.transactions,
    documents: after.documents - before.documents,
  };
};
