import { t } from "@lingui/core/macro";
import { Link } from "@tanstack/react-router";
import { signedAmount } from "#lib/intl.ts";
import type { Revenue } from "#screens/reports/queries.ts";
import { Section } from "#ui/page/Page.tsx";
import { reportAt, rowsOf } from "#ui/reports/links.ts";
import type { PeriodSearch } from "#ui/reports/period.ts";
import { taxName } from "#ui/reports/taxNames.ts";
import "#ui/styles/plainTable.css";

const shownMax = 7;

type Row = { key: string | null; name: string; net: number; tax: number };

/** The tax accounts with the highest amounts. The rest becomes "Other", so that the rows add up to the total. */
const rowsIn = ({ groups, total }: Revenue): Row[] => {
  const all = groups
    .toSorted((one, other) => other.measures.tax - one.measures.tax)
    .map(({ key, measures: { net, tax } }) => ({ key, name: taxName(key) || t`No tax`, net, tax }));
  if (all.length <= shownMax) return all;
  const shown = all.slice(0, shownMax - 1);
  const net = total.net - shown.reduce((sum, one) => sum + one.net, 0);
  const tax = total.tax - shown.reduce((sum, one) => sum + one.tax, 0);
  return [...shown, { key: null, name: t`Other`, net, tax }];
};

type Props = { revenue: Revenue; search: PeriodSearch };

/** Tax by country and rate, for finance. */
export const TaxCollected = ({ revenue, search }: Props) => {
  const { currency, total } = revenue;
  const rows = rowsIn(revenue);
  const report = reportAt("tax", { ...search, currency });
  const cells = (row: { net: number; tax: number }, behind: typeof report) =>
    [row.net, row.tax].map((minor, place) => (
      <td key={place === 0 ? "net" : "tax"} data-align="end">
        <Link {...behind}>{signedAmount(minor, currency)}</Link>
      </td>
    ));
  return (
    <Section title={t`Tax collected`} actions={<Link {...report}>{t`Tax report`}</Link>}>
      {rows.length === 0 ? (
        <p className="soft">{t`No payments in this period.`}</p>
      ) : (
        <table className="plain-table report-table">
          <thead>
            <tr>
              <th>{t`Tax`}</th>
              <th data-align="end">{t`Net, ${currency}`}</th>
              <th data-align="end">{t`Tax, ${currency}`}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, name, ...row }) => {
              const behind = key === null ? report : rowsOf(revenue, "tax", key);
              return (
                <tr key={key ?? "other"}>
                  <th>
                    <Link {...behind}>{name}</Link>
                  </th>
                  {cells(row, behind)}
                </tr>
              );
            })}
          </tbody>
          <tfoot>
            <tr>
              <th>{t`Total`}</th>
              {cells(total, rowsOf(revenue, "total", ""))}
            </tr>
          </tfoot>
        </table>
      )}
    </Section>
  );
};
