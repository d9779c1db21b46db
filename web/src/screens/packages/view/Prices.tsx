import { t } from "@lingui/core/macro";
import { Link } from "@tanstack/react-router";
import { amount as amountText, percent } from "#lib/intl.ts";
import { periodLabel, priceTable } from "#lib/money/prices.ts";
import { useMay } from "#lib/session/session.ts";
import { Section } from "#ui/page/Page.tsx";
import type { Package } from "../queries.ts";

type Props = {
  stored: Package;
  prices: Package["prices"];
  /** The version that the prices belong to. */
  number: number | undefined;
};

/** The prices of a version: a row per currency, a column per interval. */
export const Prices = ({ stored, prices, number }: Props) => {
  const mayWrite = useMay("packages:write") && stored.status !== "archived";
  const { periods, rows } = priceTable(prices);
  const saves = rows.some((row) => row.saves !== null);
  return (
    <Section
      title={t`Pricing`}
      note={number === undefined ? "" : t`version ${number}`}
      actions={
        mayWrite && (
          <Link to="/package/edit/$id" params={{ id: stored.id }} className="quiet-link">
            {t`Edit prices`}
          </Link>
        )
      }
    >
      {rows.length === 0 ? (
        <p className="soft">{t`No prices yet. Add one to sell this package.`}</p>
      ) : (
        <div className="scroll-x">
          <table className="plain-table">
            <thead>
              <tr>
                <th scope="col">{t`Currency`}</th>
                {periods.map((period) => (
                  <th scope="col" className="end" key={periodLabel(period)}>
                    {periodLabel(period)}
                  </th>
                ))}
                {saves && (
                  <th scope="col" className="end">
                    {t`Yearly savings`}
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.currency}>
                  <th scope="row" className="strong">
                    {row.currency}
                  </th>
                  {row.amounts.map((amount, place) => (
                    <td
                      className="end"
                      key={periodLabel(periods[place] ?? { interval: "once", intervalCount: 1 })}
                    >
                      {amount === null ? (
                        <span className="softer">–</span>
                      ) : (
                        amountText(amount, row.currency)
                      )}
                    </td>
                  ))}
                  {saves && (
                    <td className="end soft">
                      {row.saves === null ? "–" : percent(row.saves / 100)}
                    </td>
                  )}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Section>
  );
};
