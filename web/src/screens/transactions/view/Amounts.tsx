import { t } from "@lingui/core/macro";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { quantityLabel } from "#lib/money/prices.ts";
import { Money } from "#ui/money/Money.tsx";
import { isBack, kindLabels } from "#ui/money/transactionLabels.ts";
import { Section } from "#ui/page/Page.tsx";
import { intervalOf, paidWithLabel, reasonLabel } from "../labels.ts";
import { type Details, linkOf } from "../queries.ts";

type Snapshot = NonNullable<Details["snapshot"]>;

type RowProps = {
  label: ReactNode;
  note?: ReactNode;
  amount: number;
  currency: string;
  isMinus?: boolean;
  /** A sum has one rule above it, the total has two. */
  sum?: "part" | "last" | false;
};

const LedgerRow = ({ label, note, amount, currency, isMinus, sum }: RowProps) => (
  <tr {...(sum && { "data-sum": sum })}>
    <th scope="row">{label}</th>
    <td className="softer">{note}</td>
    <td>
      <Money amount={amount} currency={currency} isMinus={(isMinus ?? false) && amount > 0} />
    </td>
  </tr>
);

const totalLabel = (stored: Details) => {
  if (isBack(stored)) return stored.kind === "refund" ? t`Refunded` : t`Charged back`;
  const { state } = stored;
  if (stored.settledAt) return t`Paid`;
  return state === "draft" || state === "pending" || state === "unknown" ? t`Due` : t`Not paid`;
};

/** What was sold: "Harbor Pro, monthly, version 3". */
const soldText = ({ package: name, version }: Snapshot, interval: string | null) =>
  interval ? t`${name}, ${interval}, version ${version}` : t`${name}, version ${version}`;

type Props = { stored: Details; currency: string };

/** The list price, by package if several were sold. */
const ListPrice = ({ stored, snapshot, currency }: Props & { snapshot: Snapshot }) => {
  const { lines, subtotal } = stored;
  const [line] = lines;
  const note = t`List price`;
  if (lines.length > 1)
    return lines.map(({ id, name, quantity, subtotal: price }) => (
      <LedgerRow
        key={id}
        label={quantityLabel(name, quantity)}
        note={note}
        amount={price}
        currency={currency}
      />
    ));
  return (
    <LedgerRow
      label={quantityLabel(soldText(snapshot, intervalOf(stored)), line?.quantity ?? 1)}
      note={note}
      amount={subtotal}
      currency={currency}
    />
  );
};

/** The price and the discount of each promotion. */
const SoldFor = ({ stored, currency }: Props) => {
  const { snapshot, subtotal, discount } = stored;
  if (!snapshot)
    return (
      <>
        <LedgerRow
          label={t`Subtotal`}
          amount={subtotal}
          currency={currency}
          isMinus={isBack(stored)}
        />
        {discount > 0 && (
          <LedgerRow label={t`Discount`} amount={discount} currency={currency} isMinus />
        )}
      </>
    );
  // A renewal keeps the discount of its subscription, which names no promotion.
  const unnamed = snapshot.promotions.reduce((rest, { amount }) => rest - amount, discount);
  return (
    <>
      <ListPrice stored={stored} snapshot={snapshot} currency={currency} />
      {snapshot.promotions.map(({ promotionId, name, code, amount }) => (
        <LedgerRow
          key={promotionId}
          label={code ? <span className="mono">{code}</span> : name}
          note={code ? name : t`Applied automatically`}
          amount={amount}
          currency={currency}
          isMinus
        />
      ))}
      {unnamed > 0 && (
        <LedgerRow label={t`Discount`} amount={unnamed} currency={currency} isMinus />
      )}
    </>
  );
};

/** Where a refund went, after its total. */
const Returned = ({ stored: { total, balanceAmount }, currency }: Props) =>
  balanceAmount > 0 && (
    <>
      {total > balanceAmount && (
        <LedgerRow
          label={t`To payment method`}
          amount={total - balanceAmount}
          currency={currency}
          isMinus
        />
      )}
      <LedgerRow label={t`To balance`} amount={balanceAmount} currency={currency} isMinus />
    </>
  );

/** The total of a sale that the balance paid in part or in full. */
const PaidFromBalance = ({ stored: { total, balanceAmount }, currency }: Props) =>
  balanceAmount > 0 && (
    <>
      <LedgerRow label={t`Total`} amount={total} currency={currency} sum="part" />
      <LedgerRow label={t`From balance`} amount={balanceAmount} currency={currency} isMinus />
    </>
  );

/** The refunds of a payment, and what is left of it. */
const Refunds = ({ stored, currency }: Props) => {
  const { refunds, refundable, refunded, total } = stored;
  if (refunds.length === 0) return null;
  return (
    <>
      {refunds.map((one) => (
        <LedgerRow
          key={one.id}
          label={
            <>
              {kindLabels[one.kind]}{" "}
              <Link to={linkOf(one)} className="sentence-link mono">
                {one.number}
              </Link>
            </>
          }
          note={one.reason && reasonLabel(one.reason)}
          amount={one.total}
          currency={currency}
          isMinus
        />
      ))}
      <LedgerRow
        label={t`Remaining`}
        note={refundable > 0 ? t`Refundable` : ""}
        amount={total - refunded}
        currency={currency}
        sum="last"
      />
    </>
  );
};

/** The parts of the amount, and what was refunded. */
export const Amounts = ({ stored }: { stored: Details }) => {
  const { currency, tax, taxIncluded, total, balanceAmount, refunds } = stored;
  const props = { stored, currency };
  return (
    <Section title={t`Amounts`}>
      <table className="ledger">
        <tbody>
          <SoldFor {...props} />
          {tax > 0 && (
            <LedgerRow
              label={t`Tax`}
              note={taxIncluded ? t`Included in the price` : undefined}
              amount={tax}
              currency={currency}
              isMinus={isBack(stored)}
            />
          )}
          {!isBack(stored) && <PaidFromBalance {...props} />}
          <LedgerRow
            label={totalLabel(stored)}
            note={paidWithLabel(stored)}
            amount={isBack(stored) ? total : total - balanceAmount}
            currency={currency}
            isMinus={isBack(stored)}
            sum={refunds.length > 0 ? "part" : "last"}
          />
          {isBack(stored) && <Returned {...props} />}
          <Refunds {...props} />
        </tbody>
      </table>
    </Section>
  );
};
