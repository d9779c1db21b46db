import { t } from "@lingui/core/macro";
import { type MovementKind, movementKinds } from "@purser/contract/reports/recurring";
import { Link } from "@tanstack/react-router";
import { number, signedAmount } from "#lib/intl.ts";
import { compactAmount, sharePercent } from "#lib/money/reportNumbers.ts";
import { showMonth } from "#lib/time/reportDates.ts";
import { Chart } from "#ui/charts/Chart.tsx";
import { ChartOrTable } from "#ui/charts/ChartOrTable.tsx";
import { customersOf } from "#ui/reports/links.ts";
import { showDay } from "#ui/reports/period.ts";
import { TableScroll } from "#ui/reports/TableScroll.tsx";
import { exact, type Table } from "./csv.ts";
import type { Mrr } from "./queries.ts";

type Period = Mrr["periods"][number];

const movementLabels: Record<MovementKind, string> = {
  new: t`New`,
  expansion: t`Expansion`,
  reactivation: t`Reactivation`,
  contraction: t`Contraction`,
  churn: t`Churn`,
};

const colors: Record<MovementKind, 1 | 2 | 3 | 4 | 5> = {
  new: 1,
  expansion: 2,
  reactivation: 3,
  contraction: 5,
  churn: 4,
};

const netOf = (period: Period) => period.closing - period.opening;

const plus = (minor: number, currency: string) =>
  `${minor > 0 ? "+" : ""}${signedAmount(minor, currency)}`;

export const mrrTable = ({ periods, currency, from, until }: Mrr): Table => ({
  name: `mrr-${from}-${until}-${currency}`,
  head: [
    t`From`,
    t`To`,
    t`Opening MRR`,
    ...movementKinds.map((kind) => movementLabels[kind]),
    ...[t`Closing MRR`, t`Subscribers`, t`Currency`],
  ],
  rows: periods.map((period) => [
    period.day,
    period.until,
    exact(period.opening, currency),
    ...movementKinds.map((kind) => exact(period[kind].amount, currency)),
    ...[exact(period.closing, currency), period.closingSubscribers, currency],
  ]),
});

const MovementCell = ({
  period,
  kind,
  currency,
}: {
  period: Period;
  kind: MovementKind;
  currency: string;
}) => {
  const { amount, customers } = period[kind];
  if (customers === 0) return <td data-align="end">{plus(0, currency)}</td>;
  const place = customersOf({ from: period.day, until: period.until, currency }, kind);
  return (
    <td data-align="end">
      <Link {...place}>{plus(amount, currency)}</Link>
    </td>
  );
};

const MovementTable = ({ mrr: { periods, currency } }: { mrr: Mrr }) => {
  const sum = (kind: MovementKind) => periods.reduce((all, one) => all + one[kind].amount, 0);
  const [first, last] = [periods[0], periods.at(-1)];
  return (
    <TableScroll label={t`MRR`}>
      <table className="plain-table report-table">
        <thead>
          <tr>
            <th>{t`Month`}</th>
            <th data-align="end">{t`Opening MRR`}</th>
            {movementKinds.map((kind) => (
              <th key={kind} data-align="end">
                {movementLabels[kind]}
              </th>
            ))}
            <th data-align="end">{t`Net`}</th>
            <th data-align="end">{t`Closing MRR, ${currency}`}</th>
          </tr>
        </thead>
        <tbody>
          {periods.toReversed().map((period) => (
            <tr key={period.day}>
              <th>{showMonth(period.day)}</th>
              <td data-align="end">{signedAmount(period.opening, currency)}</td>
              {movementKinds.map((kind) => (
                <MovementCell key={kind} period={period} kind={kind} currency={currency} />
              ))}
              <td data-align="end">
                <b>{plus(netOf(period), currency)}</b>
              </td>
              <td data-align="end">
                <b>{signedAmount(period.closing, currency)}</b>
              </td>
            </tr>
          ))}
        </tbody>
        {first && last && (
          <tfoot>
            <tr>
              <th>{t`Total`}</th>
              <td data-align="end">{signedAmount(first.opening, currency)}</td>
              {movementKinds.map((kind) => (
                <td key={kind} data-align="end">
                  {plus(sum(kind), currency)}
                </td>
              ))}
              <td data-align="end">{plus(last.closing - first.opening, currency)}</td>
              <td data-align="end">{signedAmount(last.closing, currency)}</td>
            </tr>
          </tfoot>
        )}
      </table>
    </TableScroll>
  );
};

/** The churn of the last whole month. */
const churnOf = (periods: readonly Period[]) => {
  const whole = periods.at(-2);
  if (!whole || whole.opening === 0) return null;
  return { month: showMonth(whole.day), rate: -whole.churn.amount / whole.opening };
};

/** Recurring revenue from opening to closing. */
export const MrrReport = ({ mrr }: { mrr: Mrr }) => {
  const { periods, currency, until } = mrr;
  const [first, last] = [periods[0], periods.at(-1)];
  const churn = churnOf(periods);
  const all = movementKinds.map((kind) => ({
    label: movementLabels[kind],
    values: periods.map((period) => period[kind].amount),
    color: colors[kind],
  }));
  const net = { label: t`Net`, values: periods.map(netOf), color: 1 as const };
  return (
    <>
      <dl className="report-figures">
        <div>
          <dt>{t`MRR on ${showDay(until)}`}</dt>
          <dd>
            {signedAmount(last?.closing ?? 0, currency)} <small>{currency}</small>
          </dd>
        </div>
        <div>
          <dt>{t`Net new MRR`}</dt>
          <dd>
            {plus((last?.closing ?? 0) - (first?.opening ?? 0), currency)} <small>{currency}</small>
          </dd>
        </div>
        <div>
          <dt>{t`Active subscribers`}</dt>
          <dd>{number(last?.closingSubscribers ?? 0)}</dd>
        </div>
        {churn && (
          <div>
            <dt>{t`Churn rate, ${churn.month}`}</dt>
            <dd>{sharePercent(churn.rate)}</dd>
          </div>
        )}
      </dl>
      <ChartOrTable
        title={t`MRR movements`}
        legend={all}
        note={t`Days are in ${mrr.timeZone}. The line is the net of all movements.`}
        chart={
          <Chart
            kind="bars"
            label={t`MRR movements`}
            height={260}
            points={periods.map(({ day }) => ({ short: showMonth(day), full: showMonth(day) }))}
            series={all}
            line={net}
            format={(value) => `${plus(value, currency)} ${currency}`}
            formatShort={(value) => compactAmount(value, currency)}
          />
        }
        table={<MovementTable mrr={mrr} />}
      />
      <MovementTable mrr={mrr} />
    </>
  );
};
