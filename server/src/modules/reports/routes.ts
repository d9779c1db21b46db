import {
  getAppShare,
  getRevenue,
  getSummary,
  type SummaryTotals,
} from "@purser/contract/reports/endpoints";
import {
  getMrr,
  getRetention,
  listMovements,
  movementLists,
} from "@purser/contract/reports/recurring";
import type { FastifyInstance } from "fastify";
import type { Db } from "#platform/db/db.ts";
import { serve } from "#platform/http/serve.ts";
import { type Asked, readAbout, yearOf } from "./about.ts";
import {
  findMovements,
  findMrr,
  findMrrByPackage,
  findPackageName,
  findRetention,
  findSummary,
  movementsPerPage,
  sumMovements,
} from "./queries.ts";
import { readAppShare, readRevenue } from "./revenue.ts";
import { cohortsOf, mrrPackages, mrrPeriods } from "./rules.ts";

type SummaryRow = Awaited<ReturnType<typeof findSummary>>[number];

const sums = ["net", "refunds", "disputes", "gained", "lost", "trialsPaid", "trialsLost"] as const;

/** Sums of the days, and recurring revenue and subscribers at the end of the last. */
const totalsOf = (days: readonly SummaryRow[]): SummaryTotals => {
  const added = sums.map((name) => [name, days.reduce((sum, day) => sum + day[name], 0)]);
  const { mrr = 0, subscribers = 0 } = days.at(-1) ?? {};
  return {
    ...(Object.fromEntries(added) as Record<(typeof sums)[number], number>),
    mrr,
    subscribers,
  };
};

/** A cursor is the day, the customer and the kind of the last row. Kinds have no underscore. */
const cursorOf = ({ day, user, kind }: { day: string; user: { id: string }; kind: string }) =>
  [day, user.id, kind.replace(" ", "-")].join("_");

const placeOf = (cursor: string | undefined) => {
  const [day, userId, kind] = cursor?.split("_") ?? [];
  return day && userId && kind ? { day, userId, kind: kind.replace("-", " ") } : null;
};

export const reportRoutes = (app: FastifyInstance) => {
  const { config } = app.platform;

  const aboutOf = (db: Db, asked: Asked, now: Date, wanted?: (today: string) => Asked) =>
    readAbout(db, asked, { now, zone: config.COMPANY_TIME_ZONE }, wanted);

  serve(app, getSummary, async ({ db, query, now }) => {
    const about = await aboutOf(db, query, now);
    const days = await findSummary(db, about);
    const before =
      about.previous && (await findSummary(db, { currency: about.currency, ...about.previous }));
    return {
      ...about,
      totals: totalsOf(days),
      previousTotals: before && totalsOf(before),
      days: days.map(({ refunds, disputes, ...day }) => ({ ...day, returned: refunds + disputes })),
    };
  });

  serve(app, getRevenue, async ({ db, query, now }) => {
    const about = await aboutOf(db, query, now);
    const { currency, from, until, previous } = about;
    const asked = { currency, group: query.group, unit: query.unit, rule: query.rule };
    return { ...about, ...(await readRevenue(db, asked, { from, until }, previous)) };
  });

  serve(app, getMrr, async ({ db, query, now }) => {
    const about = await aboutOf(db, query, now, (today) => yearOf(query, today));
    const { unit, package: packageId = null } = query;
    const found = await findMrr(db, { ...about, unit, packageId });
    return {
      ...about,
      package: await findPackageName(db, packageId),
      periods: mrrPeriods(found, about, unit),
      packages: query.group === "package" ? mrrPackages(await findMrrByPackage(db, about)) : null,
    };
  });

  serve(app, listMovements, async ({ db, query, now }) => {
    const about = await aboutOf(db, query, now);
    const { package: packageId = null } = query;
    const wanted = { ...about, kinds: movementLists[query.list], packageId };
    const found = await findMovements(db, wanted, placeOf(query.after));
    const items = found.slice(0, movementsPerPage);
    const last = items.at(-1);
    return {
      ...about,
      package: await findPackageName(db, packageId),
      ...(await sumMovements(db, wanted)),
      items,
      next: found.length > items.length && last ? cursorOf(last) : null,
    };
  });

  serve(app, getRetention, async ({ db, query, now }) => {
    const about = await aboutOf(db, query, now, (today) => yearOf(query, today));
    return { ...about, cohorts: cohortsOf(await findRetention(db, about), about.until) };
  });

  serve(app, getAppShare, async ({ db, query, now }) => {
    const about = await aboutOf(db, query, now);
    return { ...about, ...(await readAppShare(db, { ...about, rule: query.rule })) };
  });
};
