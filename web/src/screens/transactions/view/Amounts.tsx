import { t } from "@lingui/core/macro";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Money } from "#ui/money/Money.tsx";
import { isBack, kindLabels } from "#ui/money/transactionLabels.ts";
import { Section } from "#ui/page/Page.tsx";
import { intervalOf, providerLabel, reasonLabel } from "../labels.ts";
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

/** The price and the discount of each promotion. */
const SoldFor = ({ stored, currency }: { stored: Details; currency: string }) => {
  const { snapshot, subtotal, discount } = stored;
  if (!snapshot)
    return (
      <>
        <LedgerRow label={t`Subtotal`} amount={subtotal} currency={currency} />
        {discount > 0 && (
          <LedgerRow label={t`Discount`} amount={discount} currency={currency} isMinus />
        )}
      </>
    );
  const { price, promotions } = snapshot;
  return (
    <>
      <LedgerRow
        label={soldText(snapshot, intervalOf(stored))}
        note={t`List price`}
        amount={price}
        currency={currency}
      />
      {promotions.map(({ promotionId, name, code, amount }) => (
        <LedgerRow
          key={promotionId}
          label={code ? <span className="mono">{code}</span> : name}
          note={code ? name : t`Applied automatically`}
          amount={amount}
          currency={currency}
          isMinus
        />
      ))}
    </>
  );
};

/** The parts of the amount, and what was refunded. */
export const Amounts = ({ stored }: { stored: Details }) => {
  const { currency, tax, total, refunds, refunded, provider, refundable } = stored;
  return (
    <Section title={t`Amounts`}>
      <table className="ledger">
        <tbody>
          <SoldFor stored={stored} currency={currency} />
          {tax > 0 && <LedgerRow label={t`Tax`} amount={tax} currency={currency} />}
          <LedgerRow
            label={totalLabel(stored)}
            note={providerLabel(provider)}
            amount={total}
            currency={currency}
            isMinus={isBack(stored)}
            sum={refunds.length > 0 ? "part" : "last"}
          />
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
          {refunds.length > 0 && (
            <LedgerRow
              label={t`Remaining`}
              note={refundable > 0 ? t`Refundable` : ""}
              amount={total - refunded}
              currency={currency}
              sum="last"
            />
          )}
        </tbody>
      </table>
    </Section>
  );
};
