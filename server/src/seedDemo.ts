import type { Config } from "./config.ts";
import { seedDemoApps } from "./modules/apps/seed/seed.ts";
import { seedDemoAccess } from "./modules/entitlements/seed/access.ts";
import { seedDemoCustomers } from "./modules/entitlements/seed/customers.ts";
import { seedDemoTraffic } from "./modules/entitlements/seed/traffic.ts";
import { seedDemoFeatures } from "./modules/features/seed/seed.ts";
import { seedDemoPackages } from "./modules/packages/seed/demo.ts";
import { seedDemoPromotions } from "./modules/promotions/seed/seed.ts";
import { seedDemoSeller } from "./modules/settings/seed/seed.ts";
import { seedDemoHistory } from "./modules/subscriptions/seed/seed.ts";
import { seedDemoTaxRates } from "./modules/taxes/seed/seed.ts";
import { seedDemoTeam } from "./modules/users/seed/team.ts";
import type { Db } from "./platform/db/db.ts";
import { zoneOf } from "./platform/settings.ts";

/** When the demo company started, in days before today. */
const demoDays = 730;

/** The demo data of `purser seed`. */
export const seedDemo = async (
  db: Db,
  config: Pick<Config, "COMPANY_TIME_ZONE">,
  { now, print }: { now: Date; print: (text: string) => unknown },
) => {
  const say = (count: number, what: string) => print(`Made ${count} demo ${what}.\n`);
  await seedDemoSeller(db);
  say(await seedDemoTaxRates(db), "tax rates");
  say(await seedDemoTeam(db, new Date(+now - demoDays * 86_400_000)), "team members");
  say(await seedDemoApps(db, now), "apps");
  say(await seedDemoFeatures(db, now), "features");
  say(await seedDemoPackages(db, now), "packages");
  say(await seedDemoPromotions(db, now), "promotions");
  const customers = await seedDemoCustomers(db, now);
  say(customers.length, "customers");
  const zone = await zoneOf(config)(db);
  const { transactions, documents } = await seedDemoHistory(db, customers, { now, zone });
  await seedDemoAccess(db, customers, { now, zone });
  await seedDemoTraffic(db, customers, { now, zone });
  say(transactions, "transactions");
  say(documents, "invoices and credit notes");
};
