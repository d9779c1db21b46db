import { t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import {
  isPriceChanged,
  type MissingPrice,
  type PriceDifference,
  priceDifferences,
  type UnusualPrice,
} from "@purser/contract/packages/priceReview";
import { offerOf } from "@purser/contract/packages/prices";
import { Link } from "@tanstack/react-router";
import { amount as amountText, decimal, money, number } from "#lib/intl.ts";
import { frequencyLabel, periodLabel, priceTable } from "#lib/money/prices.ts";
import { Icon } from "#ui/Icon.tsx";
import { Section } from "#ui/page/Page.tsx";
import { Status } from "#ui/Status.tsx";
import { editOf, type Package } from "../queries.ts";
import { WideTable } from "./WideTable.tsx";

type Prices = Package["prices"];

type IssueProps = {
  id: string;
  busy: boolean;
  onSet: (price: { currency: string; amount: number } & Omit<MissingPrice, "suggested">) => void;
  onAccept: (accepted: string) => void;
};

/** What was confirmed. An unusual price must be confirmed again if its amount changes. */
export const acceptedOf = (one: MissingPrice | UnusualPrice) =>
  "amount" in one ? `${offerOf(one)} ${one.amount}` : offerOf(one);

const EditPrices = ({ id }: { id: string }) => (
  <Button size="xs" variant="default" component={Link} to={editOf({ id })}>{t`Edit prices`}</Button>
);

/** "Sell monthly only", or without the interval if the currency has several others. */
const acceptLabel = (missing: MissingPrice, prices: Prices) => {
  const own = prices.filter(({ currency }) => currency === missing.currency);
  const [only, ...more] = own;
  const wanted = frequencyLabel(missing);
  if (!only || more.length > 0) return t`Sell without ${wanted}`;
  const sold = frequencyLabel(only);
  return t`Sell ${sold} only`;
};

type MissingProps = IssueProps & { missing: MissingPrice; prices: Prices };

const Missing = ({ id, missing, prices, busy, onSet, onAccept }: MissingProps) => {
  const { suggested, ...price } = missing;
  const { currency } = price;
  const interval = frequencyLabel(price);
  const suggestion = suggested === null ? "" : money(suggested, currency);
  return (
    <div className="review-issue" data-tone="bad">
      <Icon name="circle-x" />
      <div>
        <b>{t`${currency} has no ${interval} price`}</b>
        <p>{t`Buyers who pay in ${currency} can't choose ${interval}. Add a price or confirm that it's intended.`}</p>
      </div>
      <span className="review-actions">
        {suggested === null ? (
          <EditPrices id={id} />
        ) : (
          <Button
            size="xs"
            variant="default"
            aria-disabled={busy}
            onClick={() => onSet({ ...price, amount: suggested })}
          >{t`Add ${suggestion}`}</Button>
        )}
        <Button size="xs" variant="default" onClick={() => onAccept(acceptedOf(missing))}>
          {acceptLabel(missing, prices)}
        </Button>
      </span>
    </div>
  );
};

type UnusualProps = IssueProps & { unusual: UnusualPrice };

const Unusual = ({ id, unusual, busy, onSet, onAccept }: UnusualProps) => {
  const { currency, interval, intervalCount, amount } = unusual;
  const kept = amountText(amount, currency);
  const suggestion = money(unusual.suggested, currency);
  const often = frequencyLabel(unusual);
  const base = frequencyLabel(unusual.base);
  const [ratio, usual] = [decimal(unusual.ratio, 1), decimal(unusual.usual, 1)];
  return (
    <div className="review-issue" data-tone="warn">
      <Icon name="alert-triangle" />
      <div>
        <b>{t`${currency} ${often} is ${ratio} times the ${base} price`}</b>
        <p>{t`In other currencies it's ${usual} times. ${kept} may be a typo for ${suggestion}.`}</p>
      </div>
      <span className="review-actions">
        <EditPrices id={id} />
        <Button
          size="xs"
          variant="default"
          aria-disabled={busy}
          onClick={() => onSet({ currency, interval, intervalCount, amount: unusual.suggested })}
        >{t`Use ${suggestion}`}</Button>
        <Button
          size="xs"
          variant="default"
          onClick={() => onAccept(acceptedOf(unusual))}
        >{t`Keep ${kept}`}</Button>
      </span>
    </div>
  );
};

type IssuesProps = IssueProps & {
  missing: MissingPrice[];
  unusual: UnusualPrice[];
  prices: Prices;
};

/** Prices that block publishing or may be wrong, each with what fixes it. */
export const PriceIssues = ({ missing, unusual, prices, ...actions }: IssuesProps) => (
  <>
    {missing.map((one) => (
      <Missing key={offerOf(one)} {...actions} missing={one} prices={prices} />
    ))}
    {unusual.map((one) => (
      <Unusual key={offerOf(one)} {...actions} unusual={one} />
    ))}
  </>
);

const priceText = (amount: number, currency: string, isPerUnit = false) => {
  const price = amountText(amount, currency);
  return isPerUnit ? t`${price} per unit` : price;
};

const PriceChange = ({ of }: { of: PriceDifference | undefined }) => {
  if (!of) return <span className="softer">–</span>;
  const { currency, before, after, perUnit } = of;
  const isChanged = before !== null && isPriceChanged(of);
  return (
    <span className="review-price">
      {isChanged && <del className="softer">{priceText(before, currency, perUnit?.before)}</del>}
      {isChanged && after !== null && <Icon name="arrow-right" size={12} />}
      {after !== null && <b>{priceText(after, currency, perUnit?.after)}</b>}
      {before === null && <span className="review-mark">{t`New`}</span>}
      {after === null && <span className="review-mark">{t`Removed`}</span>}
    </span>
  );
};

type Sold = { prices: Prices; trialDays: number } | null;

const TrialChange = ({ sold, trialDays }: { sold: Sold; trialDays: number }) =>
  sold &&
  sold.trialDays !== trialDays && (
    <p>
      {t`Trial days`}{" "}
      <span className="review-price">
        <del className="softer">{number(sold.trialDays)}</del>
        <Icon name="arrow-right" size={12} />
        <b>{number(trialDays)}</b>
      </span>
    </p>
  );

const checks = {
  ok: { word: t`OK`, icon: "circle-check", tone: "ok", quiet: true },
  missing: { word: t`Price missing`, icon: "circle-x", tone: "bad" },
  unusual: { word: t`Unusual ratio`, icon: "alert-triangle", tone: "warn" },
} as const;

type TableProps = {
  /** The version on sale. */
  sold: Sold;
  prices: Prices;
  trialDays: number;
  missing: readonly MissingPrice[];
  unusual: readonly UnusualPrice[];
};

type Period = ReturnType<typeof priceTable>["periods"][number];

/** How many times the shorter interval a currency costs for the longer one. */
const ratioOf = (prices: Prices, currency: string, [base, other]: readonly [Period, Period]) => {
  const priceOf = (period: Period) =>
    prices.find((one) => offerOf(one) === offerOf({ currency, ...period }))?.amount;
  const [less, more] = [priceOf(base), priceOf(other)];
  return less && more ? decimal(more / less, 1) : "–";
};

/** The two intervals to compare, unless there are others. */
const comparedOf = ([base, other, ...more]: readonly Period[]) =>
  base && other && other.interval !== "once" && more.length === 0 ? ([base, other] as const) : null;

const ratioLabel = ([base, other]: readonly [Period, Period]) => {
  const [longer, shorter] = [periodLabel(other), frequencyLabel(base)];
  return t`${longer} ÷ ${shorter}`;
};

/** Every currency and interval, with the price before and after. */
export const PriceChanges = ({ sold, prices, trialDays, missing, unusual }: TableProps) => {
  const before = sold?.prices ?? [];
  const differences = priceDifferences(before, prices);
  const { periods, rows } = priceTable([
    ...prices,
    ...before.filter((old) => !prices.some((one) => offerOf(one) === offerOf(old))),
  ]);
  const compared = comparedOf(periods);
  const checkOf = (currency: string) => {
    const isOwn = (one: { currency: string }) => one.currency === currency;
    if (missing.some(isOwn)) return checks.missing;
    return unusual.some(isOwn) ? checks.unusual : checks.ok;
  };
  return (
    <Section title={t`Prices`}>
      {rows.length === 0 ? (
        <p className="soft">{t`No prices. This version can only be granted, not bought.`}</p>
      ) : (
        <WideTable label={t`Prices`}>
          <thead>
            <tr>
              <th scope="col">{t`Currency`}</th>
              {periods.map((period) => (
                <th scope="col" className="end" key={periodLabel(period)}>
                  {periodLabel(period)}
                </th>
              ))}
              {compared && (
                <th scope="col" className="end">
                  {ratioLabel(compared)}
                </th>
              )}
              <th scope="col">{t`Check`}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ currency }) => (
              <tr key={currency}>
                <th scope="row" className="strong">
                  {currency}
                </th>
                {periods.map((period) => (
                  <td className="end" key={periodLabel(period)}>
                    <PriceChange
                      of={differences.find(
                        (one) => offerOf(one) === offerOf({ currency, ...period }),
                      )}
                    />
                  </td>
                ))}
                {compared && <td className="end softer">{ratioOf(prices, currency, compared)}</td>}
                <td>
                  <Status status={checkOf(currency)} />
                </td>
              </tr>
            ))}
          </tbody>
        </WideTable>
      )}
      <TrialChange sold={sold} trialDays={trialDays} />
    </Section>
  );
};
