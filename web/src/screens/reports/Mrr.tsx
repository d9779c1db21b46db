import { t } from "@lingui/core/macro";
import { addDays, addMonths, firstOfMonth } from "@purser/contract/reports/days";
import { type MovementKind, movementKinds } from "@purser/contract/reports/recurring";
import { Link, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { number, signedAmount } from "#lib/intl.ts";
import { compactAmount, sharePercent } from "#lib/money/reportNumbers.ts";
import { showMonth, showShortDay } from "#lib/time/reportDates.ts";
import { Chart } from "#ui/charts/Chart.tsx";
import { ChartOrTable } from "#ui/charts/ChartOrTable.tsx";
import { customersOf, reportAt, subscribersOf } from "#ui/reports/links.ts";
import { showDay } from "#ui/reports/period.ts";
import { type Sorting, type SortKeys, sortTable } from "#ui/reports/sortTable.tsx";
import { TableScroll } from "#ui/reports/TableScroll.tsx";
import type { Mrr } from "./queries.ts";

type Period = Mrr["periods"][number];
type PackageChange = NonNullable<Mrr["packages"]>[number];
type Change = Omit<Period, "day" | "until">;

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

const netOf = ({ closing, opening }: Change) => closing - opening;

const plus = (minor: number, currency: string) =>
  `${minor > 0 ? "+" : ""}${signedAmount(minor, currency)}`;

type Row = {
  key: string;
  /** What it is sorted by. */
  name: string;
  label: ReactNode;
  change: Change;
  /** What its customers are looked up by. */
  from: string;
  until: string;
  packageId: string | null;
};

/** Who was subscribed at the end of a day. Packages have no such list. */
const Subscribed = ({
  on,
  minor,
  isOfAll,
  currency,
}: {
  on: string;
  minor: number;
  isOfAll: boolean;
  currency: string;
}) => {
  const shown = signedAmount(minor, currency);
  return isOfAll ? (
    <Link {...subscribersOf({ from: on, until: on, currency })}>{shown}</Link>
  ) : (
    shown
  );
};

const MovementCell = ({
  row: { change, from, until, packageId },
  kind,
  currency,
}: {
  row: Row;
  kind: MovementKind;
  currency: string;
}) => {
  const { amount, customers } = change[kind];
  if (customers === 0) return <td data-align="end">{plus(0, currency)}</td>;
  return (
    <td data-align="end">
      <Link {...customersOf({ from, until, currency }, kind, packageId)}>
        {plus(amount, currency)}
      </Link>
    </td>
  );
};

const sortKeys: SortKeys<Row> = {
  name: ({ name }) => name,
  opening: ({ change }) => change.opening,
  ...Object.fromEntries(
    movementKinds.map((kind) => [kind, ({ change }: Row) => change[kind].amount]),
  ),
  net: ({ change }) => netOf(change),
  closing: ({ change }) => change.closing,
};

type TableProps = {
  title: string;
  sorting: Sorting;
  rows: readonly Row[];
  total: { opening: number; closing: number };
  currency: string;
  /** What the customers of the total are looked up by. */
  period: { from: string; until: string };
  chosen: string | null;
};

const MovementTable = (props: TableProps) => {
  const { title, sorting, rows, total, currency, period, chosen } = props;
  const { sorted, head } = sortTable(rows, sortKeys, sorting);
  const sum = (kind: MovementKind) =>
    rows.reduce((all, { change }) => all + change[kind].amount, 0);
  return (
    <TableScroll label={t`MRR`}>
      <table className="plain-table report-table two-line">
        <thead>
          <tr>
            {head("name", title, "start")}
            {head("opening", t`Opening MRR`)}
            {movementKinds.map((kind) => head(kind, movementLabels[kind]))}
            {head("net", t`Net`)}
            {head("closing", t`Closing MRR, ${currency}`)}
          </tr>
        </thead>
        <tbody>
          {sorted.map((row) => (
            <tr key={row.key}>
              <th data-phone="start">{row.label}</th>
              <td data-phone="below" data-label={t`Opening MRR`} data-align="end">
                <Subscribed
                  on={addDays(row.from, -1)}
                  minor={row.change.opening}
                  isOfAll={row.packageId === null}
                  currency={currency}
                />
              </td>
              {movementKinds.map((kind) => (
                <MovementCell key={kind} row={row} kind={kind} currency={currency} />
              ))}
              <td data-phone="below-end" data-label={t`Net`} data-align="end">
                <b>
                  <Link {...customersOf({ ...row, currency }, "all", row.packageId)}>
                    {plus(netOf(row.change), currency)}
                  </Link>
                </b>
              </td>
              <td data-phone="end" data-align="end">
                <b>
                  <Subscribed
                    on={row.until}
                    minor={row.change.closing}
                    isOfAll={row.packageId === null}
                    currency={currency}
                  />
                </b>
              </td>
            </tr>
          ))}
        </tbody>
        {rows.length > 0 && (
          <tfoot>
            <tr>
              <th data-phone="start">{t`Total`}</th>
              <td data-phone="below" data-label={t`Opening MRR`} data-align="end">
                {signedAmount(total.opening, currency)}
              </td>
              {movementKinds.map((kind) => (
                <td key={kind} data-align="end">
                  <Link {...customersOf({ ...period, currency }, kind, chosen)}>
                    {plus(sum(kind), currency)}
                  </Link>
                </td>
              ))}
              <td data-phone="below-end" data-label={t`Net`} data-align="end">
                <Link {...customersOf({ ...period, currency }, "all", chosen)}>
                  {plus(total.closing - total.opening, currency)}
                </Link>
              </td>
              <td data-phone="end" data-align="end">
                {signedAmount(total.closing, currency)}
              </td>
            </tr>
          </tfoot>
        )}
      </table>
    </TableScroll>
  );
};

/** A month, with its last day if it isn't over. */
const monthLabel = ({ day, until }: Period) =>
  until < addDays(addMonths(firstOfMonth(day), 1), -1) ? (
    <>
      {showMonth(day)} <span className="softer">{t`to ${showShortDay(until)}`}</span>
    </>
  ) : (
    showMonth(day)
  );

const MonthTable = ({
  mrr: { periods, currency, package: chosen, from, until },
  sorting,
}: {
  mrr: Mrr;
  sorting: Sorting;
}) => (
  <MovementTable
    title={t`Month`}
    sorting={sorting}
    rows={periods.toReversed().map((period) => ({
      key: period.day,
      name: period.day,
      label: monthLabel(period),
      change: period,
      from: period.day,
      until: period.until,
      packageId: chosen?.id ?? null,
    }))}
    total={{ opening: periods[0]?.opening ?? 0, closing: periods.at(-1)?.closing ?? 0 }}
    currency={currency}
    period={{ from, until }}
    chosen={chosen?.id ?? null}
  />
);

/** The whole period of each package. A name opens the months of its package. */
const PackageTable = ({
  mrr,
  packages,
  sorting,
}: {
  mrr: Mrr;
  packages: readonly PackageChange[];
  sorting: Sorting;
}) => {
  const { from, until, currency } = mrr;
  const sum = (of: (one: PackageChange) => number) =>
    packages.reduce((all, one) => all + of(one), 0);
  const search = { range: "custom", from, until, currency };
  return (
    <MovementTable
      title={t`Package`}
      sorting={sorting}
      rows={packages.map((one) => ({
        key: one.key,
        name: one.name ?? one.key,
        label: (
          <Link {...reportAt("mrr", { ...search, package: one.key })}>{one.name ?? one.key}</Link>
        ),
        change: one,
        from,
        until,
        packageId: one.key,
      }))}
      total={{ opening: sum(({ opening }) => opening), closing: sum(({ closing }) => closing) }}
      currency={currency}
      period={{ from, until }}
      chosen={null}
    />
  );
};

/** The churn of the last whole month. */
const churnOf = (periods: readonly Period[]) => {
  const whole = periods.at(-2);
  if (!whole || whole.opening === 0) return null;
  return { ...whole, month: showMonth(whole.day), rate: -whole.churn.amount / whole.opening };
};

/** Recurring revenue from opening to closing. */
export const MrrReport = ({ mrr, sorting }: { mrr: Mrr; sorting: Sorting }) => {
  const navigate = useNavigate();
  const { periods, currency, until } = mrr;
  const [first, last] = [periods[0], periods.at(-1)];
  const churn = churnOf(periods);
  const { package: chosen } = mrr;
  const closing = signedAmount(last?.closing ?? 0, currency);
  const active = number(last?.closingSubscribers ?? 0);
  const all = movementKinds.map((kind) => ({
    label: movementLabels[kind],
    values: periods.map((period) => period[kind].amount),
    color: colors[kind],
  }));
  /** The customers of a bar. */
  const open = (place: number, bar?: number) => {
    const [period, kind] = [periods[place], bar === undefined ? undefined : movementKinds[bar]];
    if (!period || !kind) return;
    const days = { from: period.day, until: period.until, currency };
    void navigate(customersOf(days, kind, mrr.package?.id ?? null) as never);
  };
  const net = { label: t`Net`, values: periods.map(netOf), color: 1 as const };
  return (
    <>
      <dl className="report-figures">
        <div>
          <dt>{t`MRR on ${showDay(until)}`}</dt>
          <dd>
            {chosen ? closing : <Link {...subscribersOf(mrr)}>{closing}</Link>}{" "}
            <small>{currency}</small>
          </dd>
        </div>
        <div>
          <dt>{t`Net new MRR`}</dt>
          <dd>
            <Link {...customersOf(mrr, "all", chosen?.id)}>
              {plus((last?.closing ?? 0) - (first?.opening ?? 0), currency)}
            </Link>{" "}
            <small>{currency}</small>
          </dd>
        </div>
        <div>
          <dt>{t`Active subscribers`}</dt>
          <dd>{chosen ? active : <Link {...subscribersOf(mrr)}>{active}</Link>}</dd>
        </div>
        {churn && (
          <div>
            <dt>{t`Churn rate, ${churn.month}`}</dt>
            <dd>
              <Link
                {...customersOf(
                  { from: churn.day, until: churn.until, currency },
                  "churn",
                  chosen?.id,
                )}
              >
                {sharePercent(churn.rate)}
              </Link>
            </dd>
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
            onOpen={open}
          />
        }
        table={<MonthTable mrr={mrr} sorting={sorting} />}
      />
      {mrr.packages ? (
        <PackageTable mrr={mrr} packages={mrr.packages} sorting={sorting} />
      ) : (
        <MonthTable mrr={mrr} sorting={sorting} />
      )}
    </>
  );
};
