import {
  listActiveSubscribers,
  listRetained,
  listRevenueRows,
  listShareRows,
} from "@purser/contract/reports/rows";
import type { FastifyInstance } from "fastify";
import { serve } from "#platform/http/serve.ts";
import { readAbout } from "../about.ts";
import { readRevenue } from "../revenue.ts";
import { noMeasures } from "../rules.ts";
import { readRetained, readRows, readSubscribers } from "./rows.ts";
import { readShareRows } from "./shareRows.ts";

/** The rows behind the numbers of reports. */
export const reportRowRoutes = (app: FastifyInstance) => {
  const zone = app.platform.config.COMPANY_TIME_ZONE;

  serve(app, listRevenueRows, async ({ db, query, now }) => {
    const about = await readAbout(db, query, { now, zone });
    const { currency, from, until, timeZone } = about;
    const { group, key, after } = query;
    const report = { currency, group, unit: "month", rule: "equal parts" } as const;
    const { groups } = await readRevenue(db, report, { from, until }, null);
    const own = groups.find((one) => one.key === key);
    const wanted = { group, key, currency, from, until, zone: timeZone };
    return {
      ...about,
      name: own?.name ?? null,
      total: own?.measures ?? noMeasures,
      ...(await readRows(db, wanted, after)),
    };
  });

  serve(app, listShareRows, async ({ db, query: { before, ...query }, now }) => {
    const about = await readAbout(db, query, { now, zone });
    const { currency, from, until } = about;
    return { ...about, ...(await readShareRows(db, { ...query, currency, from, until }, before)) };
  });

  serve(app, listActiveSubscribers, async ({ db, query: { after, ...query }, now }) => {
    const about = await readAbout(db, query, { now, zone });
    return { ...about, ...(await readSubscribers(db, about, after)) };
  });

  serve(app, listRetained, ({ db, query: { after, ...cohort } }) =>
    readRetained(db, cohort, after),
  );
};
