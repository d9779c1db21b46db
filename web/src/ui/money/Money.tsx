import "./Money.css";
import { amount as format } from "#lib/intl.ts";

type Props = {
  amount: number;
  currency: string;
  size?: "large" | "hero";
  /** Shown as negative. Amounts themselves are never negative. */
  isMinus?: boolean;
};

export const Money = ({ amount, currency, size, isMinus = false }: Props) => (
  <span className="money" data-size={size}>
    <b>
      {isMinus && "−"}
      {format(amount, currency)}
    </b>{" "}
    <small>{currency}</small>
  </span>
);
