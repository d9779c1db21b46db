import type { ShareRule } from "@purser/contract/reports/endpoints";
import type { Db } from "#platform/db/db.ts";
import { findAppParts } from "../appShares.ts";

type Wanted = {
  currency: string;
  from: string;
  until: string;
  rule: ShareRule;
  app: string;
  package?: string | undefined;
};

const rowsPerPage = 100;

/** The latest days that fill a page. A day is never divided, because the next page starts before it. */
const pageOf = <Row extends { day: string }>(rows: Row[]) => {
  const last = rows[rowsPerPage - 1]?.day;
  if (last === undefined) return { items: rows, next: null };
  const items = rows.filter(({ day }) => day >= last);
  return { items, next: items.length < rows.length ? last : null };
};

/** What an app's share of a package adds up: its part of each day and package version, the latest first. */
export const readShareRows = async (
  db: Db,
  { app, package: packageId, ...asked }: Wanted,
  before: string | undefined,
) => {
  const { parts, names, packages } = await findAppParts(db, asked);
  const own = parts.filter(
    (part) => part.appId === app && (packageId === undefined || part.packageId === packageId),
  );
  const rows = own
    .filter(({ day }) => before === undefined || day < before)
    .toSorted((one, other) => (one.day < other.day ? 1 : -1))
    .map(({ day, packageId: key, version, revenue, measures }) => ({
      day,
      package: { key, name: packages.get(key) ?? null, version },
      revenue,
      share: measures.net,
    }));
  return {
    appName: names.get(app)?.name ?? null,
    packageName: packages.get(packageId ?? "") ?? null,
    total: own.reduce((sum, { measures }) => sum + measures.net, 0),
    ...pageOf(rows),
  };
};
