import { t } from "@lingui/core/macro";
import "../lineTable.css";
import type { ReactNode } from "react";
import { money, signedAmount } from "#lib/intl.ts";
import { quantityLabel } from "#lib/money/prices.ts";
import { taxHeading } from "#lib/money/taxes.ts";
import { formatDate, formatDateTime } from "#lib/time/dates.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import type { ChangePlan } from "../queries.ts";

type Amounts = { net: number; tax: number; gross: number };

type RowProps = {
  label: ReactNode;
  note?: string | undefined;
  amounts: Amounts;
  currency: string;
  taxLabel: string;
};

const Row = ({ label, note, amounts, currency, taxLabel }: RowProps) => (
  <tr>
    <th scope="row">
      {label}
      {note && <small>{note}</small>}
    </th>
    <td data-label={t`Net`}>{signedAmount(amounts.net, currency)}</td>
    <td data-label={taxLabel}>{signedAmount(amounts.tax, currency)}</td>
    <td data-main>{signedAmount(amounts.gross, currency)}</td>
  </tr>
);

type SumProps = {
  label: string;
  note?: string | undefined;
  amount: number;
  currency: string;
  sum?: "last";
};

/** A row that only has a total. */
const SumRow = ({ label, note, amount, currency, sum }: SumProps) => (
  <tr {...(sum && { "data-sum": sum })}>
    <th scope="row">
      {label}
      {note && <small>{note}</small>}
    </th>
    <td />
    <td />
    <td data-main>
      <b className={sum && "line-total"}>{signedAmount(amount, currency)}</b>
    </td>
  </tr>
);

const minus = ({ net, tax, gross }: Amounts): Amounts => ({
  net: -net,
  tax: -tax,
  gross: -gross,
});

const sumOf = (all: readonly Amounts[]): Amounts =>
  all.reduce(
    (sum, one) => ({
      net: sum.net + one.net,
      tax: sum.tax + one.tax,
      gross: sum.gross + one.gross,
    }),
    { net: 0, tax: 0, gross: 0 },
  );

const discountText = (
  { subtotal, discount }: ChangePlan["lines"][number],
  currency: string,
): string | undefined => {
  const price = money(subtotal, currency);
  const off = money(discount, currency);
  return discount > 0 ? t`List price ${price}, ${off} off` : undefined;
};

const creditText = ({ from, until }: ChangePlan["credits"][number], zone: string) => {
  if (from === null || until === null) return undefined;
  const start = formatDateTime(zone, new Date(from));
  const end = formatDateTime(zone, new Date(until));
  return t`Unused ${start} to ${end}`;
};

const CreditName = ({ name, number }: { name: string; number: string }) => (
  <>
    {t`Credit for ${name}`} <span className="mono">{number}</span>
  </>
);

/** What is due now, or what the customer gets. */
const Payment = ({ plan }: { plan: ChangePlan }) => {
  const { currency, payment } = plan;
  const { fromBalance, due, toBalance } = payment;
  return (
    <>
      {fromBalance > 0 && (
        <SumRow label={t`From balance`} amount={-fromBalance} currency={currency} />
      )}
      {toBalance > 0 ? (
        <SumRow
          label={t`To balance`}
          note={t`Used for the next payments.`}
          amount={toBalance}
          currency={currency}
          sum="last"
        />
      ) : (
        <SumRow label={t`Due now`} amount={due} currency={currency} sum="last" />
      )}
    </>
  );
};

const Lines = ({ plan }: { plan: ChangePlan }) => {
  const zone = useTimeZone();
  const { lines, credits, currency } = plan;
  const taxLabel = taxHeading(lines);
  const start = formatDateTime(zone, new Date(plan.from));
  const end = formatDateTime(zone, new Date(plan.until));
  const shared = { currency, taxLabel };
  const total = sumOf([...lines, ...credits.map(minus)]);
  return (
    <table className="line-table plan-lines" aria-label={t`Lines`}>
      <thead>
        <tr>
          <th scope="col">{t`Line`}</th>
          <th scope="col">{t`Net`}</th>
          <th scope="col">{taxLabel}</th>
          <th scope="col">{currency}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <Row
            key={line.name}
            label={quantityLabel(line.name, line.quantity)}
            note={[t`${start} to ${end}`, discountText(line, currency)].filter(Boolean).join(" · ")}
            amounts={line}
            {...shared}
          />
        ))}
        {credits.map((credit) => (
          <Row
            key={`${credit.lineId} ${credit.from}`}
            label={<CreditName name={credit.name} number={credit.transaction.number} />}
            note={creditText(credit, zone)}
            amounts={minus(credit)}
            {...shared}
          />
        ))}
      </tbody>
      <tfoot>
        <tr data-sum="part">
          <th scope="row">{t`Total`}</th>
          <td data-label={t`Net`}>{signedAmount(total.net, currency)}</td>
          <td data-label={taxLabel}>{signedAmount(total.tax, currency)}</td>
          <td data-main>{signedAmount(total.gross, currency)}</td>
        </tr>
        <Payment plan={plan} />
      </tfoot>
    </table>
  );
};

const effectText = (
  { total, currency, from, payment }: ChangePlan,
  zone: string,
  isNow: boolean,
) => {
  const price = money(total, currency);
  const date = formatDate(zone, new Date(from));
  if (!isNow) return t`The price is ${price} from ${date}. No payment is due until then.`;
  return payment.due > 0
    ? t`The package changes once the payment is settled.`
    : t`No payment is due, so the package changes immediately.`;
};

type Props = { plan: ChangePlan; isNow: boolean };

/** The price of a change by line, what is credited, and how the rest is paid. */
export const PlanLines = ({ plan, isNow }: Props) => {
  const zone = useTimeZone();
  const end = formatDate(zone, new Date(plan.until));
  return (
    <div>
      <Lines plan={plan} />
      <p className="soft table-foot" role="status">
        {effectText(plan, zone, isNow)} {t`Renews on ${end}.`}
      </p>
    </div>
  );
};
