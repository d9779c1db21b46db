import { formatMoney } from "@purser/contract/fields/money";
import type { ReactNode } from "react";
import { UserFacingError } from "#lib/api/userFacingError.ts";
import { count } from "#lib/labels.ts";
import { formatDate } from "#lib/time/dates.ts";
import { Icon } from "#ui/Icon.tsx";
import type { IconName } from "#ui/iconNames.ts";
import { Money } from "#ui/money/Money.tsx";
import { Refused } from "#ui/page/Callout.tsx";
import { Section } from "#ui/page/Page.tsx";
import type { SaleQuote } from "../queries.ts";
import { companyZone, type SaleValues } from "./values.ts";

type LineProps = {
  what: ReactNode;
  why?: string;
  amount: number | null;
  currency: string;
  isMinus?: boolean;
  isOver?: boolean;
  isLast?: boolean;
};

const Line = ({ what, why, amount, currency, isMinus, isOver, isLast }: LineProps) => (
  <tr {...(isOver && { "data-over": true })} {...(isLast && { "data-sum": "last" })}>
    <th scope="row">
      {what}
      {why && <small>{why}</small>}
    </th>
    <td>
      {amount === null ? (
        "–"
      ) : (
        <Money amount={amount} currency={currency} isMinus={(isMinus ?? false) && amount > 0} />
      )}
    </td>
  </tr>
);

const Price = ({ quote }: { quote: SaleQuote["quote"] }) => {
  const { currency, subtotal, tax, total, trace } = quote;
  return (
    <table className="ledger">
      <tbody>
        <Line what="List price" amount={subtotal} currency={currency} />
        {trace.map(({ promotionId, name, code, isApplied, amount, words }) => (
          <Line
            key={promotionId}
            what={code ? <span className="mono">{code}</span> : name}
            why={words}
            amount={isApplied ? amount : null}
            currency={currency}
            isMinus
            isOver={!isApplied}
          />
        ))}
        {tax > 0 && <Line what="Tax" amount={tax} currency={currency} />}
        <Line what="Total" amount={total} currency={currency} isLast />
      </tbody>
    </table>
  );
};

const day = (at: string) => formatDate(companyZone, new Date(at));

const makesLabels: Record<SaleQuote["effect"]["makes"], string> = {
  subscription: "A subscription begins.",
  period: "The next period of a subscription is paid.",
  change: "Another package takes the place of the one that is held.",
  right: "A right without an end is given.",
};

const effectsOf = ({ effect, person, quote }: SaleQuote) => {
  const { makes, from, until, features, apps, version, replaces } = effect;
  const lines: { icon: IconName; words: string }[] = [
    { icon: "receipt", words: makesLabels[makes] },
    { icon: "clock", words: until ? `${day(from)} to ${day(until)}` : `From ${day(from)}, no end` },
    {
      icon: "package",
      words: `Version ${version}: ${count(features, "feature")} in ${count(apps, "app")}`,
    },
    ...quote.features.map(({ name, days }) => ({
      icon: "gift" as const,
      words: days === null ? `${name} on top` : `${name} on top, for ${count(days, "day")}`,
    })),
    ...replaces.map(({ name }) => ({ icon: "ban" as const, words: `${name} ends` })),
    ...quote.later.map(({ from: at, total }) => ({
      icon: "calendar-repeat" as const,
      words: `${formatMoney(total, quote.currency)} from ${day(at)}`,
    })),
  ];
  if (quote.trialDays > 0)
    lines.push({ icon: "hourglass", words: `${count(quote.trialDays, "day")} of trial first` });
  if (!person) lines.push({ icon: "user-circle", words: "The person becomes a customer." });
  return lines;
};

const begins: Record<SaleValues["state"], string | null> = {
  succeeded: null,
  pending: "Nothing of this before it is paid.",
  draft: "Nothing of this before the draft is recorded.",
};

type Props = {
  quote: SaleQuote | null;
  error: Error | null;
  isLate: boolean;
  state: SaleValues["state"];
};

/** Next to the form: the price with its parts, and the effect of recording. */
export const SaleRail = ({ quote, error, isLate, state }: Props) => {
  if (error && !(error instanceof UserFacingError)) throw error;
  if (error)
    return (
      <Section title="Price">
        <Refused refusal={error} />
      </Section>
    );
  if (!quote)
    return (
      <Section title="Price">
        <p className="soft">Once a person and a package are chosen, what it costs stands here.</p>
      </Section>
    );
  return (
    <>
      <div aria-busy={isLate}>
        <Section title="Price">
          <Price quote={quote.quote} />
        </Section>
      </div>
      <Section title="What this will do">
        {begins[state] && <p className="soft">{begins[state]}</p>}
        <ul className="effects">
          {effectsOf(quote).map(({ icon, words }) => (
            <li key={words}>
              <Icon name={icon} />
              <span>{words}</span>
            </li>
          ))}
        </ul>
      </Section>
    </>
  );
};
