import { t } from "@lingui/core/macro";
import type { MissingPrice } from "@purser/contract/packages/priceReview";
import { offerOf } from "@purser/contract/packages/prices";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { amount as amountText } from "#lib/intl.ts";
import { periodLabel, priceTable } from "#lib/money/prices.ts";
import { Segments } from "#ui/form/inputs/Segments.tsx";
import { Section } from "#ui/page/Page.tsx";
import { BuyerTicket, linesOf } from "../BuyerTicket.tsx";
import { contentsQuery, type Package } from "../queries.ts";
import { WideTable } from "./WideTable.tsx";

type Props = { pack: Package; version: number; unusual: readonly string[] };

const Combinations = ({ pack: { prices }, unusual }: Omit<Props, "version">) => {
  const { periods, rows } = priceTable(prices);
  return (
    <Section title={t`All combinations`}>
      <WideTable label={t`All combinations`}>
        <thead>
          <tr>
            <th scope="col">{t`Currency`}</th>
            {periods.map((period) => (
              <th scope="col" className="end" key={periodLabel(period)}>
                {periodLabel(period)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ currency, amounts }) => (
            <tr key={currency}>
              <th scope="row">{currency}</th>
              {periods.map((period, place) => {
                const amount = amounts[place] ?? null;
                const isUnusual = unusual.includes(offerOf({ currency, ...period }));
                return (
                  <td
                    key={periodLabel(period)}
                    className="end review-value"
                    data-tone={amount === null ? "bad" : isUnusual ? "warn" : undefined}
                  >
                    {amount === null ? t`Not for sale` : amountText(amount, currency)}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </WideTable>
    </Section>
  );
};

const periodKey = (period: Omit<MissingPrice, "currency" | "suggested">) =>
  `${period.intervalCount} ${period.interval}`;

/** The package as buyers see it, in each currency and interval. */
export const BuyersView = ({ pack, version, unusual }: Props) => {
  const { name, description, prices, trialDays } = pack;
  const { data: contents } = useQuery(contentsQuery(pack.id, version));
  const { periods, rows } = priceTable(prices);
  const currencies = rows.map(({ currency }) => currency);
  const [chosenCurrency, setCurrency] = useState("");
  const [chosenPeriod, setPeriod] = useState("");
  const currency = currencies.find((one) => one === chosenCurrency) ?? currencies[0] ?? "";
  const period = periods.find((one) => periodKey(one) === chosenPeriod) ?? periods[0];
  const shown = prices.filter((one) => period && offerOf(one) === offerOf({ currency, ...period }));
  const isUnsold = prices.length > 0 && shown.length === 0;
  return (
    <>
      <Section title={t`Buyer's view`}>
        {currencies.length > 1 && (
          <Segments
            legend={t`Currency`}
            name="buyer-currency"
            value={currency}
            options={currencies.map((value) => ({ value, label: value }))}
            onChange={setCurrency}
          />
        )}
        {period && periods.length > 1 && (
          <Segments
            legend={t`Billing period`}
            name="buyer-period"
            value={periodKey(period)}
            options={periods.map((one) => ({ value: periodKey(one), label: periodLabel(one) }))}
            onChange={setPeriod}
          />
        )}
        {isUnsold ? (
          <p className="soft">{t`Not for sale in this combination.`}</p>
        ) : (
          <BuyerTicket
            name={name}
            description={description}
            prices={shown}
            trialDays={trialDays}
            lines={contents ? linesOf(contents.contents) : []}
          />
        )}
      </Section>
      {prices.length > 1 && <Combinations pack={pack} unusual={unusual} />}
    </>
  );
};
