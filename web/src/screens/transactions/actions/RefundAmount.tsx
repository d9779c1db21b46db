import { formatAmount, parseAmount } from "@purser/contract/fields/money";
import { amountError, type EditedAmount } from "#lib/money/amounts.ts";
import { ParsedNumberInput } from "#ui/form/inputs/ParsedNumberInput.tsx";

/** Why this amount can't be refunded, or null. */
export const refusalOf = (amount: EditedAmount, left: number, currency: string) => {
  if (typeof amount !== "number") return amountError(amount, currency);
  if (amount === 0) return "must be more than 0";
  return amount > left ? `must be at most ${formatAmount(left, currency)}` : null;
};

type AmountProps = {
  left: number;
  unused: number | undefined;
  currency: string;
  value: EditedAmount;
  error: string | null;
  onChange: (amount: EditedAmount) => void;
};

/** The amount to refund: typed, or one of the most common amounts. */
export const AmountField = ({ left, unused, currency, value, error, onChange }: AmountProps) => {
  const choices = [
    { label: "All", amount: left },
    { label: "Unused", amount: unused },
    { label: "Half", amount: Math.ceil(left / 2) },
  ];
  const back = typeof value === "number" ? Math.min(value, left) : 0;
  const rest = left - back;
  return (
    <div className="refund-amount">
      <ParsedNumberInput
        label="Amount"
        name="amount"
        className="number-input"
        inputMode="decimal"
        rightSection={<span className="unit">{currency}</span>}
        rightSectionWidth={48}
        data-autofocus
        value={value}
        error={error}
        read={(typed) => parseAmount(typed, currency)}
        show={(amount) => formatAmount(amount, currency)}
        onChange={onChange}
      />
      <fieldset className="refund-choices">
        <legend>or take</legend>
        <div className="segments">
          {choices.map(
            ({ label, amount }) =>
              amount !== undefined &&
              amount > 0 && (
                <button
                  key={label}
                  type="button"
                  aria-pressed={value === amount}
                  onClick={() => onChange(amount)}
                >
                  {label} <small>{formatAmount(amount, currency)}</small>
                </button>
              ),
          )}
        </div>
      </fieldset>
      <div className="mix rollout-bar" aria-hidden="true">
        <i
          style={{
            width: `${left === 0 ? 0 : (back / left) * 100}%`,
            background: "var(--p-text-2)",
          }}
        />
      </div>
      <p className="refund-rest">
        <span>{formatAmount(back, currency)} goes back</span>
        <span>
          {rest === 0
            ? "nothing is left to refund"
            : `${formatAmount(rest, currency)} stays and can still be refunded`}
        </span>
      </p>
    </div>
  );
};
