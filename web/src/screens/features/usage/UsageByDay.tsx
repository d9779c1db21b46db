import { t } from "@lingui/core/macro";
import { number } from "#lib/intl.ts";
import { dayMs, formatOf } from "#lib/time/dates.ts";
import { Chart } from "#ui/charts/Chart.tsx";
import { ChartOrTable } from "#ui/charts/ChartOrTable.tsx";
import { showDay } from "#ui/reports/period.ts";
import "#ui/charts/charts.css";
import "#ui/styles/plainTable.css";
import type { FeatureUsage } from "./queries.ts";

const shortDay = (day: string) =>
  formatOf({ day: "numeric", month: "short", timeZone: "UTC" }).format(new Date(day));

/** Every day of the figures, also those without usage. */
const daysOf = ({ since, to, days }: FeatureUsage) => {
  const known = new Map(days.map((one) => [one.day, one]));
  const first = Date.parse(since ?? to);
  return Array.from({ length: (Date.parse(to) - first) / dayMs + 1 }, (_, place) => {
    const day = new Date(first + place * dayMs).toISOString().slice(0, 10);
    return known.get(day) ?? { day, used: 0, customers: 0 };
  });
};

/** What all customers used, day by day. */
export const UsageByDay = ({ usage }: { usage: FeatureUsage }) => {
  const days = daysOf(usage);
  return (
    <ChartOrTable
      title={t`Usage by day`}
      chart={
        <Chart
          kind="bars"
          label={t`Usage by day`}
          height={180}
          points={days.map(({ day }) => ({ short: shortDay(day), full: showDay(day) }))}
          series={[{ label: t`Used`, values: days.map(({ used }) => used), color: 1 }]}
          format={number}
          formatShort={number}
        />
      }
      table={
        <table className="plain-table">
          <thead>
            <tr>
              <th scope="col">{t`Day`}</th>
              <th scope="col" data-align="end">{t`Used`}</th>
              <th scope="col" data-align="end">{t`Customers`}</th>
            </tr>
          </thead>
          <tbody>
            {days.toReversed().map(({ day, used, customers }) => (
              <tr key={day}>
                <th scope="row">{showDay(day)}</th>
                <td data-align="end">{number(used)}</td>
                <td data-align="end">{number(customers)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      }
    />
  );
};
