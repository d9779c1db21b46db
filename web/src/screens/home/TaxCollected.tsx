import { t } from "@lingui/core/macro";
import { Link } from "@tanstack/react-router";
import { signedAmount } from "#lib/intl.ts";
import type { Revenue } from "#screens/reports/queries.ts";
import { Section } from "#ui/page/Page.tsx";
import { reportAt } from "#ui/reports/links.ts";
import { taxName } from "#ui/reports/taxNames.ts";
import "#ui/styles/plainTable.css";

const shownMax = 7;

/** Tax by country and rate, for finance. */
export const TaxCollected = ({ revenue }: { revenue: Revenue }) => {
  const { currency, total } = revenue;
  const groups = revenue.groups.toSorted((one, other) => other.measures.tax - one.measures.tax);
  return (
    <Section
      title={t`Tax collected`}
      actions={<Link {...reportAt("tax", { currency })}>{t`Tax report`}</Link>}
    >
      {groups.length === 0 ? (
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
            {groups.slice(0, shownMax).map(({ key, measures }) => (
              <tr key={key}>
                <th>{taxName(key)}</th>
                <td data-align="end">{signedAmount(measures.net, currency)}</td>
                <td data-align="end">{signedAmount(measures.tax, currency)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th>{t`Total`}</th>
              <td data-align="end">{signedAmount(total.net, currency)}</td>
              <td data-align="end">{signedAmount(total.tax, currency)}</td>
            </tr>
          </tfoot>
        </table>
      )}
    </Section>
  );
};
