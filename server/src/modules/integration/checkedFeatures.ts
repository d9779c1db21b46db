import type { Input } from "@purser/contract/http/endpoint";
import type { listCheckedFeatures } from "@purser/contract/integration/endpoints";
import type { Db } from "#platform/db/db.ts";
import { findCheckedFeatures, findNames } from "./figureQueries.ts";
import { checkedFeaturesOf, kindOf, listOfAll, periods, perMinuteOf, startOf } from "./rules.ts";

const featuresPerPage = 50;

type Asked = { appId: string; query: Input<typeof listCheckedFeatures>["query"]; now: Date };

/** The features that an app checked in a period that ends now. */
export const readCheckedFeatures = async (db: Db, { appId, query, now }: Asked) => {
  const { period, key = null, sort, after = 0 } = query;
  const from = startOf(period, now);
  const { resolution } = periods[period];
  const counts = await findCheckedFeatures(db, { appId, resolution, from, key });
  const all = checkedFeaturesOf(counts, sort);
  const page = all.slice(after, after + featuresPerPage);
  const codes = page.map(({ code }) => code);
  const names = new Map((await findNames(db, appId, codes)).map(({ code, name }) => [code, name]));
  const end = after + page.length;
  return {
    period,
    from,
    asOf: now,
    total: all.length,
    items: page.map(({ code, ...figures }) => ({
      kind: kindOf(code, names.get(code)),
      code: code === listOfAll ? "" : code,
      name: names.get(code) ?? null,
      ...figures,
      perMinute: perMinuteOf(figures.checks, from, now),
    })),
    next: end < all.length ? end : null,
  };
};
