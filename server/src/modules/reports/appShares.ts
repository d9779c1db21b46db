import type { Measures, ShareRule } from "@purser/contract/reports/endpoints";
import type { Db } from "#platform/db/db.ts";
import {
  findListPrices,
  findRevenue,
  findVersionApps,
  type RevenueRow,
  type VersionApp,
} from "./queries.ts";
import { weightsOf } from "./rules.ts";
import { splitMeasures } from "./splitMeasures.ts";

type Asked = { currency: string; from: string; until: string; rule: ShareRule };

/** The part of an app in the revenue of a package on one day. Without an app the ids are ''. */
export type AppPart = {
  day: string;
  packageId: string;
  /** The number of the package version. Null without a package. */
  version: number | null;
  appId: string;
  /** Net revenue of the version on that day. */
  revenue: number;
  measures: Measures;
};

const measuresOf = ({ key: _key, name: _name, day: _day, ...measures }: RevenueRow): Measures =>
  measures;

const isThere = (row: VersionApp): row is VersionApp & { appId: string } => row.appId !== null;

/** Splits the revenue of each day and package version, so that the parts add up however they are grouped. */
export const findAppParts = async (db: Db, { currency, from, until, rule }: Asked) => {
  const rows = await findRevenue(db, "version", { currency, from, until, unit: "day" });
  const versionIds = [...new Set(rows.map(({ key }) => key))].filter((id) => id !== "");
  const versions = await findVersionApps(db, versionIds);
  const apps = versions.filter(isThere);
  const prices = await findListPrices(db, [...new Set(apps.map(({ appId }) => appId))], currency);
  const priceOf = new Map(prices.map(({ appId, amount }) => [appId, amount]));
  const byVersion = Map.groupBy(apps, ({ versionId }) => versionId);
  const packageOf = new Map(versions.map(({ versionId, packageId }) => [versionId, packageId]));
  const numberOf = new Map(versions.map(({ versionId, number }) => [versionId, number]));
  const parts = rows.flatMap((row): AppPart[] => {
    const own = byVersion.get(row.key) ?? [];
    const found = {
      day: row.day,
      packageId: packageOf.get(row.key) ?? "",
      version: numberOf.get(row.key) ?? null,
      revenue: row.net,
    };
    if (own.length === 0) return [{ ...found, appId: "", measures: measuresOf(row) }];
    const weights = weightsOf(
      own.map(({ appId, features }) => ({ listPrice: priceOf.get(appId) ?? null, features })),
      rule,
    );
    return splitMeasures(measuresOf(row), weights).map((measures, place) => ({
      ...found,
      appId: own[place]?.appId ?? "",
      measures,
    }));
  });
  return {
    parts,
    priceOf,
    names: new Map(apps.map(({ appId, appName, icon }) => [appId, { name: appName, icon }])),
    packages: new Map(versions.map(({ packageId, packageName }) => [packageId, packageName])),
  };
};
