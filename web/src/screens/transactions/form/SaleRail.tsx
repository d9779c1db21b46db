import { plural, t } from "@lingui/core/macro";
import type { ReactNode } from "react";
import { UserFacingError } from "#lib/api/userFacingError.ts";
import { money, number } from "#lib/intl.ts";
import { commonTaxLabel } from "#lib/money/taxes.ts";
import { messageText } from "#lib/serverMessages.ts";
import { formatDate } from "#lib/time/dates.ts";
import { Icon } from "#ui/Icon.tsx";
import type { IconName } from "#ui/iconNames.ts";
import { Money } from "#ui/money/Money.tsx";
import { Refused } from "#ui/page/Callout.tsx";
import { Section } from "#ui/page/Page.tsx";
import type { SaleQuote } from "../queries.ts";
import { companyZone, type SaleValues } from "./values.ts";

const day = (at: string) => formatDate(companyZone, new Date(at));

type LineProps = {
  label: ReactNode;
  note?: string | undefined;
  amount: number | null;
  currency: string;
  isMinus?: boolean;
  isOver?: boolean;
  /** A sum has one rule above it, the last one has two below it. */
  sum?: "part" | "last";
};

const Line = ({ label, note, amount, currency, isMinus, isOver, sum }: LineProps) => (
  <tr {...(isOver && { "data-over": true })} {...(sum && { "data-sum": sum })}>
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

/** The tax, and how it was calculated. */
const TaxLine = ({ quote: { currency, subtotal, discount, tax, total }, lines }: SaleQuote) => {
  const label = commonTaxLabel(lines);
  const isIncluded = tax > 0 && total === subtotal - discount;
  const notes = [...(label ? [label] : []), ...(isIncluded ? [t`included in the price`] : [])];
  if (tax === 0 && lines.every(({ taxTreatment }) => taxTreatment === "none")) return null;
  return <Line label={t`Tax`} note={notes.join(", ")} amount={tax} currency={currency} />;
};

const creditText = ({ from, until }: SaleQuote["credits"][number]) => {
  if (from === null || until === null) return undefined;
  const [start, end] = [day(from), day(until)];
  return t`Unused ${start} to ${end}`;
};

/** How the total is paid: with credits, the balance, and the rest. */
const Paid = ({ quote: { currency }, credits, payment }: SaleQuote) => (
  <>
    {credits.map((credit) => (
      <Line
        key={`${credit.lineId} ${credit.from}`}
        label={
          <>
            {t`Credit`} <span className="mono">{credit.transaction.number}</span>
          </>
        }
        note={[credit.name, creditText(credit)].filter(Boolean).join(", ")}
        amount={credit.gross}
        currency={currency}
        isMinus
      />
    ))}
    {payment.fromBalance > 0 && (
      <Line label={t`From balance`} amount={payment.fromBalance} currency={currency} isMinus />
    )}
    {payment.toBalance > 0 ? (
      <Line label={t`To balance`} amount={payment.toBalance} currency={currency} sum="last" />
    ) : (
      <Line label={t`Due`} amount={payment.due} currency={currency} sum="last" />
    )}
  </>
);

const listPriceText = ([line, ...others]: SaleQuote["lines"], currency: string) => {
  if (!line || others.length > 0 || line.quantity === 1) return undefined;
  const count = number(line.quantity);
  const unit = money(line.unitAmount, currency);
  return t`${count} × ${unit}`;
};

const Price = ({ sale }: { sale: SaleQuote }) => {
  const { currency, subtotal, total, trace } = sale.quote;
  const isPaidOtherwise = sale.credits.length > 0 || sale.payment.due !== total;
  return (
    <table className="ledger">
      <tbody>
        <Line
          label={t`List price`}
          note={listPriceText(sale.lines, currency)}
          amount={subtotal}
          currency={currency}
        />
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
        <TaxLine {...sale} />
        <Line
          label={t`Total`}
          amount={total}
          currency={currency}
          sum={isPaidOtherwise ? "part" : "last"}
        />
        {isPaidOtherwise && <Paid {...sale} />}
      </tbody>
    </table>
  );
};

const makesLabels: Record<SaleQuote["effect"]["makes"], string> = {
  subscription: t`Starts a subscription.`,
  period: t`Pays for the next period of a subscription.`,
  change: t`Replaces the customer's current package.`,
  quantity: t`Changes the quantity of a subscription.`,
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

const effectsOf = ({ effect, customer, quote, promotions }: SaleQuote) => {
  const { trialDays, currency } = quote;
  const lines: { icon: IconName; text: string }[] = [
    { icon: "receipt", text: makesLabels[effect.makes] },
    { icon: "clock", text: periodText(effect) },
    { icon: "package", text: contentText(effect) },
    ...quote.features.map((one) => ({ icon: "gift" as const, text: featureText(one) })),
    ...effect.replaces.map(({ name }) => ({ icon: "ban" as const, text: t`Ends ${name}` })),
    ...promotions.map(({ continues, message }) => ({
      icon: continues ? ("circle-check" as const) : ("tag-off" as const),
      text: messageText(message),
    })),
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
          <Price sale={quote} />
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
