import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Money } from "#ui/money/Money.tsx";
import { isBack, kindLabels } from "#ui/money/transactionLabels.ts";
import { Section } from "#ui/page/Page.tsx";
import { intervalOf } from "../labels.ts";
import { type Details, linkOf } from "../queries.ts";

type RowProps = {
  what: ReactNode;
  note?: ReactNode;
  amount: number;
  currency: string;
  isMinus?: boolean;
  /** A sum has one rule above it, the total has two. */
  sum?: "part" | "last" | false;
};

const LedgerRow = ({ what, note, amount, currency, isMinus, sum }: RowProps) => (
  <tr {...(sum && { "data-sum": sum })}>
    <th scope="row">{what}</th>
    <td className="softer">{note}</td>
    <td>
      <Money amount={amount} currency={currency} isMinus={(isMinus ?? false) && amount > 0} />
    </td>
  </tr>
);

const paidLabels = (stored: Details) => {
  if (isBack(stored)) return stored.kind === "refund" ? "Given back" : "Charged back";
  const { state } = stored;
  if (stored.settledAt) return "Paid by the user";
  return state === "draft" || state === "pending" || state === "unknown"
    ? "To be paid"
    : "Not paid";
};

/** The price and the discount of each promotion. */
const SoldFor = ({ stored, currency }: { stored: Details; currency: string }) => {
  const { snapshot, subtotal, discount } = stored;
  if (!snapshot)
    return (
      <>
        <LedgerRow what="Without tax" amount={subtotal} currency={currency} />
        {discount > 0 && (
          <LedgerRow what="Discount" amount={discount} currency={currency} isMinus />
        )}
      </>
    );
  const { package: name, version, price, promotions } = snapshot;
  const sold = [name, intervalOf(stored), `version ${version}`].filter(Boolean).join(", ");
  return (
    <>
      <LedgerRow what={sold} note="list price" amount={price} currency={currency} />
      {promotions.map(({ promotionId, name: called, code, amount }) => (
        <LedgerRow
          key={promotionId}
          what={<>Promotion {code ? <span className="mono">{code}</span> : called}</>}
          note={code ? called : "applied by itself"}
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
    <Section title="Amounts">
      <table className="ledger">
        <tbody>
          <SoldFor stored={stored} currency={currency} />
          {tax > 0 && <LedgerRow what="Tax" amount={tax} currency={currency} />}
          <LedgerRow
            what={paidLabels(stored)}
            note={provider}
            amount={total}
            currency={currency}
            isMinus={isBack(stored)}
            sum={refunds.length > 0 ? "part" : "last"}
          />
          {refunds.map((one) => (
            <LedgerRow
              key={one.id}
              what={
                <>
                  {kindLabels[one.kind]}{" "}
                  <Link to={linkOf(one)} className="sentence-link mono">
                    {one.number}
                  </Link>
                </>
              }
              note={one.reason}
              amount={one.total}
              currency={currency}
              isMinus
            />
          ))}
          {refunds.length > 0 && (
            <LedgerRow
              what="Left"
              note={refundable > 0 ? "can still be refunded" : ""}
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
