import type {
  Measures,
  ReportUnit,
  RevenueGroup,
  ShareRule,
} from "@purser/contract/reports/endpoints";
import type { Db } from "#platform/db/db.ts";
import { findAppParts } from "./appShares.ts";
import { findRevenue } from "./queries.ts";
import { addMeasures, type Days, noMeasures, periodOf, periodsOf } from "./rules.ts";

type Asked = { currency: string; group: RevenueGroup; unit: ReportUnit; rule: ShareRule };

type Row = { key: string; name: string | null; day: string; measures: Measures };

const findRows = async (db: Db, asked: Asked, days: Days): Promise<Row[]> => {
  const { group, unit, currency } = asked;
  if (group === "app") {
    const { parts, names } = await findAppParts(db, { ...asked, ...days });
    return parts.map(({ day, appId, measures }) => ({
      key: appId,
      name: names.get(appId)?.name ?? null,
      day: periodOf(day, unit),
      measures,
    }));
  }
  const rows = await findRevenue(db, group, { currency, unit, ...days });
  return rows.map(({ key, name, day, ...measures }) => ({ key, name, day, measures }));
};

const sumOf = (rows: readonly Row[], start = noMeasures) =>
  rows.reduce((sum, { measures }) => addMeasures(sum, measures), start);

const withoutCounts: Measures = {
  ...noMeasures,
  payments: null,
  refundCount: null,
  disputeCount: null,
};

/** Revenue of a period by group, the largest first, and by day, week or month. */
export const readRevenue = async (db: Db, asked: Asked, days: Days, previous: Days | null) => {
  const rows = await findRows(db, asked, days);
  const before = previous ? await findRows(db, asked, previous) : null;
  const start = asked.group === "app" ? withoutCounts : noMeasures;
  const byKey = Map.groupBy(rows, ({ key }) => key);
  const keysBefore = Map.groupBy(before ?? [], ({ key }) => key);
  const keys = [...new Set([...byKey.keys(), ...keysBefore.keys()])];
  const groups = keys
    .map((key) => ({
      key,
      name: (byKey.get(key) ?? keysBefore.get(key))?.[0]?.name ?? null,
      measures: sumOf(byKey.get(key) ?? [], start),
      previous: before && sumOf(keysBefore.get(key) ?? [], start),
    }))
    .toSorted(
      (one, other) => other.measures.net - one.measures.net || (one.key < other.key ? -1 : 1),
    );
  const netOf = (all: readonly Row[]) => all.reduce((sum, { measures }) => sum + measures.net, 0);
  const seriesOf = (all: readonly Row[], range: Days) => {
    const byDay = Map.groupBy(all, ({ day }) => day);
    return periodsOf(range, asked.unit).map((day) => ({ day, rows: byDay.get(day) ?? [] }));
  };
  return {
    groups,
    total: sumOf(rows, start),
    previousTotal: before && sumOf(before, start),
    series: seriesOf(rows, days).map(({ day, rows: own }) => ({
      day,
      net: netOf(own),
      groups: groups.map(({ key }) => netOf(own.filter((row) => row.key === key))),
    })),
    previousSeries:
      before && previous
        ? seriesOf(before, previous).map(({ day, rows: own }) => ({ day, net: netOf(own) }))
        : null,
  };
};

/** Each app's share of each package. */
export const readAppShare = async (db: Db, asked: { currency: string; rule: ShareRule } & Days) => {
  const { parts, names, packages, priceOf } = await findAppParts(db, asked);
  const netOf = (appId: string | null, packageId: string | null) => {
    const own = parts.filter(
      (part) =>
        (appId === null || part.appId === appId) &&
        (packageId === null || part.packageId === packageId),
    );
    return own.length === 0 ? null : own.reduce((sum, { measures }) => sum + measures.net, 0);
  };
  const byNet = (one: { net: number }, other: { net: number }) => other.net - one.net;
  const shownPackages = [...new Set(parts.map(({ packageId }) => packageId))]
    .map((key) => ({ key, name: packages.get(key) ?? null, net: netOf(null, key) ?? 0 }))
    .toSorted(byNet);
  const apps = [...new Set(parts.map(({ appId }) => appId))]
    .map((key) => ({
      key,
      name: names.get(key)?.name ?? null,
      icon: names.get(key)?.icon ?? null,
      listPrice: priceOf.get(key) ?? null,
      net: netOf(key, null) ?? 0,
      packages: shownPackages.map((one) => netOf(key, one.key)),
    }))
    .toSorted(byNet);
  return { packages: shownPackages, apps };
};
