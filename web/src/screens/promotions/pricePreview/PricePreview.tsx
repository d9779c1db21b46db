import { plural, t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import "#ui/record/Explanation.css";
import { NativeSelect } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import type { Wire } from "@purser/contract/http/endpoint";
import type { Price } from "@purser/contract/packages/prices";
import { previewPromotion } from "@purser/contract/promotions/pricing";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#lib/api/call.ts";
import { amount } from "#lib/intl.ts";
import { frequencyLabel, leadPrice, type Period, periodLabel } from "#lib/money/prices.ts";
import { messageText } from "#lib/serverMessages.ts";
import { currentTime } from "#lib/time/currentTime.ts";
import { formatDate } from "#lib/time/dates.ts";
import { contentsQuery, isSellable, readPackages } from "#screens/packages/queries.ts";
import { Icon } from "#ui/Icon.tsx";
import { Money } from "#ui/money/Money.tsx";
import { Callout } from "#ui/page/Callout.tsx";
import { Section } from "#ui/page/Page.tsx";
import { type PromotionValues, previewBody } from "../form/values.ts";
import { valueLabels } from "../labels.ts";
import type { Promotion } from "../queries.ts";
import { zone } from "../schedule.ts";
import { type Check, checksOf } from "./checks.ts";

type Quote = Wire<typeof previewPromotion>["reply"];
type Asked = Wire<typeof previewPromotion>["body"];
type Pack = { id: string; name: string };

const onSaleQuery = queryOptions({
  queryKey: ["packages", "onSale"],
  queryFn: async ({ signal }) => {
    const query = { f: ["status:any:active"], sort: "sort", size: "100", count: "none" as const };
    return (await readPackages(query, signal)).items.filter(isSellable);
  },
});

/** Keeps a reply together with its request until the next reply arrives. */
const previewQuery = (asked: Asked | null) =>
  queryOptions({
    queryKey: ["promotions", "preview", asked],
    queryFn: async ({ signal }) => {
      const body = asked as Asked;
      return { asked: body, quote: await call(previewPromotion, { body, signal }) };
    },
    enabled: asked !== null,
    placeholderData: keepPreviousData,
  });

const keyOf = ({ currency, interval, intervalCount }: Price) =>
  `${currency} ${interval} ${intervalCount}`;

/** The previewed sale: a package on sale, and one of its prices. */
const useOffer = ({ packageIds, intervals }: PromotionValues) => {
  const [packageId, setPackage] = useState<string | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const { data: packages } = useQuery(onSaleQuery);
  const pack =
    packages?.find(({ id }) => id === packageId) ??
    packages?.find(({ id }) => packageIds.includes(id)) ??
    packages?.[0];
  const { data: contents } = useQuery({
    ...contentsQuery(pack?.id ?? "", pack?.onSale?.number ?? 0),
    enabled: pack !== undefined,
  });
  const prices = contents?.prices ?? [];
  const price =
    prices.find((one) => keyOf(one) === chosen) ??
    prices.find(({ interval }) => intervals.includes(interval)) ??
    leadPrice(prices) ??
    undefined;
  return { packages, pack, prices, price, setPackage, setChosen };
};

type Offer = ReturnType<typeof useOffer>;

const Pickers = ({ packages = [], pack, prices, price, setPackage, setChosen }: Offer) => {
  const isOneCurrency = new Set(prices.map(({ currency }) => currency)).size < 2;
  const labelOf = ({ currency, ...one }: Price) => {
    const period = periodLabel(one);
    return isOneCurrency ? period : t`${period}, ${currency}`;
  };
  return (
    <div className="preview-offer">
      <NativeSelect
        aria-label={t`Package to preview`}
        value={pack?.id ?? ""}
        onChange={({ currentTarget }) => setPackage(currentTarget.value)}
        data={packages.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <NativeSelect
        aria-label={t`Interval to preview`}
        value={price ? keyOf(price) : ""}
        onChange={({ currentTarget }) => setChosen(currentTarget.value)}
        data={prices.map((one) => ({ value: keyOf(one), label: labelOf(one) }))}
      />
    </div>
  );
};

/** `offer` is the package with its interval: "Studio (yearly)". */
type Priced = { quote: Quote; offer: string };

const Sentence = ({ quote, offer }: Priced) => {
  const { currency, discount, trialDays } = quote;
  const total = amount(quote.total, currency);
  const subtotal = amount(quote.subtotal, currency);
  if (trialDays > 0)
    return discount > 0 ? (
      <Trans>
        A customer who buys <b>{offer}</b> today gets{" "}
        <Plural value={trialDays} one="# day" other="# days" /> free, then pays <b>{total}</b>{" "}
        instead of <s>{subtotal}</s>.
      </Trans>
    ) : (
      <Trans>
        A customer who buys <b>{offer}</b> today gets{" "}
        <Plural value={trialDays} one="# day" other="# days" /> free, then pays <b>{total}</b>, the
        list price.
      </Trans>
    );
  return discount > 0 ? (
    <Trans>
      A customer who buys <b>{offer}</b> today pays <b>{total}</b> instead of <s>{subtotal}</s>.
    </Trans>
  ) : (
    <Trans>
      A customer who buys <b>{offer}</b> today pays <b>{total}</b>, the list price.
    </Trans>
  );
};

const dayOf = (at: string) => formatDate(zone, new Date(at));

type LinesProps = Priced & { own: Quote["trace"][number] | undefined; code: string };

const dueText = (trialDays: number) =>
  trialDays > 0
    ? plural(trialDays, { one: "Due after # day", other: "Due after # days" })
    : t`Due today`;

const featureText = ({ value, days }: Quote["features"][number]) => {
  const label = valueLabels(value);
  return days === null
    ? label
    : plural(days, { one: `${label} for # day`, other: `${label} for # days` });
};

const Lines = ({ quote, offer, own, code }: LinesProps) => {
  const { currency, subtotal, total, trialDays, trace, features, later } = quote;
  const others = trace.filter((one) => one !== own && one.isApplied && one.amount > 0);
  return (
    <table className="reckoning">
      <tbody>
        <tr>
          <th scope="row">{offer}</th>
          <td>
            <Money amount={subtotal} currency={currency} />
          </td>
        </tr>
        {own && (
          <tr data-off={own.isApplied ? undefined : true}>
            <th scope="row">{own.isApplied ? code : t`${code} doesn't apply`}</th>
            <td>
              {own.amount > 0 && "−"}
              <Money amount={own.amount} currency={currency} />
            </td>
          </tr>
        )}
        {others.map(({ promotionId, name, amount: discount }) => (
          <tr key={promotionId}>
            <th scope="row">{name}</th>
            <td>
              −<Money amount={discount} currency={currency} />
            </td>
          </tr>
        ))}
        <tr data-total>
          <th scope="row">{dueText(trialDays)}</th>
          <td>
            <Money amount={total} currency={currency} />
          </td>
        </tr>
        {later.map((one) => (
          <tr key={one.from} data-later>
            <th scope="row">{dayOf(one.from)}</th>
            <td>
              <Money amount={one.total} currency={currency} />
            </td>
          </tr>
        ))}
        {features.map((feature) => (
          <tr key={feature.featureId} data-later>
            <th scope="row">{feature.name}</th>
            <td>{featureText(feature)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

const Checks = ({ checks }: { checks: Check[] }) => (
  <ul className="checks" aria-label={t`Conditions`}>
    {checks.map(({ isMet, words }) => (
      <li key={words} {...(!isMet && { "data-no": true })}>
        <Icon name={isMet ? "check" : "x"} size={15} />
        <span>
          <span className="unseen">{isMet ? t`Met.` : t`Not met.`} </span>
          {words}
        </span>
      </li>
    ))}
  </ul>
);

/** Other promotions that were considered. */
const Others = ({
  trace,
  own,
}: {
  trace: Quote["trace"];
  own: Quote["trace"][number] | undefined;
}) => {
  const others = trace.filter((one) => one !== own).slice(0, 5);
  if (others.length === 0) return null;
  return (
    <>
      <h3 className="preview-others">{t`Other automatic promotions`}</h3>
      <Checks
        checks={others.map(({ isApplied, message }) => ({
          isMet: isApplied,
          words: messageText(message),
        }))}
      />
    </>
  );
};

const offerLabel = ({ name }: Pack, period: Period) => {
  const interval = frequencyLabel(period);
  return t`${name} (${interval})`;
};

type ShownProps = { promotion: Promotion | null; asked: Asked; quote: Quote; pack: Pack };

const Shown = ({ promotion, asked, quote, pack }: ShownProps) => {
  const { details, interval, intervalCount = 1 } = asked;
  const offer = offerLabel(pack, { interval, intervalCount });
  // A promotion that isn't stored yet has a placeholder id, which no other has.
  const own =
    quote.trace.find(({ promotionId }) => promotionId === promotion?.id) ??
    (promotion ? undefined : quote.trace.find((one) => /^0{8}-/.test(one.promotionId)));
  const checks = checksOf(
    { body: details, redemptions: promotion?.redemptions ?? 0, pack, interval, own },
    +currentTime(),
  );
  return (
    <>
      <p className="spoken" aria-live="polite">
        <Sentence quote={quote} offer={offer} />
      </p>
      <Lines quote={quote} offer={offer} own={own} code={details.code ?? details.name} />
      <Checks checks={checks} />
      <Others trace={quote.trace} own={own} />
    </>
  );
};

type Props = { values: PromotionValues; promotion: Promotion | null };

/** Previews the price that a buyer would pay with the unsaved form. */
export const PricePreview = ({ values, promotion }: Props) => {
  const offer = useOffer(values);
  const { packages, pack, price } = offer;
  const body = previewBody(values);
  const wanted =
    body && pack && price
      ? {
          details: body,
          promotionId: promotion?.id ?? null,
          packageId: pack.id,
          currency: price.currency,
          interval: price.interval,
          intervalCount: price.intervalCount,
        }
      : null;
  const [text] = useDebouncedValue(JSON.stringify(wanted), 250);
  const asked: Asked | null = JSON.parse(text);
  const { data, error } = useQuery(previewQuery(asked));
  const isReady = asked !== null && body !== null;
  const previewed = packages?.find(({ id }) => id === data?.asked.packageId);
  return (
    <Section title={t`Preview price`}>
      {packages?.length === 0 ? (
        <p className="soft">{t`No package is on sale yet, so there's no price to preview.`}</p>
      ) : (
        <Pickers {...offer} />
      )}
      {packages && packages.length > 0 && !body && (
        <p className="soft">{t`Enter a discount to preview the price.`}</p>
      )}
      {isReady && error && (
        <Callout tone="warn" icon="alert-triangle" role="status">
          {error.message}
        </Callout>
      )}
      {isReady && data && previewed && !error && (
        <Shown promotion={promotion} pack={previewed} {...data} />
      )}
    </Section>
  );
};
