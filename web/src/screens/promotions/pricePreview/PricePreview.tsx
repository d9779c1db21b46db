import "#ui/record/Explanation.css";
import { NativeSelect } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { formatAmount } from "@purser/contract/fields/money";
import type { Wire } from "@purser/contract/http/endpoint";
import type { Price } from "@purser/contract/packages/prices";
import { previewPromotion } from "@purser/contract/promotions/pricing";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#lib/api/call.ts";
import { count } from "#lib/labels.ts";
import { leadPrice, periodLabel } from "#lib/money/prices.ts";
import { formatDate } from "#lib/time/dates.ts";
import { contentsQuery, readPackages } from "#screens/packages/queries.ts";
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
    return (await readPackages(query, signal)).items.filter(({ onSale }) => onSale !== null);
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
  const labelOf = (one: Price) =>
    isOneCurrency ? periodLabel(one) : `${periodLabel(one)}, ${one.currency}`;
  return (
    <div className="preview-offer">
      <NativeSelect
        aria-label="Package to try"
        value={pack?.id ?? ""}
        onChange={({ currentTarget }) => setPackage(currentTarget.value)}
        data={packages.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <NativeSelect
        aria-label="Interval to try"
        value={price ? keyOf(price) : ""}
        onChange={({ currentTarget }) => setChosen(currentTarget.value)}
        data={prices.map((one) => ({ value: keyOf(one), label: labelOf(one) }))}
      />
    </div>
  );
};

type Priced = { quote: Quote; what: string };

const Sentence = ({ quote, what }: Priced) => {
  const { currency, subtotal, total, discount, trialDays } = quote;
  const amount = (minor: number) => formatAmount(minor, currency);
  return (
    <p className="spoken" aria-live="polite">
      A user buying <b>{what}</b> today{" "}
      {trialDays > 0 ? `tries it for ${count(trialDays, "day")}, then pays ` : "pays "}
      <b>{amount(total)}</b>
      {discount > 0 ? (
        <>
          {" "}
          instead of <s>{amount(subtotal)}</s>.
        </>
      ) : (
        ", the list price."
      )}
    </p>
  );
};

const dayOf = (at: string) => formatDate(zone, new Date(at));

type LinesProps = Priced & { own: Quote["trace"][number] | undefined; code: string };

const Lines = ({ quote, what, own, code }: LinesProps) => {
  const { currency, subtotal, total, trialDays, trace, features, later } = quote;
  const others = trace.filter((one) => one !== own && one.isApplied && one.amount > 0);
  return (
    <table className="reckoning">
      <tbody>
        <tr>
          <th scope="row">{what}</th>
          <td>
            <Money amount={subtotal} currency={currency} />
          </td>
        </tr>
        {own && (
          <tr data-off={own.isApplied ? undefined : true}>
            <th scope="row">{own.isApplied ? code : `${code} does not apply`}</th>
            <td>
              {own.amount > 0 && "−"}
              <Money amount={own.amount} currency={currency} />
            </td>
          </tr>
        )}
        {others.map(({ promotionId, name, amount }) => (
          <tr key={promotionId}>
            <th scope="row">{name}</th>
            <td>
              −<Money amount={amount} currency={currency} />
            </td>
          </tr>
        ))}
        <tr data-total>
          <th scope="row">
            {trialDays > 0 ? `Pays after ${count(trialDays, "day")}` : "Pays today"}
          </th>
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
        {features.map(({ featureId, name, value, days }) => (
          <tr key={featureId} data-later>
            <th scope="row">{name}</th>
            <td>
              {valueLabels(value)}
              {days !== null && ` for ${count(days, "day")}`}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
};

const Checks = ({ checks }: { checks: Check[] }) => (
  <ul className="checks" aria-label="Why">
    {checks.map(({ isMet, words }) => (
      <li key={words} {...(!isMet && { "data-no": true })}>
        <Icon name={isMet ? "check" : "x"} size={15} />
        <span>
          <span className="unseen">{isMet ? "Yes: " : "No: "}</span>
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
      <h3 className="preview-others">Others that count by themselves</h3>
      <Checks checks={others.map(({ isApplied, words }) => ({ isMet: isApplied, words }))} />
    </>
  );
};

type ShownProps = { promotion: Promotion | null; asked: Asked; quote: Quote; pack: Pack };

const Shown = ({ promotion, asked, quote, pack }: ShownProps) => {
  const { details, interval, intervalCount = 1 } = asked;
  const name = `${pack.name} ${periodLabel({ interval, intervalCount }).toLowerCase()}`;
  // A promotion that isn't stored yet has a placeholder id, which no other has.
  const own =
    quote.trace.find(({ promotionId }) => promotionId === promotion?.id) ??
    (promotion ? undefined : quote.trace.find((one) => /^0{8}-/.test(one.promotionId)));
  const checks = checksOf(
    { body: details, uses: promotion?.uses ?? 0, pack, interval, own },
    Date.now(),
  );
  return (
    <>
      <Sentence quote={quote} what={name} />
      <Lines quote={quote} what={name} own={own} code={details.code ?? details.name} />
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
    <Section title="Try it">
      {packages?.length === 0 ? (
        <p className="soft">Nothing is on sale yet, so there is no price to try it with.</p>
      ) : (
        <Pickers {...offer} />
      )}
      {packages && packages.length > 0 && !body && (
        <p className="soft">Say what it gives, and what a buyer would pay stands here.</p>
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
