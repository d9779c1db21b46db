import { t } from "@lingui/core/macro";
import "#ui/form/form.css";
import { NativeSelect } from "@mantine/core";
import { changeBalance } from "@purser/contract/money/balance";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#lib/api/call.ts";
import { amount as formatted, money } from "#lib/intl.ts";
import { amountError, type EditedAmount } from "#lib/money/amounts.ts";
import { useCurrencies } from "#lib/money/useCurrencies.ts";
import { parseAmount } from "#lib/parseNumber.ts";
import { balanceQuery, transactionsChanged } from "#screens/transactions/queries.ts";
import { ActionDialog, type Errors, type Read, Reason } from "#ui/dialogs/ActionDialog.tsx";
import { ParsedNumberInput } from "#ui/form/inputs/ParsedNumberInput.tsx";
import { Segments } from "#ui/form/inputs/Segments.tsx";
import { nameOf, type User } from "../queries.ts";

/** The dialog's inputs. The amount is of the chosen currency. */
const useAdjustment = (user: User) => {
  const { data } = useQuery(balanceQuery(user.id));
  const offered = useCurrencies();
  const currencies = [
    ...new Set([...(data?.items.map(({ currency }) => currency) ?? []), ...offered]),
  ];
  const [chosen, setCurrency] = useState("");
  const [way, setWay] = useState<"add" | "remove">("add");
  const [amount, setAmount] = useState<EditedAmount>("");
  const currency = chosen || (currencies[0] ?? "");
  const before = data?.items.find((one) => one.currency === currency)?.amount ?? 0;
  const change = typeof amount === "number" ? (way === "add" ? amount : -amount) : 0;
  return { currencies, currency, setCurrency, way, setWay, amount, setAmount, before, change };
};

type Adjustment = ReturnType<typeof useAdjustment>;

const refusalOf = ({ amount, currency, before, change }: Adjustment) => {
  const max = money(before, currency);
  if (typeof amount !== "number") return amountError(amount, currency);
  if (amount === 0) return t`Enter more than 0.`;
  return before + change < 0 ? t`At most ${max}.` : null;
};

const effectText = ({ before, change, currency }: Adjustment) => {
  const now = money(before, currency);
  const then = money(before + change, currency);
  return t`The balance is ${then} instead of ${now}.`;
};

type FieldsProps = { of: Adjustment; errors: Errors; isSubmitted: boolean };

const Fields = ({ of, errors, isSubmitted }: FieldsProps) => {
  const { currencies, currency, amount, change } = of;
  const refusal = refusalOf(of);
  return (
    <>
      <Segments
        legend={t`Adjustment`}
        name="way"
        isAutoFocus
        value={of.way}
        options={[
          { value: "add", label: t`Add` },
          { value: "remove", label: t`Remove` },
        ]}
        onChange={of.setWay}
      />
      <div className="form-pair">
        <ParsedNumberInput
          label={t`Amount`}
          name="amount"
          className="number-input"
          inputMode="decimal"
          value={amount}
          error={errors["amount"] ?? (isSubmitted ? refusal : null)}
          read={(typed) => parseAmount(typed, currency)}
          show={(value) => formatted(value, currency)}
          onChange={of.setAmount}
        />
        <NativeSelect
          label={t`Currency`}
          name="currency"
          value={currency}
          data={currencies}
          error={errors["currency"]}
          onChange={({ currentTarget: { value } }) => of.setCurrency(value)}
        />
      </div>
      {change !== 0 && refusal === null && (
        <p className="soft" role="status">
          {effectText(of)}
        </p>
      )}
      <Reason errors={errors} />
    </>
  );
};

type Props = { user: User; onClose: () => void };

/** Adds to or removes from a customer's balance. */
export const BalanceDialog = ({ user, onClose }: Props) => {
  const adjustment = useAdjustment(user);
  const [isSubmitted, setSubmitted] = useState(false);
  const { id } = user;
  const { currency, change } = adjustment;
  const name = nameOf(user);
  const shown = money(Math.abs(change), currency || "EUR");
  const bodyOf = (read: Read) => ({ currency, amount: change, reason: read("reason") });
  return (
    <ActionDialog
      onClose={onClose}
      title={t`Adjust the balance of ${name}`}
      fact={t`The balance is used first for the next payment.`}
      sign={{ icon: "receipt", tone: "info" }}
      button={t`Adjust balance`}
      changed={transactionsChanged}
      isReady={() => {
        setSubmitted(true);
        return refusalOf(adjustment) === null;
      }}
      wanted={(read) => ({
        operation: "POST /users/:id/balance",
        params: { id },
        body: bodyOf(read),
      })}
      action={(read, keyFor) => {
        const body = bodyOf(read);
        return call(changeBalance, { params: { id }, body, key: keyFor(body) });
      }}
      told={() =>
        change > 0 ? t`${shown} added to the balance` : t`${shown} removed from the balance`
      }
    >
      {(errors) => <Fields of={adjustment} errors={errors} isSubmitted={isSubmitted} />}
    </ActionDialog>
  );
};
