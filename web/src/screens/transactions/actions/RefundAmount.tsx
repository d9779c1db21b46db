import { t } from "@lingui/core/macro";
import { amount as formatted } from "#lib/intl.ts";
import { amountError, type EditedAmount } from "#lib/money/amounts.ts";
import { parseAmount } from "#lib/parseNumber.ts";
import { ParsedNumberInput } from "#ui/form/inputs/ParsedNumberInput.tsx";

/** Why this amount can't be refunded, or null. */
export const refusalOf = (amount: EditedAmount, left: number, currency: string) => {
  if (typeof amount !== "number") return amountError(amount, currency);
  if (amount === 0) return t`Enter more than 0.`;
  const max = formatted(left, currency);
  return amount > left ? t`Enter at most ${max}.` : null;
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
    { label: t`Full`, amount: left },
    { label: t`Unused time`, amount: unused },
    { label: t`Half`, amount: Math.ceil(left / 2) },
  ];
  const back = typeof value === "number" ? Math.min(value, left) : 0;
  const rest = left - back;
  const refunded = formatted(back, currency);
  const remaining = formatted(rest, currency);
  return (
    <div className="refund-amount">
      <ParsedNumberInput
        label={t`Amount`}
        name="amount"
        className="number-input"
        inputMode="decimal"
        rightSection={<span className="unit">{currency}</span>}
        rightSectionWidth={48}
        data-autofocus
        value={value}
        error={error}
        read={(typed) => parseAmount(typed, currency)}
        show={(amount) => formatted(amount, currency)}
        onChange={onChange}
      />
      <fieldset className="refund-choices">
        <legend>{t`Suggested amounts`}</legend>
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
                  {label} <small>{formatted(amount, currency)}</small>
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
        <span>{t`Refunding ${refunded}`}</span>
        <span>{rest === 0 ? t`Nothing left to refund` : t`${remaining} left to refund`}</span>
      </p>
    </div>
  );
};
