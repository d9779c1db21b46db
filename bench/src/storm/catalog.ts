import { seedDemoApps } from "../../../server/src/modules/apps/seed/seed.ts";
import { seedDemoFeatures } from "../../../server/src/modules/features/seed/seed.ts";
import { type SeedPackage, seedPackages } from "../../../server/src/modules/packages/seed/seed.ts";
import { connectAsOwner } from "../../../server/src/platform/db/db.ts";
import type { BenchDatabase } from "../setup/database.ts";

const price = (currency: string, amount: number, interval: "month" | "once") => ({
  currency,
  amount,
  interval,
  intervalCount: 1,
});

type Sold = { code: string; group: string; prices: SeedPackage["versions"][number]["prices"] };

const packageOf = ({ code, group, prices }: Sold, sort: number): SeedPackage => ({
  code,
  name: code,
  description: "",
  kind: "base",
  group,
  sort,
  versions: [
    {
      values: { "harbor/berths": 100 + sort },
      prices,
      trialDays: 0,
      note: "Sold in the storm.",
      daysAgo: 100,
    },
  ],
});

const inBoth = (amount: number, perUnit = false) =>
  ["EUR", "USD"].map((currency) => ({ ...price(currency, amount, "month"), perUnit }));

/** The model covers the first package. Subscriptions change between the others, of which the last is sold by the unit. */
const sold: Sold[] = [
  {
    code: "usual",
    group: "usual",
    prices: [price("EUR", 1200, "month"), price("EUR", 30_000, "once")],
  },
  { code: "solo", group: "money", prices: inBoth(1099) },
  { code: "studio", group: "money", prices: inBoth(3301) },
  { code: "team", group: "money", prices: inBoth(707, true) },
];

/** Returns the IDs of the packages by their codes. */
export const makePackages = async (databaseUrl: string) => {
  const { db } = connectAsOwner(databaseUrl);
  try {
    const now = new Date();
    await seedDemoApps(db, now);
    await seedDemoFeatures(db, now);
    await seedPackages(db, sold.map(packageOf), now);
    const rows = await db.selectFrom("packages").select(["code", "id"]).execute();
    const idOf = (code: string) => rows.find((row) => row.code === code)?.id ?? "";
    return { usual: idOf("usual"), solo: idOf("solo"), studio: idOf("studio"), team: idOf("team") };
  } finally {
    await db.destroy();
  }
};
export type Packages = Awaited<ReturnType<typeof makePackages>>;

/** A seller, so that documents are issued, and taxes: added to prices in EUR, and included in those in USD. */
export const makeTaxes = async ({ query }: BenchDatabase) => {
  const seller = {
    name: "Storm Ltd",
    lines: ["Pier 1"],
    city: "Berlin",
    country: "DE",
    vatNumber: "DE123456789",
  };
  await query("update settings set seller = seller || $1::jsonb, tax_included = '{USD}'", [
    JSON.stringify(seller),
  ]);
  await query(
    `insert into tax_rates (country, name, category, basis_points, valid_from)
     values ('DE', 'VAT', 'standard', 1900, '2020-01-01'), ('FR', 'TVA', 'standard', 2000, '2020-01-01'),
       ('HU', 'ÁFA', 'standard', 2700, '2020-01-01')`,
  );
};
