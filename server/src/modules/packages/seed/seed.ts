import type { Value } from "@purser/contract/fields/values";
import type { Price } from "@purser/contract/packages/prices";
import { type Db, first, run } from "#platform/db/db.ts";
import { statement } from "#platform/db/statement.ts";
import { publishVersion } from "../publishing/publishQueries.ts";
import { replaceTerms } from "../versions/versionQueries.ts";

/** Values by the codes of app and feature: "harbor/berths". */
export type SeedValues = Record<`${string}/${string}`, Value>;

export type SeedVersion = {
  values: SeedValues;
  prices: (Price & { perUnit?: boolean })[];
  trialDays: number;
  /** Prices and numbers are for one unit, such as a seat. */
  perUnit?: boolean;
  note: string;
  /** How long ago it was published; null is a draft. */
  daysAgo: number | null;
};

export type SeedPackage = {
  code: string;
  name: string;
  description: string;
  kind: "base" | "add-on";
  group: string | null;
  /** Groups of base packages that an add-on needs; any if missing. */
  baseGroups?: string[];
  sort: number;
  versions: SeedVersion[];
};

/** The same prices in each currency, by the month and for a year at the price of ten months. */
export const pricesOf = (monthly: Record<string, number>): Price[] =>
  Object.entries(monthly).flatMap(([currency, amount]) => [
    { currency, amount, interval: "month" as const, intervalCount: 1 },
    { currency, amount: amount * 10, interval: "year" as const, intervalCount: 1 },
  ]);

const insertDraftSql = statement(
  "packages.insertDraft",
  `insert into package_versions (id, package_id, number, created_at, updated_at)
   values (uuid_v7($3), $1, $2, $3, $3) returning id`,
);

const insertDraft = async (
  db: Db,
  packageId: string,
  { number, at }: { number: number; at: Date },
  { values, perUnit = false, ...terms }: SeedVersion,
) => {
  const row = await first(db, insertDraftSql, [packageId, number, at]);
  const id = row?.id ?? "";
  const asked = `
    select f.app_id, f.id as feature_id, given.value
    from jsonb_each($2::jsonb) as given (place, value)
    join apps a on a.code = split_part(given.place, '/', 1)
    join features f on f.app_id = a.id and f.code = split_part(given.place, '/', 2)`;
  await run(
    db,
    `insert into version_apps (version_id, app_id) select distinct $1::uuid, app_id from (${asked}) asked`,
    [id, JSON.stringify(values)],
  );
  await run(
    db,
    `insert into version_values (version_id, app_id, feature_id, value, per_unit)
     select $1::uuid, app_id, feature_id, value, $3 and jsonb_typeof(value) = 'number' from (${asked}) asked`,
    [id, JSON.stringify(values), perUnit],
  );
  const prices = terms.prices.map((price) => ({ perUnit, ...price }));
  await replaceTerms(db, id, { trialDays: terms.trialDays, prices });
  return id;
};

const insertVersions = async (db: Db, packageId: string, versions: SeedVersion[], now: Date) => {
  let onSale: { id: string } | null = null;
  for (const [place, version] of versions.entries()) {
    const at = new Date(now.getTime() - (version.daysAgo ?? 1) * 86_400_000);
    const id = await insertDraft(db, packageId, { number: place + 1, at }, version);
    if (version.daysAgo === null) continue;
    const plan = { mode: "new buyers" as const, at: null };
    const how = { note: version.note, plan, by: null, now: at };
    await publishVersion(db, { id: packageId, onSale }, id, how);
    onSale = { id };
  }
};

const seedPackagesSql = statement(
  "packages.seedPackages",
  `insert into packages (id, code, name, description, kind, group_code, visibility, sort, created_at, updated_at,
     base_groups)
   values (uuid_v7($7), $1, $2, $3, $4, $5, 'public', $6, $7, $7, $8)
   on conflict (code) do nothing returning id`,
);

/** Makes those that are not there yet, each with all of its versions, and says how many. */
export const seedPackages = async (db: Db, packages: readonly SeedPackage[], now: Date) => {
  let made = 0;
  for (const { versions, ...own } of packages) {
    const at = new Date(now.getTime() - (versions[0]?.daysAgo ?? 0) * 86_400_000);
    const row = await first(db, seedPackagesSql, [
      own.code,
      own.name,
      own.description,
      own.kind,
      own.group,
      own.sort,
      at,
      own.baseGroups ?? [],
    ]);
    if (!row) continue;
    await insertVersions(db, row.id, versions, now);
    made += 1;
  }
  return made;
};
