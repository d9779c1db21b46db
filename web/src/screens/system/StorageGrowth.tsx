import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { showShortDay } from "#lib/time/reportDates.ts";
import { Chart, type Series } from "#ui/charts/Chart.tsx";
import { ChartOrTable } from "#ui/charts/ChartOrTable.tsx";
import { sizeText } from "#ui/page/downloads.ts";
import { Failed } from "#ui/page/Empty.tsx";
import { Section } from "#ui/page/Page.tsx";
import { showDay } from "#ui/reports/period.ts";
import { type Growth, growthQuery } from "./queries.ts";
import "#ui/styles/plainTable.css";

const colors = [1, 2, 3, 4, 5] as const;

const seriesOf = ({ tables }: Growth): Series[] =>
  tables.map(({ table, bytes }, place) => ({
    label: table ?? t`All others`,
    values: bytes,
    color: colors[place] ?? 5,
  }));

const GrowthTable = ({ days, series }: { days: string[]; series: Series[] }) => (
  <table className="plain-table">
    <thead>
      <tr>
        <th scope="col">{t`Day`}</th>
        {series.map(({ label }) => (
          <th key={label} scope="col" data-align="end">
            {label}
          </th>
        ))}
        <th scope="col" data-align="end">{t`Total`}</th>
      </tr>
    </thead>
    <tbody>
      {days.map((day, place) => (
        <tr key={day}>
          <th scope="row">{showDay(day)}</th>
          {series.map(({ label, values }) => (
            <td key={label} data-align="end">
              {sizeText(values[place] ?? 0)}
            </td>
          ))}
          <td data-align="end">
            {sizeText(series.reduce((sum, { values }) => sum + (values[place] ?? 0), 0))}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** How the largest tables grew, as measured every night. */
export const StorageGrowth = () => {
  const { data, error, refetch } = useQuery(growthQuery);
  if (error && !data)
    return (
      <Section title={t`Storage growth`}>
        <Failed
          title={t`Couldn't load the growth of tables`}
          error={error}
          onRetry={() => refetch()}
        />
      </Section>
    );
  // Growth needs two measurements.
  if (!data || data.days.length < 2) return null;
  const series = seriesOf(data);
  return (
    <ChartOrTable
      title={t`Storage growth`}
      legend={series}
      note={t`Sizes are measured every night and include indexes.`}
      chart={
        <Chart
          kind="bars"
          label={t`Storage growth`}
          height={200}
          points={data.days.map((day) => ({ short: showShortDay(day), full: showDay(day) }))}
          series={series}
          format={sizeText}
          formatShort={sizeText}
        />
      }
      table={<GrowthTable days={data.days} series={series} />}
    />
  );
};
