import type { TaxRateDetails } from "@purser/contract/money/taxRates";
import { type Db, run } from "#platform/db/db.ts";
import { insertTaxRate } from "../queries.ts";

/** The name says that the rates are examples, and is printed on the demo invoices. */
const name = "VAT (example)";
const start = "2020-01-01";

const standard = (
  country: string,
  basisPoints: number,
  validFrom = start,
  validUntil: string | null = null,
): TaxRateDetails => ({
  country,
  region: null,
  name,
  category: "standard",
  basisPoints,
  validFrom,
  validUntil,
});

const rates: TaxRateDetails[] = [
  standard("EE", 2000, start, "2024-01-01"),
  standard("EE", 2200, "2024-01-01", "2025-07-01"),
  standard("EE", 2400, "2025-07-01"),
  standard("AT", 2000),
  standard("DE", 1900),
  { ...standard("DE", 700), category: "reduced", name: "Reduced VAT (example)" },
  standard("ES", 2100),
  standard("FR", 2000),
  standard("IT", 2200),
  standard("NL", 2100),
  standard("PL", 2300),
  standard("PT", 2300),
];

/** Standard rates of some countries of the European Union, as an example. Existing rates aren't changed. */
export const seedDemoTaxRates = async (db: Db) => {
  const [known] = await run(db, "select from tax_rates limit 1");
  if (known) return 0;
  for (const rate of rates) await insertTaxRate(db, rate);
  return rates.length;
};
