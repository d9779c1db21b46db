import { t } from "@lingui/core/macro";
import type { ReportUnit, RevenueGroup } from "@purser/contract/reports/endpoints";
import { rowGroups } from "@purser/contract/reports/rows";
import { shares } from "@purser/contract/reports/shares";
import { Link, type LinkProps, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { nameOf, number, signedAmount } from "#lib/intl.ts";
import { compactAmount, sharePercent } from "#lib/money/reportNumbers.ts";
import { showMonth, showShortDay } from "#lib/time/reportDates.ts";
import { Chart, type Series } from "#ui/charts/Chart.tsx";
import { ChartOrTable } from "#ui/charts/ChartOrTable.tsx";
import { Delta } from "#ui/reports/Delta.tsx";
import { rowsOf } from "#ui/reports/links.ts";
import { showDay, showDays } from "#ui/reports/period.ts";
import { type Sorting, type SortKeys, sortTable } from "#ui/reports/sortTable.tsx";
import { TableScroll } from "#ui/reports/TableScroll.tsx";
import { taxName } from "#ui/reports/taxNames.ts";
import type { Revenue } from "./queries.ts";

type Group = Revenue["groups"][number];

const withoutKey: Record<RevenueGroup, string> = {
  total: t`All`,
  package: t`Without a package`,
  app: t`Without an app`,
  country: t`Unknown country`,
  promotion: t`Without a promotion`,
  tax: t`No tax`,
};

export const groupLabels: Record<RevenueGroup, string> = {
  total: t`All`,
  package: t`Package`,
  app: t`App`,
  country: t`Country`,
  promotion: t`Promotion`,
  tax: t`Tax`,
};

/** The name of a package, country, promotion or tax account. */
export const nameOfGroup = ({ key, name }: Pick<Group, "key" | "name">, group: RevenueGroup) => {
  if (key === "") return withoutKey[group];
  if (group === "country") return nameOf("region", key);
  return group === "tax" ? taxName(key) : (name ?? key);
};

const seriesMax = 5;
const colors = [1, 2, 3, 4, 5] as const;

/** The largest groups. The rest becomes "Other". */
const seriesOf = ({ groups, series }: Revenue, group: RevenueGroup): Series[] => {
  const shown = groups.length > seriesMax ? seriesMax - 1 : groups.length;
  const own = groups.slice(0, shown).map((one, place) => ({
    label: nameOfGroup(one, group),
    values: series.map((point) => point.groups[place] ?? 0),
    color: colors[place] ?? 5,
  }));
  if (shown === groups.length) return own;
  const rest = series.map((point) => point.groups.slice(shown).reduce((sum, net) => sum + net, 0));
  return [...own, { label: t`Other`, values: rest, color: 5 }];
};

const returned = ({ refunds, disputes }: Group["measures"]) => refunds + disputes;

const Linked = ({ to, children }: { to: LinkProps | null; children: ReactNode }) =>
  to ? <Link {...to}>{children}</Link> : children;

/** Where the rows of a group are listed. Apps have none, because they share those of packages. */
const linksTo = ({ previous, ...now }: Revenue, group: RevenueGroup, key: string) => {
  const { currency } = now;
  const own = rowGroups.find((one) => one === group);
  return {
    now: own ? (rowsOf(now, own, key) as LinkProps) : null,
    previous: own && previous ? (rowsOf({ ...previous, currency }, own, key) as LinkProps) : null,
  };
};

/** Payments with a promotion. Each counts once, under the highest discount. */
const redemptionsOf = ({ key, measures }: Group) => (key === "" ? 0 : (measures.payments ?? 0));

const Cells = ({
  measures,
  previous,
  share,
  currency,
  redemptions,
  rows,
  isOfTax,
}: {
  measures: Group["measures"];
  previous: Group["previous"];
  share: number;
  currency: string;
  /** Only for promotions, which also show what they cost. */
  redemptions: number | null;
  /** Where the rows behind the numbers of both periods are listed. */
  rows: { now: LinkProps | null; previous: LinkProps | null };
  isOfTax: boolean;
}) => (
  <>
    <td data-align="end">
      {measures.payments === null ? (
        "–"
      ) : (
        <Linked to={rows.now}>{number(measures.payments)}</Linked>
      )}
    </td>
    {redemptions !== null && (
      <>
        <td data-phone="below" data-label={t`Redemptions`} data-align="end">
          {number(redemptions)}
        </td>
        <td data-phone="below-end" data-label={t`Discount`} data-align="end">
          <Linked to={rows.now}>{signedAmount(measures.discount, currency)}</Linked>
        </td>
      </>
    )}
    <td data-align="end">
      <Linked to={rows.now}>{signedAmount(measures.charged, currency)}</Linked>
    </td>
    <td {...(isOfTax && { "data-phone": "below-end", "data-label": t`Tax` })} data-align="end">
      <Linked to={rows.now}>{signedAmount(-measures.tax, currency)}</Linked>
    </td>
    <td data-align="end">
      <Linked to={rows.now}>{signedAmount(-returned(measures), currency)}</Linked>
    </td>
    <td data-phone="end" data-align="end">
      <b>
        <Linked to={rows.now}>{signedAmount(measures.net, currency)}</Linked>
      </b>
    </td>
    <td
      {...(redemptions === null && { "data-phone": "below", "data-label": t`Share` })}
      data-align="end"
    >
      {sharePercent(share)}
    </td>
    <td data-align="end">
      {previous ? <Linked to={rows.previous}>{signedAmount(previous.net, currency)}</Linked> : "–"}
    </td>
    <td {...(redemptions === null && !isOfTax && { "data-phone": "below-end" })} data-align="end">
      {previous && <Delta now={measures.net} before={previous.net} />}
    </td>
  </>
);

type Row = Group & { label: string; share: number };

const sortKeys: SortKeys<Row> = {
  name: ({ label }) => label,
  payments: ({ measures }) => measures.payments ?? 0,
  redemptions: redemptionsOf,
  discount: ({ measures }) => measures.discount,
  charged: ({ measures }) => measures.charged,
  tax: ({ measures }) => measures.tax,
  returned: ({ measures }) => returned(measures),
  net: ({ measures }) => measures.net,
  share: ({ share }) => share,
  previous: ({ previous }) => previous?.net ?? 0,
  change: ({ measures, previous }) =>
    previous && previous.net !== 0 ? (measures.net - previous.net) / Math.abs(previous.net) : 0,
};

type TableProps = { revenue: Revenue; group: RevenueGroup; sorting: Sorting };

const RevenueTable = ({ revenue, group, sorting }: TableProps) => {
  const { total, previousTotal, currency } = revenue;
  const parts = shares(revenue.groups.map(({ measures }) => measures.net));
  const rows = revenue.groups.map((one, place) => ({
    ...one,
    share: parts[place] ?? 0,
    color: revenue.groups.length > seriesMax ? Math.min(5, place + 1) : place + 1,
    label: nameOfGroup(one, group),
  }));
  const { sorted, head } = sortTable(rows, sortKeys, sorting);
  const isOfPromotions = group === "promotion";
  const redeemed = rows.reduce((sum, one) => sum + redemptionsOf(one), 0);
  return (
    <TableScroll label={t`Revenue`}>
      <table className="plain-table report-table two-line">
        <thead>
          <tr>
            {head("name", groupLabels[group], "start")}
            {head("payments", t`Payments`)}
            {isOfPromotions && head("redemptions", t`Redemptions`)}
            {isOfPromotions && head("discount", t`Discount`)}
            {head("charged", t`Charged`)}
            {head("tax", t`Tax`)}
            {head("returned", t`Refunds and disputes`)}
            {head("net", t`Net revenue, ${currency}`)}
            {head("share", t`Share`)}
            {head("previous", t`Previous period`)}
            {head("change", t`Change`)}
          </tr>
        </thead>
        <tbody>
          {sorted.map(({ label, color, ...one }) => {
            const links = linksTo(revenue, group, one.key);
            return (
              <tr key={one.key}>
                <th data-phone="start">
                  <span className="chart-key" data-color={color}>
                    <Linked to={links.now}>{label}</Linked>
                  </span>
                </th>
                <Cells
                  {...one}
                  currency={currency}
                  redemptions={isOfPromotions ? redemptionsOf(one) : null}
                  rows={links}
                  isOfTax={group === "tax"}
                />
              </tr>
            );
          })}
          {rows.length === 0 && (
            <tr>
              <td
                data-phone="start"
                colSpan={isOfPromotions ? 11 : 9}
              >{t`No payments in this period.`}</td>
            </tr>
          )}
        </tbody>
        <tfoot>
          <tr>
            <th data-phone="start">{t`Total`}</th>
            <Cells
              measures={total}
              previous={previousTotal}
              share={rows.reduce((sum, one) => sum + one.share, 0)}
              currency={currency}
              redemptions={isOfPromotions ? redeemed : null}
              rows={linksTo(revenue, "total", "")}
              isOfTax={group === "tax"}
            />
          </tr>
        </tfoot>
      </table>
    </TableScroll>
  );
};

/** The values of the chart. */
const SeriesTable = ({ revenue, all }: { revenue: Revenue; all: readonly Series[] }) => (
  <table className="plain-table report-table">
    <thead>
      <tr>
        <th>{t`From`}</th>
        {all.map(({ label }) => (
          <th key={label} data-align="end">
            {label}
          </th>
        ))}
        <th data-align="end">{t`Total, ${revenue.currency}`}</th>
      </tr>
    </thead>
    <tbody>
      {revenue.series.map(({ day, net }, place) => (
        <tr key={day}>
          <th>{showDay(day)}</th>
          {all.map(({ label, values }) => (
            <td key={label} data-align="end">
              {signedAmount(values[place] ?? 0, revenue.currency)}
            </td>
          ))}
          <td data-align="end">{signedAmount(net, revenue.currency)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** The group of a bar. Those of apps and "Other" have no rows of their own. */
const ownGroupAt = ({ groups }: Revenue, group: RevenueGroup, bar: number | undefined) => {
  const own = rowGroups.find((one) => one === group);
  const isOther = groups.length > seriesMax && bar === seriesMax - 1;
  const found = bar === undefined || isOther ? undefined : groups[bar];
  return own && found ? { group: own, key: found.key } : { group: "total", key: "" };
};

const lastDayOf = (days: readonly { day: string }[], place: number, until: string) => {
  const next = days[place + 1]?.day;
  if (!next) return until;
  return new Date(Date.parse(`${next}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
};

type Props = TableProps & { unit: ReportUnit };

/** Revenue by group, as bars over time and as a table. */
export const RevenueReport = ({ revenue, group, unit, sorting }: Props) => {
  const { currency, series, total, previousTotal, previous, timeZone, from, until } = revenue;
  const navigate = useNavigate();
  const all = seriesOf(revenue, group);
  const open = (place: number, bar?: number) => {
    const day = series[place]?.day ?? from;
    const period = { from: day < from ? from : day, until: lastDayOf(series, place, until) };
    const of = ownGroupAt(revenue, group, bar);
    void navigate(rowsOf({ ...period, currency }, of.group, of.key) as never);
  };
  return (
    <>
      <div className="report-lead">
        <span>{t`Net revenue`}</span>
        <b>
          {signedAmount(total.net, currency)} <small>{currency}</small>
        </b>
        {previousTotal && (
          <>
            <Delta now={total.net} before={previousTotal.net} />
            <small>{t`was ${signedAmount(previousTotal.net, currency)}`}</small>
            {previous && <small>{showDays(previous)}</small>}
          </>
        )}
      </div>
      <ChartOrTable
        title={t`Net revenue over time`}
        legend={all}
        note={t`Days are in ${timeZone}.`}
        chart={
          <Chart
            kind="bars"
            label={t`Net revenue over time`}
            height={260}
            points={series.map(({ day }) => ({
              short: unit === "month" ? showMonth(day) : showShortDay(day),
              full: unit === "month" ? showMonth(day) : showDay(day),
            }))}
            series={all}
            format={(value) => `${signedAmount(value, currency)} ${currency}`}
            formatShort={(value) => compactAmount(value, currency)}
            onOpen={open}
          />
        }
        table={<SeriesTable revenue={revenue} all={all} />}
      />
      <RevenueTable revenue={revenue} group={group} sorting={sorting} />
    </>
  );
};
