import { t } from "@lingui/core/macro";
import { decimal, number } from "#lib/intl.ts";
import { formatDateTime, formatOf, formatTime } from "#lib/time/dates.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import { Chart, type Series } from "#ui/charts/Chart.tsx";
import { ChartOrTable } from "#ui/charts/ChartOrTable.tsx";
import "#ui/styles/plainTable.css";
import { durationText, rateText } from "./CheckFigures.tsx";
import type { Integration } from "./queries.ts";

type Point = Integration["points"][number];

const shortTime = (period: Integration["period"], zone: string, at: Date) =>
  period === "month"
    ? formatOf({ day: "numeric", month: "short", timeZone: zone }).format(at)
    : formatTime(zone, at);

const usePoints = ({ period, points }: Integration) => {
  const zone = useTimeZone();
  return points.map(({ at }) => ({
    short: shortTime(period, zone, new Date(at)),
    full: formatDateTime(zone, new Date(at)),
  }));
};

/** In seconds from one on, because the axis has no room for more digits. */
const axisMs = (ms: number) =>
  ms >= 1000
    ? t`${decimal(ms / 1000, 1)} s`
    : t`${decimal(ms, ms < 10 && ms % 1 !== 0 ? 1 : 0)} ms`;

type TableProps = {
  times: readonly { full: string }[];
  points: readonly Point[];
  columns: readonly { label: string; cell: (point: Point) => string }[];
};

const PointTable = ({ times, points, columns }: TableProps) => (
  <table className="plain-table">
    <thead>
      <tr>
        <th scope="col">{t`From`}</th>
        {columns.map(({ label }) => (
          <th key={label} scope="col" data-align="end">
            {label}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {points.map((point, place) => (
        <tr key={point.at}>
          <th scope="row">{times[place]?.full}</th>
          {columns.map(({ label, cell }) => (
            <td key={label} data-align="end">
              {cell(point)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

const height = 180;

/** Checks per second over the period. */
export const RateChart = ({ shown }: { shown: Integration }) => {
  const times = usePoints(shown);
  const { points } = shown;
  return (
    <ChartOrTable
      title={t`Checks per second`}
      chart={
        <Chart
          kind="line"
          label={t`Checks per second`}
          height={height}
          points={times}
          series={[
            {
              label: t`Checks per second`,
              values: points.map(({ perSecond }) => perSecond),
              color: 1,
            },
          ]}
          isLastOpen
          format={rateText}
          formatShort={rateText}
        />
      }
      table={
        <PointTable
          times={times}
          points={points}
          columns={[
            { label: t`Checks`, cell: ({ checks }) => number(checks) },
            { label: t`Denied`, cell: ({ denied }) => number(denied) },
            { label: t`Per second`, cell: ({ perSecond }) => rateText(perSecond) },
          ]}
        />
      }
    />
  );
};

/** The latency of checks over the period. */
export const LatencyChart = ({ shown }: { shown: Integration }) => {
  const times = usePoints(shown);
  const { points } = shown;
  const series: [Series, Series] = [
    { label: t`p99`, values: points.map(({ p99 }) => p99 ?? 0), color: 1 },
    { label: t`p50`, values: points.map(({ p50 }) => p50 ?? 0), color: 2 },
  ];
  return (
    <ChartOrTable
      title={t`Latency`}
      legend={series}
      chart={
        <Chart
          kind="line"
          label={t`Latency`}
          height={height}
          points={times}
          series={series}
          isLastOpen
          format={axisMs}
          formatShort={axisMs}
        />
      }
      table={
        <PointTable
          times={times}
          points={points}
          columns={[
            { label: t`p50, ms`, cell: ({ p50 }) => durationText(p50) },
            { label: t`p99, ms`, cell: ({ p99 }) => durationText(p99) },
          ]}
        />
      }
    />
  );
};
