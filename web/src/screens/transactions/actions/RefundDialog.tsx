import { plural, t } from "@lingui/core/macro";
import "../transactions.css";
import "#ui/form/form.css";
import "#ui/dialogs/ActionDialog.css";
import "./RefundDialog.css";
import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { SubmitEvent } from "react";
import { UserFacingError } from "#lib/api/userFacingError.ts";
import { amount as formatted, money } from "#lib/intl.ts";
import { formatDate } from "#lib/time/dates.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import type { Errors } from "#ui/dialogs/ActionDialog.tsx";
import { needsApproval } from "#ui/dialogs/approval.ts";
import { Dialog } from "#ui/dialogs/Dialog.tsx";
import { RefusedAction } from "#ui/dialogs/RefusedAction.tsx";
import { Segments } from "#ui/form/inputs/Segments.tsx";
import { Icon } from "#ui/Icon.tsx";
import { Refused } from "#ui/page/Callout.tsx";
import { nameOf } from "../labels.ts";
import { detailsQuery, type RefundPreview, type Transaction } from "../queries.ts";
import { AccessField, DestinationField, ReasonFields } from "./RefundChoices.tsx";
import { RefundLines } from "./RefundLines.tsx";
import { type Refund, useRefund } from "./useRefund.ts";
import { useSendRefund } from "./useSendRefund.ts";

const factOf = ({ user, total, currency, occurredAt }: Transaction, zone: string) => {
  const name = nameOf(user);
  const amount = money(total, currency);
  const date = formatDate(zone, new Date(occurredAt));
  return t`${name} paid ${amount} on ${date}.`;
};

type ScopeProps = { refund: Refund; currency: string };

const ScopeField = ({ refund: { wish, preview, setScope }, currency }: ScopeProps) => {
  const shown = (amount: number | undefined) =>
    amount === undefined ? undefined : formatted(amount, currency);
  return (
    <Segments
      legend={t({ context: "verb", message: "Refund" })}
      name="of"
      isAutoFocus
      value={wish.of}
      options={[
        { value: "full", label: t`Full`, note: shown(preview?.refundable) },
        { value: "unused", label: t`Unused time`, note: shown(preview?.unused) },
        { value: "amount", label: t`Amount` },
      ]}
      onChange={setScope}
    />
  );
};

type LinesProps = { stored: Transaction; refund: Refund; preview: RefundPreview; errors: Errors };

const Lines = ({ stored, refund, preview, errors }: LinesProps) => {
  const { data: details } = useQuery(detailsQuery(stored.id));
  return (
    <>
      <RefundLines
        preview={preview}
        stored={details?.lines ?? []}
        wish={refund.wish}
        sum={refund.sum}
        currency={stored.currency}
        isLate={refund.isLate}
        errorOf={(line, place) =>
          refund.refusalOfLine(line) ?? errors[`lines.${place}.amount`] ?? null
        }
        onChange={refund.setAmount}
      />
      {refund.refusalOfSum && (
        <p className="mantine-InputWrapper-error" role="alert">
          {refund.refusalOfSum}
        </p>
      )}
    </>
  );
};

const returnsText = (returns: number) =>
  plural(returns, {
    one: "# promotion redemption is restored.",
    other: "# promotion redemptions are restored.",
  });

/** Everything that depends on the preview. */
const Fields = ({ stored, refund, preview, errors }: LinesProps) => {
  const { to, access, setTo, setAccess } = refund;
  return (
    <>
      <Lines stored={stored} refund={refund} preview={preview} errors={errors} />
      <div className="refund-choices">
        <DestinationField stored={stored} preview={preview} value={to} onChange={setTo} />
        <AccessField
          stored={stored}
          preview={preview}
          value={access}
          error={refund.refusalOfAccess ?? errors["access"] ?? null}
          onChange={setAccess}
        />
      </div>
      <div className="refund-choices">
        <ReasonFields errors={errors} />
      </div>
      {preview.returns > 0 && <p className="softer">{returnsText(preview.returns)}</p>}
    </>
  );
};

type FootProps = { refund: Refund; sum: string; busy: boolean; isRefused: boolean };

const RefundButton = ({ refund, sum, busy, isRefused }: FootProps) =>
  // Then the notice has the button that requests approval.
  !isRefused && (
    <Button
      type="submit"
      form="refund"
      color="red"
      data-tone="bad"
      disabled={refund.isLate}
      aria-busy={busy}
    >
      {refund.sum ? t`Refund ${sum}` : t({ context: "verb", message: "Refund" })}
    </Button>
  );

const focusError = (form: HTMLFormElement) =>
  requestAnimationFrame(() =>
    form
      .querySelector<HTMLElement>("input[aria-invalid=true], fieldset[aria-invalid=true] input")
      ?.focus(),
  );

type Props = { stored: Transaction; onClose: () => void };

/** Refunds a payment by line and decides what happens to access. */
export const RefundDialog = ({ stored, onClose }: Props) => {
  const zone = useTimeZone();
  const { id, number, currency } = stored;
  const refund = useRefund(stored);
  const { errors, refusal, wanted, busy, submit } = useSendRefund(id, refund, onClose);
  const { preview, error } = refund;
  const sum = money(refund.sum ?? 0, currency);
  const approvalLabel = t`Request approval for ${sum}`;
  const check = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    refund.markChecked();
    if (refund.choices) submit(event.currentTarget);
    else focusError(event.currentTarget);
  };
  return (
    <Dialog
      opened
      onClose={onClose}
      alert
      title={t`Refund ${number}?`}
      fact={factOf(stored, zone)}
      size={760}
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
          <RefundButton refund={refund} sum={sum} busy={busy} isRefused={needsApproval(refusal)} />
        </>
      }
    >
      <form id="refund" className="stacked-form" onSubmit={check} noValidate>
        <RefusedAction
          refusal={refusal}
          wanted={wanted}
          button={approvalLabel}
          onRequested={onClose}
        />
        <Refused refusal={error instanceof UserFacingError ? error : null} />
        <Refused refusal={errors["at"] ? { message: errors["at"] } : null} />
        <ScopeField refund={refund} currency={currency} />
        {preview && <Fields stored={stored} refund={refund} preview={preview} errors={errors} />}
      </form>
    </Dialog>
  );
};
