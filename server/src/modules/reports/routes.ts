import {
  getAppShare,
  getRevenue,
  getSummary,
  type SummaryTotals,
} from "@purser/contract/reports/endpoints";
import type { Comparison } from "@purser/contract/reports/period";
import {
  getMrr,
  getRetention,
  listMovements,
  movementLists,
} from "@purser/contract/reports/recurring";
import type { FastifyInstance } from "fastify";
import type { Db } from "#platform/db/db.ts";
import { serve } from "#platform/http/serve.ts";
import { findSettings } from "#platform/settings.ts";
import { localDateOf } from "../billing/periods.ts";
import {
  findCurrencies,
  findMovements,
  findMrr,
  findRetention,
  findSummary,
  movementsPerPage,
  sumMovements,
} from "./queries.ts";
import { readAppShare, readRevenue } from "./revenue.ts";
import {
  addMonths,
  cohortsOf,
  type Days,
  daysOf,
  mrrPeriods,
  periodOf,
  previousOf,
} from "./rules.ts";
import { findAge } from "./stateQueries.ts";

type Asked = {
  from?: string | undefined;
  until?: string | undefined;
  currency?: string | undefined;
  compare?: Comparison | undefined;
};

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

/** The last twelve months, if no days are given. */
const yearOf = ({ from, until }: Asked, today: string): Asked => {
  if (from !== undefined || until !== undefined) return { from, until };
  return { from: addMonths(periodOf(today, "month"), -11), until: today };
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

  /** What every report says about itself. */
  const aboutOf = async (db: Db, asked: Asked, now: Date, wanted?: (today: string) => Asked) => {
    const settings = await findSettings(db);
    const timeZone = settings.timeZone ?? config.COMPANY_TIME_ZONE;
    const today = localDateOf(now, timeZone);
    const days: Days = daysOf(wanted?.(today) ?? asked, today);
    const known = await findCurrencies(db, today);
    const currency = asked.currency ?? known[0] ?? settings.currencies[0] ?? "EUR";
    const currencies = known.includes(currency) ? known : [...known, currency];
    const previous = previousOf(days, asked.compare ?? "none");
    return { ...days, currency, currencies, previous, timeZone, ...(await findAge(db, now)) };
  };

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
    const { unit } = query;
    return { ...about, periods: mrrPeriods(await findMrr(db, { ...about, unit }), about, unit) };
  });

  serve(app, listMovements, async ({ db, query, now }) => {
    const about = await aboutOf(db, query, now);
    const wanted = { ...about, kinds: movementLists[query.list] };
    const found = await findMovements(db, wanted, placeOf(query.after));
    const items = found.slice(0, movementsPerPage);
    const last = items.at(-1);
    return {
      ...about,
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
