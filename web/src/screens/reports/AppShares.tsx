import { t } from "@lingui/core/macro";
import type { ShareRule } from "@purser/contract/reports/endpoints";
import { shares } from "@purser/contract/reports/shares";
import { Link } from "@tanstack/react-router";
import { signedAmount } from "#lib/intl.ts";
import { sharePercent } from "#lib/money/reportNumbers.ts";
import { rowsOf, shareRowsOf } from "#ui/reports/links.ts";
import { type Sorting, type SortKeys, sortTable } from "#ui/reports/sortTable.tsx";
import { TableScroll } from "#ui/reports/TableScroll.tsx";
import type { AppShare } from "./queries.ts";

export const ruleLabels: Record<ShareRule, string> = {
  "list price": t`List price`,
  "equal parts": t`Equal parts`,
  features: t`Features`,
};

const ruleTexts: Record<ShareRule, string> = {
  "list price": t`Revenue of a package is split by the monthly list price of its apps.`,
  "equal parts": t`Revenue of a package is split into equal parts for its apps.`,
  features: t`Revenue of a package is split by the number of features of each app.`,
};

export const appName = ({ name }: { name: string | null }) => name ?? t`Without an app`;
export const packageName = ({ name }: { name: string | null }) => name ?? t`Without a package`;

type Row = AppShare["apps"][number] & { share: number };

const sortKeysOf = ({ packages }: AppShare): SortKeys<Row> => ({
  name: appName,
  price: ({ listPrice }) => listPrice ?? 0,
  ...Object.fromEntries(
    packages.map(({ key }, place) => [`package.${key}`, (app: Row) => app.packages[place] ?? 0]),
  ),
  net: ({ net }) => net,
  share: ({ share }) => share,
});

type Props = { share: AppShare; rule: ShareRule; sorting: Sorting };

/** Each app's share of the revenue of packages. */
export const AppShareReport = ({ share, rule, sorting }: Props) => {
  const { apps, packages, currency } = share;
  const parts = shares(apps.map(({ net }) => net));
  const total = packages.reduce((sum, { net }) => sum + net, 0);
  const rows = apps.map((app, place) => ({ ...app, share: parts[place] ?? 0 }));
  const { sorted, head } = sortTable(rows, sortKeysOf(share), sorting);
  const largest = Math.max(1, ...apps.map(({ net }) => net));
  return (
    <section className="report-share">
      <h2>{t`Each app's share of package revenue`}</h2>
      <p className="soft">
        {ruleTexts[rule]} {t`Changing the rule changes this report only.`}
      </p>
      <ul className="share-bars" aria-hidden="true">
        {apps.map((app) => (
          <li key={app.key}>
            <span>{appName(app)}</span>
            <div>
              {app.packages.map((net, place) => (
                <i
                  key={packages[place]?.key}
                  data-color={Math.min(5, place + 1)}
                  style={{ width: `${(Math.max(0, net ?? 0) / largest) * 100}%` }}
                />
              ))}
            </div>
          </li>
        ))}
      </ul>
      <TableScroll label={t`App share`}>
        <table className="plain-table report-table">
          <thead>
            <tr>
              {head("name", t`App`, "start")}
              {head("price", t`List price`)}
              {packages.map((one, place) =>
                head(
                  `package.${one.key}`,
                  <span className="chart-key" data-color={Math.min(5, place + 1)}>
                    {packageName(one)}
                  </span>,
                ),
              )}
              {head("net", t`Total, ${currency}`)}
              {head("share", t`Share`)}
            </tr>
          </thead>
          <tbody>
            {sorted.map((app) => (
              <tr key={app.key}>
                <th>{appName(app)}</th>
                <td data-align="end">
                  {app.listPrice === null ? "–" : signedAmount(app.listPrice, currency)}
                </td>
                {app.packages.map((net, at) => (
                  <td
                    key={packages[at]?.key}
                    data-align="end"
                    {...(net === null && { className: "soft" })}
                  >
                    {net === null ? (
                      t`Not included`
                    ) : (
                      <Link
                        {...shareRowsOf(share, {
                          rule,
                          app: app.key,
                          package: packages[at]?.key ?? "",
                        })}
                      >
                        {signedAmount(net, currency)}
                      </Link>
                    )}
                  </td>
                ))}
                <td data-align="end">
                  <Link {...shareRowsOf(share, { rule, app: app.key })}>
                    <b>{signedAmount(app.net, currency)}</b>
                  </Link>
                </td>
                <td data-align="end">{sharePercent(app.share)}</td>
              </tr>
            ))}
            {apps.length === 0 && (
              <tr>
                <td colSpan={packages.length + 4}>{t`No payments in this period.`}</td>
              </tr>
            )}
          </tbody>
          <tfoot>
            <tr>
              <th>{t`Total`}</th>
              <td />
              {packages.map(({ key, net }) => (
                <td key={key} data-align="end">
                  <Link {...rowsOf(share, "package", key)}>{signedAmount(net, currency)}</Link>
                </td>
              ))}
              <td data-align="end">{signedAmount(total, currency)}</td>
              <td data-align="end">{sharePercent(parts.reduce((sum, part) => sum + part, 0))}</td>
            </tr>
          </tfoot>
        </table>
      </TableScroll>
    </section>
  );
};
