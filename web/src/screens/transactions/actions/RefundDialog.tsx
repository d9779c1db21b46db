import { formatMoney } from "@purser/contract/fields/money";
import "../transactions.css";
import { Button, NativeSelect, Textarea } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { refundTransaction } from "@purser/contract/transactions/actions";
import type { AccessChoice } from "@purser/contract/transactions/fields";
import { useQuery } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { call } from "#lib/api/call.ts";
import { count } from "#lib/labels.ts";
import type { EditedAmount } from "#lib/money/amounts.ts";
import { formatDate } from "#lib/time/dates.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import type { Wanted } from "#ui/dialogs/approval.ts";
import "#ui/dialogs/ActionDialog.css";
import { Dialog } from "#ui/dialogs/Dialog.tsx";
import { RefusedAction } from "#ui/dialogs/RefusedAction.tsx";
import { useIdempotencyKey } from "#ui/form/useRecordForm.ts";
import { useSubmit } from "#ui/form/useSubmit.ts";
import { Icon } from "#ui/Icon.tsx";
import { toast } from "#ui/popups/toast.ts";
import { refundableOf } from "../labels.ts";
import { refundQuery, type Transaction, transactionsChanged } from "../queries.ts";
import { AmountField, refusalOf } from "./RefundAmount.tsx";

const reasons = [
  "User asked",
  "Bought by mistake",
  "Charged twice",
  "Fraud",
  "App did not work",
  "Another reason",
];

const askMs = 250;

type Props = { stored: Transaction; onClose: () => void };

const paidBy = ({ provider }: Transaction) =>
  provider === "manual" ? "recorded by hand" : `paid with ${provider}`;

type AccessProps = {
  stored: Transaction;
  /** The request to preview; null while the amount is invalid. */
  amount: number | null;
  value: AccessChoice | null;
  error: string | null;
  onChange: (access: AccessChoice) => void;
};

/** The effect of each choice on access, in numbers. */
const useChoices = ({ stored, amount }: Pick<AccessProps, "stored" | "amount">) => {
  const zone = useTimeZone();
  const asked = { amount: amount ?? 1 };
  const enabled = amount !== null;
  const now = useQuery({
    ...refundQuery(stored.id, { ...asked, access: "end now" }),
    enabled,
  }).data;
  const then = useQuery({
    ...refundQuery(stored.id, { ...asked, access: "end with period" }),
    enabled: enabled && stored.periodEnd !== null,
  }).data;
  const until = then?.accessUntil ? formatDate(zone, new Date(then.accessUntil)) : null;
  const stops = now
    ? `${count(now.features, "feature stops", "features stop")} at once.`
    : "Everything that it gave stops at once.";
  return [
    { access: "end now", label: "End it now", does: stops },
    ...(stored.periodEnd === null
      ? []
      : ([
          {
            access: "end with period",
            label: until ? `Keep it until ${until}` : "End it with the period",
            does: "It will not renew.",
          },
        ] as const)),
    { access: "keep", label: "Keep it", does: "Nothing changes for this person." },
  ] as const;
};

const AccessField = ({ stored, amount, value, error, onChange }: AccessProps) => (
  <fieldset
    className="choices"
    {...(error && { "aria-invalid": true, "aria-describedby": "refund-access-error" })}
  >
    <legend className="field-label">Access to {stored.package?.name ?? "what was bought"}</legend>
    {useChoices({ stored, amount }).map(({ access, label, does }) => (
      <label key={access}>
        <input
          type="radio"
          className="round"
          name="access"
          value={access}
          checked={value === access}
          onChange={() => onChange(access)}
        />
        <span>
          {label}
          <small>{does}</small>
        </span>
      </label>
    ))}
    {error && (
      <p id="refund-access-error" className="mantine-InputWrapper-error">
        {error}
      </p>
    )}
  </fieldset>
);

type Wrong = { amount: string | null; access: string | null };
const nothingWrong: Wrong = { amount: null, access: null };

/** The dialog's inputs and their preview. */
const useRefund = (stored: Transaction) => {
  const left = refundableOf(stored);
  const [amount, setAmount] = useState<EditedAmount>(left);
  const [access, setAccess] = useState<AccessChoice | null>(null);
  const [wrong, setWrong] = useState(nothingWrong);
  const isAmount = refusalOf(amount, left, stored.currency) === null;
  const [asked] = useDebouncedValue(isAmount ? Number(amount) : null, askMs);
  const { data } = useQuery({
    ...refundQuery(stored.id, { amount: asked ?? left, access: "end now" }),
    enabled: left > 0,
  });
  return {
    left,
    amount,
    access,
    wrong,
    asked,
    preview: data,
    setAmount: (next: EditedAmount) => {
      setWrong((before) => ({ ...before, amount: null }));
      setAmount(next);
    },
    setAccess: (next: AccessChoice) => {
      setWrong((before) => ({ ...before, access: null }));
      setAccess(next);
    },
    check: () => {
      const found = {
        amount: refusalOf(amount, left, stored.currency),
        access: access === null ? "Choose what becomes of access." : null,
      };
      setWrong(found);
      return found;
    },
  };
};

/** Refunds a payment and decides what happens to access. */
export const RefundDialog = ({ stored, onClose }: Props) => {
  const { id, currency } = stored;
  const refund = useRefund(stored);
  const { errors, refusal, busy, send } = useSubmit();
  // A second click or a retry after a lost reply reuses the key, so that nothing is refunded twice.
  const keyFor = useIdempotencyKey();
  const { amount, access, wrong, preview } = refund;
  const [wanted, setWanted] = useState<Wanted | null>(null);
  const shown = typeof amount === "number" ? ` ${formatMoney(amount, currency)}` : "";

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const found = refund.check();
    const first = found.amount ? "[name=amount]" : found.access ? "[name=access]" : null;
    if (first) return form.querySelector<HTMLElement>(first)?.focus();
    if (access === null) return;
    const fields = new FormData(form);
    const body = {
      amount: Number(amount),
      access,
      reason: String(fields.get("reason")),
      note: String(fields.get("note") ?? ""),
    };
    setWanted({ operation: "POST /transactions/:id/refund", params: { id }, body });
    void send(form, async () => {
      const made = await call(refundTransaction, { params: { id }, body, key: keyFor(body) });
      await transactionsChanged();
      toast(`${formatMoney(made.total, currency)} given back as ${made.number}.`);
      onClose();
    });
  };

  return (
    <Dialog
      opened
      onClose={onClose}
      alert
      title="Refund this transaction"
      fact={`${stored.number}, ${formatMoney(stored.total, currency)} ${paidBy(stored)}`}
      size={540}
      foot={
        <>
          <span className="softer more-link">
            <Icon name="history" size={14} />
            Recorded with your name
          </span>
          <span className="spacer" />
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form="refund" color="red" data-tone="bad" aria-busy={busy}>
            Refund{shown}
          </Button>
        </>
      }
    >
      <form id="refund" className="stacked-form" onSubmit={submit} noValidate>
        <RefusedAction refusal={refusal} wanted={wanted} onAsked={onClose} />
        <AmountField
          left={refund.left}
          unused={preview?.unused}
          currency={currency}
          value={amount}
          error={wrong.amount ?? errors["amount"] ?? null}
          onChange={refund.setAmount}
        />
        <NativeSelect label="Reason" name="reason" data={reasons} error={errors["reason"]} />
        <Textarea
          label={
            <>
              Note <span className="optional">for colleagues, optional</span>
            </>
          }
          name="note"
          maxLength={2000}
          minRows={2}
          error={errors["note"]}
        />
        <AccessField
          stored={stored}
          amount={refund.asked}
          value={access}
          error={wrong.access ?? errors["access"] ?? null}
          onChange={refund.setAccess}
        />
        {preview && preview.returns > 0 && (
          <p className="softer">
            {count(preview.returns, "promotion use")} can be used again after it.
          </p>
        )}
      </form>
    </Dialog>
  );
};
