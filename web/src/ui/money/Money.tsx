import "./Money.css";
import { formatAmount } from "@purser/contract/fields/money";

type Props = {
  amount: number;
  currency: string;
  size?: "large" | "hero";
  /** It went the other way. Amounts themselves are never below nothing. */
  isMinus?: boolean;
};

/** An amount of money: the amount strong, its currency small after it. */
export const Money = ({ amount, currency, size, isMinus = false }: Props) => (
  <span className="money" data-size={size}>
    <b>
      {isMinus && "−"}
      {formatAmount(amount, currency)}
    </b>{" "}
    <small>{currency}</small>
  </span>
);
