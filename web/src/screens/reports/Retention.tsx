import { t } from "@lingui/core/macro";
import { addDays, addMonths } from "@purser/contract/reports/days";
import { Link } from "@tanstack/react-router";
import { number } from "#lib/intl.ts";
import { sharePercent } from "#lib/money/reportNumbers.ts";
import { showMonth } from "#lib/time/reportDates.ts";
import { customersOf, retainedOf } from "#ui/reports/links.ts";
import { type Sorting, type SortKeys, sortTable } from "#ui/reports/sortTable.tsx";
import { TableScroll } from "#ui/reports/TableScroll.tsx";
import type { Retention } from "./queries.ts";

/** Six steps. The number in the cell carries the meaning. */
const heatOf = (share: number) => Math.max(1, Math.min(6, Math.ceil((share - 0.4) * 10)));

const monthOf = (first: string) => ({ from: first, until: addDays(addMonths(first, 1), -1) });

type Cohort = Retention["cohorts"][number];

const sortKeysOf = (places: readonly number[]): SortKeys<Cohort> => ({
  name: ({ month }) => month,
  customers: ({ customers }) => customers,
  ...Object.fromEntries(
    places.map((place) => [
      `month.${place}`,
      ({ active, customers }: Cohort) => (customers === 0 ? 0 : (active[place] ?? 0) / customers),
    ]),
  ),
});

type Props = { retention: Retention; sorting: Sorting };

/** How many customers of each month are still subscribed. */
export const RetentionReport = ({ retention, sorting }: Props) => {
  const { cohorts, currency } = retention;
  const months = Math.max(0, ...cohorts.map(({ active }) => active.length));
  const places = Array.from({ length: months }, (_, place) => place);
  const { sorted, head } = sortTable(cohorts, sortKeysOf(places), sorting);
  const averageOf = (place: number) => {
    const reached = cohorts.filter(({ active }) => active.length > place);
    const all = reached.reduce((sum, { customers }) => sum + customers, 0);
    const left = reached.reduce((sum, { active }) => sum + (active[place] ?? 0), 0);
    return all === 0 ? null : left / all;
  };
  if (cohorts.length === 0)
    return <p className="report-empty">{t`No first payments in this period.`}</p>;
  return (
    <section className="report-heat">
      <h2>{t`Customers still subscribed, by month of first payment`}</h2>
      <TableScroll label={t`Retention`}>
        <table className="plain-table report-table heat-table">
          <thead>
            <tr>
              {head("name", t`Cohort`, "start")}
              {head("customers", t`Customers`)}
              {places.map((place) => head(`month.${place}`, t`Month ${place}`))}
            </tr>
          </thead>
          <tbody>
            {sorted.map(({ month, customers, active }) => (
              <tr key={month}>
                <th>{showMonth(month)}</th>
                <td data-align="end">
                  <Link {...customersOf({ ...monthOf(month), currency }, "new")}>
                    {number(customers)}
                  </Link>
                </td>
                {places.map((place) => {
                  const left = active[place];
                  if (left === undefined) return <td key={place} />;
                  const share = customers === 0 ? 0 : left / customers;
                  return (
                    <td
                      key={place}
                      data-align="end"
                      data-heat={heatOf(share)}
                      data-tip={t`${number(left)} of ${number(customers)}`}
                    >
                      <Link {...retainedOf(currency, month, addMonths(month, place))}>
                        {sharePercent(share)}
                      </Link>
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th>{t`Weighted average`}</th>
              <td data-align="end">
                {number(cohorts.reduce((sum, { customers }) => sum + customers, 0))}
              </td>
              {places.map((place) => {
                const average = averageOf(place);
                return (
                  <td key={place} data-align="end">
                    {average === null ? "–" : sharePercent(average)}
                  </td>
                );
              })}
            </tr>
          </tfoot>
        </table>
      </TableScroll>
      <p className="chart-note">{t`The last month of each cohort is incomplete until it ends.`}</p>
    </section>
  );
};
