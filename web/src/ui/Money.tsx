import "./Money.css";
import { formatAmount } from "@purser/contract/money";

type Props = { amount: number; currency: string; size?: "large" };

/** An amount of money: the amount strong, its currency small after it. */
export const Money = ({ amount, currency, size }: Props) => (
  <span className="money" data-size={size}>
    <b>{formatAmount(amount, currency)}</b> <small>{currency}</small>
  </span>
);
