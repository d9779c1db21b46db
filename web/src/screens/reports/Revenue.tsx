import { t } from "@lingui/core/macro";
import type { ReportUnit, RevenueGroup } from "@purser/contract/reports/endpoints";
import { Link, useNavigate } from "@tanstack/react-router";
import { nameOf, number, signedAmount } from "#lib/intl.ts";
import { compactAmount, sharePercent } from "#lib/money/reportNumbers.ts";
import { showMonth, showShortDay } from "#lib/time/reportDates.ts";
import { Chart, type Series } from "#ui/charts/Chart.tsx";
import { ChartOrTable } from "#ui/charts/ChartOrTable.tsx";
import { Delta } from "#ui/reports/Delta.tsx";
import { settledIn } from "#ui/reports/links.ts";
import { showDay } from "#ui/reports/period.ts";
import { shares } from "#ui/reports/shares.ts";
import { TableScroll } from "#ui/reports/TableScroll.tsx";
import { taxName } from "#ui/reports/taxNames.ts";
import { exact, type Table } from "./csv.ts";
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

const nameOfGroup = ({ key, name }: Pick<Group, "key" | "name">, group: RevenueGroup) => {
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

/** The table as a file, with exact amounts. */
export const revenueTable = (revenue: Revenue, group: RevenueGroup): Table => {
  const { currency, groups, from, until } = revenue;
  const parts = shares(groups.map(({ measures }) => measures.net));
  const money = (minor: number) => exact(minor, currency);
  return {
    name: `revenue-by-${group}-${from}-${until}-${currency}`,
    head: [
      ...[groupLabels[group], t`Payments`, t`Charged`, t`Tax`, t`Refunds`, t`Disputes`],
      ...[t`Net revenue`, t`Discount`, t`Share`, t`Previous period`, t`Currency`],
    ],
    rows: groups.map((one, place) => [
      nameOfGroup(one, group),
      one.measures.payments,
      ...[one.measures.charged, one.measures.tax].map(money),
      ...[one.measures.refunds, one.measures.disputes].map(money),
      ...[one.measures.net, one.measures.discount].map(money),
      parts[place] ?? 0,
      one.previous && money(one.previous.net),
      currency,
    ]),
  };
};

const Cells = ({
  measures,
  previous,
  share,
  currency,
}: {
  measures: Group["measures"];
  previous: Group["previous"];
  share: number;
  currency: string;
}) => (
  <>
    <td data-align="end">{measures.payments === null ? "–" : number(measures.payments)}</td>
    <td data-align="end">{signedAmount(measures.charged, currency)}</td>
    <td data-align="end">{signedAmount(-measures.tax, currency)}</td>
    <td data-align="end">{signedAmount(-returned(measures), currency)}</td>
    <td data-align="end">
      <b>{signedAmount(measures.net, currency)}</b>
    </td>
    <td data-align="end">{sharePercent(share)}</td>
    <td data-align="end">{previous ? signedAmount(previous.net, currency) : "–"}</td>
    <td data-align="end">{previous && <Delta now={measures.net} before={previous.net} />}</td>
  </>
);

const RevenueTable = ({ revenue, group }: { revenue: Revenue; group: RevenueGroup }) => {
  const { groups, total, previousTotal, currency } = revenue;
  const parts = shares(groups.map(({ measures }) => measures.net));
  return (
    <TableScroll label={t`Revenue`}>
      <table className="plain-table report-table">
        <thead>
          <tr>
            <th>{groupLabels[group]}</th>
            <th data-align="end">{t`Payments`}</th>
            <th data-align="end">{t`Charged`}</th>
            <th data-align="end">{t`Tax`}</th>
            <th data-align="end">{t`Refunds and disputes`}</th>
            <th data-align="end">{t`Net revenue, ${currency}`}</th>
            <th data-align="end">{t`Share`}</th>
            <th data-align="end">{t`Previous period`}</th>
            <th data-align="end">{t`Change`}</th>
          </tr>
        </thead>
        <tbody>
          {groups.map((one, place) => (
            <tr key={one.key}>
              <th>
                <span
                  className="chart-key"
                  data-color={groups.length > seriesMax ? Math.min(5, place + 1) : place + 1}
                >
                  {group === "package" && one.key !== "" ? (
                    <Link {...settledIn(revenue, `package:any:${one.key}`)}>
                      {nameOfGroup(one, group)}
                    </Link>
                  ) : (
                    nameOfGroup(one, group)
                  )}
                </span>
              </th>
              <Cells {...one} share={parts[place] ?? 0} currency={currency} />
            </tr>
          ))}
          {groups.length === 0 && (
            <tr>
              <td colSpan={9}>{t`No payments in this period.`}</td>
            </tr>
          )}
        </tbody>
        <tfoot>
          <tr>
            <th>{t`Total`}</th>
            <Cells measures={total} previous={previousTotal} share={1} currency={currency} />
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

const lastDayOf = (days: readonly { day: string }[], place: number, until: string) => {
  const next = days[place + 1]?.day;
  if (!next) return until;
  return new Date(Date.parse(`${next}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
};

type Props = { revenue: Revenue; group: RevenueGroup; unit: ReportUnit };

/** Revenue by group, as bars over time and as a table. */
export const RevenueReport = ({ revenue, group, unit }: Props) => {
  const { currency, series, total, previousTotal, timeZone, from, until } = revenue;
  const navigate = useNavigate();
  const all = seriesOf(revenue, group);
  const open = (place: number) => {
    const day = series[place]?.day ?? from;
    const period = { from: day < from ? from : day, until: lastDayOf(series, place, until) };
    void navigate(settledIn({ ...period, currency }) as never);
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
      <RevenueTable revenue={revenue} group={group} />
    </>
  );
};
