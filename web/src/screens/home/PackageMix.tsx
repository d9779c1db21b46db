import { t } from "@lingui/core/macro";
import { shares } from "@purser/contract/reports/shares";
import { Link } from "@tanstack/react-router";
import { signedAmount } from "#lib/intl.ts";
import { sharePercent } from "#lib/money/reportNumbers.ts";
import type { Revenue } from "#screens/reports/queries.ts";
import { Section } from "#ui/page/Page.tsx";
import { reportAt, rowsOf } from "#ui/reports/links.ts";
import type { PeriodSearch } from "#ui/reports/period.ts";
import "#ui/styles/plainTable.css";

const shownMax = 5;

type Part = { key: string | null; name: string; net: number };

/** Net revenue by package. More than five become "Other". */
const partsOf = ({ groups, total }: Revenue) => {
  const named: Part[] = groups
    .filter(({ measures }) => measures.net !== 0)
    .map(({ key, name, measures }) => ({
      key,
      name: name ?? t`Without a package`,
      net: measures.net,
    }));
  const isMany = named.length > shownMax;
  const shown = isMany ? named.slice(0, shownMax - 1) : named;
  const rest = total.net - shown.reduce((sum, { net }) => sum + net, 0);
  const all = isMany ? [...shown, { key: null, name: t`Other`, net: rest }] : shown;
  const parts = shares(all.map(({ net }) => net));
  return all.map((one, place) => ({ ...one, share: parts[place] ?? 0 }));
};

type Props = { revenue: Revenue; search: PeriodSearch };

export const PackageMix = ({ revenue, search }: Props) => {
  const { currency, total } = revenue;
  const parts = partsOf(revenue);
  const report = reportAt("revenue", { ...search, currency });
  const rowsBehind = (key: string | null) =>
    key === null ? report : rowsOf(revenue, "package", key);
  return (
    <Section
      title={t`Package mix`}
      note={t`by net revenue`}
      actions={<Link {...report}>{t`Reports`}</Link>}
    >
      {parts.length === 0 ? (
        <p className="soft">{t`No payments in this period.`}</p>
      ) : (
        <>
          <div className="mix-bar" aria-hidden="true">
            {parts.map(({ key, share }, place) => (
              <span
                key={key ?? "other"}
                data-color={place + 1}
                style={{ flexGrow: Math.max(0, share) }}
              />
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
                <tr key={key ?? "other"}>
                  <th>
                    <span className="chart-key" data-color={place + 1}>
                      <Link {...rowsBehind(key)}>{name}</Link>
                    </span>
                  </th>
                  <td data-align="end">{sharePercent(share)}</td>
                  <td data-align="end">
                    <Link {...rowsBehind(key)}>{signedAmount(net, currency)}</Link>
                  </td>
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr>
                <th>{t`Total`}</th>
                <td data-align="end">
                  {sharePercent(parts.reduce((sum, { share }) => sum + share, 0))}
                </td>
                <td data-align="end">
                  <Link {...rowsOf(revenue, "total", "")}>{signedAmount(total.net, currency)}</Link>
                </td>
              </tr>
            </tfoot>
          </table>
        </>
      )}
    </Section>
  );
};
