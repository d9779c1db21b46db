import { plural, t } from "@lingui/core/macro";
import "../transactions.css";
import { Button, NativeSelect, Textarea } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { refundTransaction } from "@purser/contract/transactions/actions";
import type { AccessChoice } from "@purser/contract/transactions/fields";
import { useQuery } from "@tanstack/react-query";
import { type SubmitEvent, useState } from "react";
import { call } from "#lib/api/call.ts";
import { money } from "#lib/intl.ts";
import type { EditedAmount } from "#lib/money/amounts.ts";
import { formatDate } from "#lib/time/dates.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import type { Errors } from "#ui/dialogs/ActionDialog.tsx";
import type { Wanted } from "#ui/dialogs/approval.ts";
import "#ui/dialogs/ActionDialog.css";
import { Dialog } from "#ui/dialogs/Dialog.tsx";
import { RefusedAction } from "#ui/dialogs/RefusedAction.tsx";
import { Optional } from "#ui/form/Field.tsx";
import { useIdempotencyKey } from "#ui/form/useRecordForm.ts";
import { useSubmit } from "#ui/form/useSubmit.ts";
import { Icon } from "#ui/Icon.tsx";
import { toast } from "#ui/popups/toast.ts";
import { reasonLabels, refundableOf } from "../labels.ts";
import { refundQuery, type Transaction, transactionsChanged } from "../queries.ts";
import { AmountField, refusalOf } from "./RefundAmount.tsx";

const previewMs = 250;

type Props = { stored: Transaction; onClose: () => void };

const factOf = ({ total, currency, provider }: Transaction) => {
  const amount = money(total, currency);
  return provider === "manual" ? t`${amount}, manual payment` : t`${amount} paid with ${provider}`;
};

type AccessProps = {
  stored: Transaction;
  /** The request to preview; null while the amount is invalid. */
  amount: number | null;
  value: AccessChoice | null;
  error: string | null;
  onChange: (access: AccessChoice) => void;
};

const lossOf = (features: number | undefined) =>
  features === undefined
    ? t`The customer loses access immediately.`
    : plural(features, {
        one: "The customer loses # feature immediately.",
        other: "The customer loses # features immediately.",
      });

/** The effect of each choice on access, in numbers. */
const useChoices = ({ stored, amount }: Pick<AccessProps, "stored" | "amount">) => {
  const zone = useTimeZone();
  const previewed = { amount: amount ?? 1 };
  const enabled = amount !== null;
  const now = useQuery({
    ...refundQuery(stored.id, { ...previewed, access: "end now" }),
    enabled,
  }).data;
  const then = useQuery({
    ...refundQuery(stored.id, { ...previewed, access: "end with period" }),
    enabled: enabled && stored.periodEnd !== null,
  }).data;
  const until = then?.accessUntil ? formatDate(zone, new Date(then.accessUntil)) : null;
  return [
    { access: "end now", label: t`End access now`, does: lossOf(now?.features) },
    ...(stored.periodEnd === null
      ? []
      : ([
          {
            access: "end with period",
            label: until ? t`Keep access until ${until}` : t`Keep access until the period ends`,
            does: t`The subscription doesn't renew.`,
          },
        ] as const)),
    { access: "keep", label: t`Keep access`, does: t`Nothing changes for the customer.` },
  ] as const;
};

const accessTo = ({ package: pack }: Transaction) => {
  if (!pack) return t`Access`;
  const { name } = pack;
  return t`Access to ${name}`;
};

const AccessField = ({ stored, amount, value, error, onChange }: AccessProps) => (
  <fieldset
    className="choices"
    {...(error && { "aria-invalid": true, "aria-describedby": "refund-access-error" })}
  >
    <legend className="field-label">{accessTo(stored)}</legend>
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

const ReasonFields = ({ errors }: { errors: Errors }) => (
  <>
    <NativeSelect
      label={t`Reason`}
      name="reason"
      data={Object.entries(reasonLabels).map(([value, label]) => ({ value, label }))}
      error={errors["reason"]}
    />
    <Textarea
      label={<Optional>{t`Note`}</Optional>}
      description={t`Only visible to your team.`}
      name="note"
      maxLength={2000}
      minRows={2}
      error={errors["note"]}
    />
  </>
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
  const [previewed] = useDebouncedValue(isAmount ? Number(amount) : null, previewMs);
  const { data } = useQuery({
    ...refundQuery(stored.id, { amount: previewed ?? left, access: "end now" }),
    enabled: left > 0,
  });
  return {
    left,
    amount,
    access,
    wrong,
    previewed,
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
        access: access === null ? t`Choose what happens to the customer's access.` : null,
      };
      setWrong(found);
      return found;
    },
  };
};

const refundedText = ({ number, total, currency }: Transaction) => {
  const amount = money(total, currency);
  return t`${amount} refunded (${number})`;
};

/** Refunds a payment and decides what happens to access. */
export const RefundDialog = ({ stored, onClose }: Props) => {
  const { id, number, currency } = stored;
  const refund = useRefund(stored);
  const { errors, refusal, busy, send } = useSubmit();
  // A second click or a retry after a lost reply reuses the key, so that nothing is refunded twice.
  const keyFor = useIdempotencyKey();
  const { amount, access, wrong, preview } = refund;
  const returns = preview?.returns ?? 0;
  const [wanted, setWanted] = useState<Wanted | null>(null);
  const entered = typeof amount === "number" ? money(amount, currency) : null;

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
      toast(refundedText(made));
      onClose();
    });
  };

  return (
    <Dialog
      opened
      onClose={onClose}
      alert
      title={t`Refund ${number}?`}
      fact={factOf(stored)}
      size={540}
      foot={
        <>
          <span className="softer more-link">
            <Icon name="history" size={14} />
            {t`Saved with your name in the history.`}
          </span>
          <span className="spacer" />
          <Button variant="default" onClick={onClose}>
            {t`Cancel`}
          </Button>
          <Button type="submit" form="refund" color="red" data-tone="bad" aria-busy={busy}>
            {entered ? t`Refund ${entered}` : t({ context: "verb", message: "Refund" })}
          </Button>
        </>
      }
    >
      <form id="refund" className="stacked-form" onSubmit={submit} noValidate>
        <RefusedAction refusal={refusal} wanted={wanted} onRequested={onClose} />
        <AmountField
          left={refund.left}
          unused={preview?.unused}
          currency={currency}
          value={amount}
          error={wrong.amount ?? errors["amount"] ?? null}
          onChange={refund.setAmount}
        />
        <ReasonFields errors={errors} />
        <AccessField
          stored={stored}
          amount={refund.previewed}
          value={access}
          error={wrong.access ?? errors["access"] ?? null}
          onChange={refund.setAccess}
        />
        {returns > 0 && (
          <p className="softer">
            {plural(returns, {
              one: "# promotion redemption is restored.",
              other: "# promotion redemptions are restored.",
            })}
          </p>
        )}
      </form>
    </Dialog>
  );
};
