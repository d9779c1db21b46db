import { plural, t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import { UserFacingError } from "#lib/api/userFacingError.ts";
import { money } from "#lib/intl.ts";
import { messageText } from "#lib/serverMessages.ts";
import { formatDate } from "#lib/time/dates.ts";
import { Icon } from "#ui/Icon.tsx";
import type { IconName } from "#ui/iconNames.ts";
import { Money } from "#ui/money/Money.tsx";
import { Refused } from "#ui/page/Callout.tsx";
import { Section } from "#ui/page/Page.tsx";
import type { SaleQuote } from "../queries.ts";
import { companyZone, type SaleValues } from "./values.ts";

type LineProps = {
  label: ReactNode;
  note?: string;
  amount: number | null;
  currency: string;
  isMinus?: boolean;
  isOver?: boolean;
  isLast?: boolean;
};

const Line = ({ label, note, amount, currency, isMinus, isOver, isLast }: LineProps) => (
  <tr {...(isOver && { "data-over": true })} {...(isLast && { "data-sum": "last" })}>
    <th scope="row">
      {label}
      {note && <small>{note}</small>}
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
        <Line label={t`List price`} amount={subtotal} currency={currency} />
        {trace.map(({ promotionId, name, code, isApplied, amount, message }) => (
          <Line
            key={promotionId}
            label={code ? <span className="mono">{code}</span> : name}
            note={messageText(message)}
            amount={isApplied ? amount : null}
            currency={currency}
            isMinus
            isOver={!isApplied}
          />
        ))}
        {tax > 0 && <Line label={t`Tax`} amount={tax} currency={currency} />}
        <Line label={t`Total`} amount={total} currency={currency} isLast />
      </tbody>
    </table>
  );
};

const day = (at: string) => formatDate(companyZone, new Date(at));

const makesLabels: Record<SaleQuote["effect"]["makes"], string> = {
  subscription: t`Starts a subscription.`,
  period: t`Pays for the next period of a subscription.`,
  change: t`Replaces the customer's current package.`,
  grant: t`Grants access with no end date.`,
};

type Effect = SaleQuote["effect"];
type Quote = SaleQuote["quote"];

const periodText = ({ from, until }: Effect) => {
  const start = day(from);
  const end = until && day(until);
  return end ? t`${start} to ${end}` : t`From ${start}, no end date`;
};

const contentText = ({ version, features, apps }: Effect) =>
  t`Version ${version} with ${plural(features, { one: "# feature", other: "# features" })} in ${plural(apps, { one: "# app", other: "# apps" })}`;

const featureText = ({ name, days }: Quote["features"][number]) =>
  days === null
    ? t`Adds ${name}`
    : plural(days, { one: `Adds ${name} for # day`, other: `Adds ${name} for # days` });

const laterText = ({ from, total }: Quote["later"][number], currency: string) => {
  const price = money(total, currency);
  const date = day(from);
  return t`${price} from ${date}`;
};

const effectsOf = ({ effect, customer, quote }: SaleQuote) => {
  const { trialDays, currency } = quote;
  const lines: { icon: IconName; text: string }[] = [
    { icon: "receipt", text: makesLabels[effect.makes] },
    { icon: "clock", text: periodText(effect) },
    { icon: "package", text: contentText(effect) },
    ...quote.features.map((one) => ({ icon: "gift" as const, text: featureText(one) })),
    ...effect.replaces.map(({ name }) => ({ icon: "ban" as const, text: t`Ends ${name}` })),
    ...quote.later.map((one) => ({
      icon: "calendar-repeat" as const,
      text: laterText(one, currency),
    })),
  ];
  if (trialDays > 0) {
    const text = plural(trialDays, {
      one: "Starts with a trial of # day",
      other: "Starts with a trial of # days",
    });
    lines.push({ icon: "hourglass", text });
  }
  if (!customer) lines.push({ icon: "user-circle", text: t`Creates a customer.` });
  return lines;
};

const conditions: Record<SaleValues["state"], string | null> = {
  succeeded: null,
  pending: t`Takes effect once it's paid.`,
  draft: t`Takes effect once the draft is recorded and paid.`,
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
      <Section title={t`Price`}>
        <Refused refusal={error} />
      </Section>
    );
  if (!quote)
    return (
      <Section title={t`Price`}>
        <p className="soft">{t`Choose a customer and a package to see the price.`}</p>
      </Section>
    );
  return (
    <>
      <div aria-busy={isLate}>
        <Section title={t`Price`}>
          <Price quote={quote.quote} />
        </Section>
      </div>
      <Section title={t`Consequences`}>
        {conditions[state] && <p className="soft">{conditions[state]}</p>}
        <ul className="effects">
          {effectsOf(quote).map(({ icon, text }) => (
            <li key={text}>
              <Icon name={icon} />
              <span>{text}</span>
            </li>
          ))}
        </ul>
      </Section>
    </>
  );
};
