import { t } from "@lingui/core/macro";
import { Link, useNavigate } from "@tanstack/react-router";
import { amount, signedAmount } from "#lib/intl.ts";
import { compactAmount } from "#lib/money/reportNumbers.ts";
import { showShortDay } from "#lib/time/reportDates.ts";
import type { Revenue } from "#screens/reports/queries.ts";
import { Chart, type Series } from "#ui/charts/Chart.tsx";
import { ChartOrTable } from "#ui/charts/ChartOrTable.tsx";
import { rowsOf } from "#ui/reports/links.ts";
import { showDay, showDays, today } from "#ui/reports/period.ts";
import "#ui/reports/reports.css";
import "#ui/styles/plainTable.css";

export type Lane = { id: string; name: string; startsAt: string | null; endsAt: string | null };

const timeOf = (day: string) => Date.parse(`${day}T00:00:00Z`);
const dayMs = 86_400_000;

/** Which promotions ran, below the days. */
const PromotionLanes = ({
  lanes,
  from,
  until,
  scale: { left, width },
}: {
  lanes: readonly Lane[];
  from: string;
  until: string;
  scale: { left: number; width: number };
}) => {
  const [first, last] = [timeOf(from), timeOf(until) + dayMs];
  const placeOf = (at: number) =>
    ((Math.min(last, Math.max(first, at)) - first) / (last - first)) * width;
  return (
    <ul className="promotion-lanes" aria-label={t`Promotions`} style={{ marginInlineStart: left }}>
      {lanes.map(({ id, name, startsAt, endsAt }) => {
        const start = placeOf(startsAt ? Date.parse(startsAt) : first);
        const end = placeOf(endsAt ? Date.parse(endsAt) : last);
        return (
          <li key={id} style={{ marginInlineStart: start, width: Math.max(2, end - start) }}>
            <span>{name}</span>
          </li>
        );
      })}
    </ul>
  );
};

type DayNet = { day: string; net: number };

/** What the payments, credits, refunds and disputes of a day add up to. It opens them. */
const DayCell = ({ of, currency }: { of: DayNet | undefined; currency: string }) => (
  <td data-align="end">
    {of ? (
      <Link {...rowsOf({ from: of.day, until: of.day, currency }, "total", "")}>
        {signedAmount(of.net, currency)}
      </Link>
    ) : (
      "–"
    )}
  </td>
);

type Props = { revenue: Revenue; lanes: readonly Lane[]; height: number };

/** Net revenue by day with the period before, and as a table. */
export const RevenueChart = ({ revenue, lanes, height }: Props) => {
  const { series, previousSeries, currency, from, until, previous, timeZone } = revenue;
  const navigate = useNavigate();
  const now = today();
  const open = (place: number) => {
    const day = series[place]?.day;
    if (day) void navigate(rowsOf({ from: day, until: day, currency }, "total", "") as never);
  };
  const main: Series = {
    label: showDays({ from, until }),
    values: series.map(({ net }) => net),
    color: 1,
  };
  const before: Series[] =
    previousSeries && previous
      ? [
          {
            label: showDays(previous),
            values: series.map((_, place) => previousSeries[place]?.net ?? 0),
            color: 4,
          },
        ]
      : [];
  const soFar = series.find(({ day }) => day === now);
  return (
    <ChartOrTable
      title={t`Net revenue by day`}
      legend={[main, ...before]}
      note={
        <>
          {soFar && t`Today so far ${amount(soFar.net, currency)} ${currency}.`}{" "}
          {t`Days are in ${timeZone}. Revenue is net of tax, refunds and disputes.`}
        </>
      }
      chart={
        <Chart
          kind="line"
          label={t`Net revenue by day`}
          height={height}
          points={series.map(({ day }) => ({
            short: showShortDay(day),
            full: showDay(day),
          }))}
          series={[main, ...before]}
          isLastOpen={series.at(-1)?.day === now}
          format={(value) => `${signedAmount(value, currency)} ${currency}`}
          formatShort={(value) => compactAmount(value, currency)}
          onOpen={open}
          below={(scale) =>
            lanes.length > 0 && (
              <PromotionLanes lanes={lanes} from={from} until={until} scale={scale} />
            )
          }
        />
      }
      table={
        <table className="plain-table report-table">
          <thead>
            <tr>
              <th>{t`Day`}</th>
              <th data-align="end">{t`Net revenue, ${currency}`}</th>
              {previousSeries && <th data-align="end">{t`Previous period`}</th>}
            </tr>
          </thead>
          <tbody>
            {series.map((one, place) => (
              <tr key={one.day}>
                <th>{showDay(one.day)}</th>
                <DayCell of={one} currency={currency} />
                {previousSeries && <DayCell of={previousSeries[place]} currency={currency} />}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th>{t`Total`}</th>
              <td data-align="end">{signedAmount(revenue.total.net, currency)}</td>
              {previousSeries && (
                <td data-align="end">{signedAmount(revenue.previousTotal?.net ?? 0, currency)}</td>
              )}
            </tr>
          </tfoot>
        </table>
      }
    />
  );
};
