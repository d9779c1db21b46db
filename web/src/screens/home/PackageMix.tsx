import { t } from "@lingui/core/macro";
import { shares } from "@purser/contract/reports/shares";
import { Link } from "@tanstack/react-router";
import { signedAmount } from "#lib/intl.ts";
import { sharePercent } from "#lib/money/reportNumbers.ts";
import type { Revenue } from "#screens/reports/queries.ts";
import { Section } from "#ui/page/Page.tsx";
import { reportAt } from "#ui/reports/links.ts";
import "#ui/styles/plainTable.css";

const shownMax = 5;

/** Net revenue by package. More than five become "Other". */
const partsOf = ({ groups, total }: Revenue) => {
  const named = groups
    .filter(({ measures }) => measures.net !== 0)
    .map(({ key, name, measures }) => ({
      key,
      name: name ?? t`Without a package`,
      net: measures.net,
    }));
  const isMany = named.length > shownMax;
  const shown = isMany ? named.slice(0, shownMax - 1) : named;
  const rest = total.net - shown.reduce((sum, { net }) => sum + net, 0);
  const all = isMany ? [...shown, { key: "other", name: t`Other`, net: rest }] : shown;
  const parts = shares(all.map(({ net }) => net));
  return all.map((one, place) => ({ ...one, share: parts[place] ?? 0 }));
};

export const PackageMix = ({ revenue }: { revenue: Revenue }) => {
  const { currency, total } = revenue;
  const parts = partsOf(revenue);
  return (
    <Section
      title={t`Package mix`}
      note={t`by net revenue`}
      actions={<Link {...reportAt("revenue", { currency })}>{t`Reports`}</Link>}
    >
      {parts.length === 0 ? (
        <p className="soft">{t`No payments in this period.`}</p>
      ) : (
        <>
          <div className="mix-bar" aria-hidden="true">
            {parts.map(({ key, share }, place) => (
              <span key={key} data-color={place + 1} style={{ flexGrow: Math.max(0, share) }} />
            ))}
          </div>
          <table className="plain-table report-table">
            <thead>
              <tr>
                <th>{t`Package`}</th>
                <th data-align="end">{t`Share`}</th>
                <th data-align="end">{t`Revenue, ${currency}`}</th>
              </tr>
            </thead>
            <tbody>
              {parts.map(({ key, name, net, share }, place) => (
                <tr key={key}>
                  <th>
                    <span className="chart-key" data-color={place + 1}>
                      {name}
                    </span>
                  </th>
                  <td data-align="end">{sharePercent(share)}</td>
                  <td data-align="end">{signedAmount(net, currency)}</td>
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr>
                <th>{t`Total`}</th>
                <td data-align="end">{sharePercent(1)}</td>
                <td data-align="end">{signedAmount(total.net, currency)}</td>
              </tr>
            </tfoot>
          </table>
        </>
      )}
    </Section>
  );
};
