import "./Money.css";
import { formatAmount } from "@purser/contract/fields/money";

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
      {formatAmount(amount, currency)}
    </b>{" "}
    <small>{currency}</small>
  </span>
);
