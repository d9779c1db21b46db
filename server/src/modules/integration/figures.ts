import type { IntegrationPeriod } from "@purser/contract/integration/endpoints";
import { findKeys } from "#modules/apps/queries.ts";
import type { Db } from "#platform/db/db.ts";
import {
  countByKey,
  countCustomers,
  customersMax,
  findCounts,
  findNames,
  findRates,
} from "./figureQueries.ts";
import { featuresOf, kindOf, periods, pointsOf, reasonsOf, startOf, totalsOf } from "./rules.ts";

type Wanted = { appId: string; period: IntegrationPeriod; key: string | null; now: Date };

/** Features with their own row, and those of them whose customers are counted. */
const listedMax = 100;
const countedMax = 10;

type Asked = ReturnType<typeof featuresOf>[number];

const add = (one: Asked, other: Asked) => ({
  code: one.code,
  checks: one.checks + other.checks,
  denied: one.denied + other.denied,
});

/** The first ones, and the sum of all others. */
const withOthers = (all: readonly Asked[]) => {
  const named = all.filter(({ code }) => code !== "");
  const others = [...all.filter(({ code }) => code === ""), ...named.slice(listedMax)];
  const sum = others.reduce(add, { code: "", checks: 0, denied: 0 });
  return sum.checks > 0 ? [...named.slice(0, listedMax), sum] : named;
};

const findFeatures = async (db: Db, { appId, key }: Wanted, all: readonly Asked[], from: Date) => {
  const listed = withOthers(all);
  const codes = listed.map(({ code }) => code);
  const names = new Map((await findNames(db, appId, codes)).map(({ code, name }) => [code, name]));
  const denied = listed.filter(({ code, denied: count }) => count > 0 && names.has(code));
  const counted =
    key === null
      ? await countCustomers(
          db,
          appId,
          denied.slice(0, countedMax).map(({ code }) => code),
          from,
        )
      : [];
  const customers = new Map(counted.map((one) => [one.code, one.customers]));
  return listed.map(({ code, ...counts }) => {
    const kind = kindOf(code, names.get(code));
    const count = customers.get(code);
    return {
      kind,
      code: kind === "list" ? "" : code,
      name: names.get(code) ?? null,
      ...counts,
      customers: count === undefined ? null : { count, isMore: count >= customersMax },
    };
  });
};

const findKeysInUse = async (db: Db, { appId, period, now }: Wanted, from: Date) => {
  const resolution = periods[period].rateResolution;
  const counted = new Map(
    (await countByKey(db, { appId, resolution, from })).map((one) => [one.id, one]),
  );
  const keys = await findKeys(db, appId);
  return keys
    .map((key) => ({
      ...key,
      checks: counted.get(key.id)?.checks ?? 0,
      denied: counted.get(key.id)?.denied ?? 0,
    }))
    .filter(
      ({ checks, revokedAt, expiresAt }) =>
        checks > 0 || (revokedAt === null && (expiresAt === null || expiresAt > now)),
    )
    .toSorted((one, other) => other.checks - one.checks);
};

/** The checks of an app in a period that ends now. */
export const findFigures = async (db: Db, wanted: Wanted) => {
  const { appId, period, key, now } = wanted;
  const { resolution, rateResolution } = periods[period];
  const from = startOf(period, now);
  const rates = await findRates(db, { appId, resolution: rateResolution, from, key });
  const counts = await findCounts(db, { appId, resolution, from, key });
  return {
    period,
    from,
    asOf: now,
    ...totalsOf(period, rates),
    points: pointsOf(period, rates, now),
    reasons: reasonsOf(counts),
    features: await findFeatures(db, wanted, featuresOf(counts), from),
    keys: await findKeysInUse(db, wanted, from),
  };
};
