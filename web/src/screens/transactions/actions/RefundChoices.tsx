import { plural, t } from "@lingui/core/macro";
import { NativeSelect, Textarea } from "@mantine/core";
import type { AccessChoice } from "@purser/contract/transactions/fields";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useId } from "react";
import { money } from "#lib/intl.ts";
import { formatDate } from "#lib/time/dates.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import type { Errors } from "#ui/dialogs/ActionDialog.tsx";
import { Optional } from "#ui/form/Field.tsx";
import { reasonLabels } from "../labels.ts";
import {
  balanceQuery,
  type RefundBody,
  type RefundPreview,
  refundQuery,
  type Transaction,
} from "../queries.ts";

type Choice<Value extends string> = { value: Value; label: string; does: string };

type RadiosProps<Value extends string> = {
  legend: string;
  name: string;
  of: readonly Choice<Value>[];
  value: Value | null;
  error?: ReactNode;
  onChange: (value: Value) => void;
};

const Radios = <Value extends string>(props: RadiosProps<Value>) => {
  const { legend, name, of, value, error, onChange } = props;
  const id = useId();
  return (
    <fieldset
      className="choices"
      {...(error ? { "aria-invalid": true, "aria-describedby": id } : {})}
    >
      <legend className="field-label">{legend}</legend>
      {of.map(({ value: one, label, does }) => (
        <label key={one}>
          <input
            type="radio"
            className="round"
            name={name}
            value={one}
            checked={value === one}
            onChange={() => onChange(one)}
          />
          <span>
            {label}
            <small>{does}</small>
          </span>
        </label>
      ))}
      {error && (
        <p id={id} className="mantine-InputWrapper-error">
          {error}
        </p>
      )}
    </fieldset>
  );
};

export type Destination = NonNullable<RefundBody["to"]>;

/** What was paid from the balance can't go back to the payment method. */
const methodText = ({ toMethod, toBalance }: RefundPreview, currency: string) => {
  const method = money(toMethod, currency);
  const balance = money(toBalance, currency);
  return toBalance > 0
    ? t`${method} is refunded. ${balance} was paid from the balance and returns to it.`
    : t`${method} is refunded.`;
};

const balanceText = (before: number, { total }: RefundPreview, currency: string) => {
  const now = money(before, currency);
  const then = money(before + total, currency);
  return t`${now} becomes ${then}, used for the next payment.`;
};

type DestinationProps = {
  stored: Transaction;
  preview: RefundPreview;
  value: Destination;
  onChange: (to: Destination) => void;
};

export const DestinationField = ({ stored, preview, value, onChange }: DestinationProps) => {
  const { user, currency } = stored;
  const { data: balance } = useQuery(balanceQuery(user.id));
  const before = balance?.items.find((one) => one.currency === currency)?.amount ?? 0;
  return (
    <Radios
      legend={t`Refund to`}
      name="to"
      of={[
        {
          value: "payment method",
          label: t`Payment method`,
          does: methodText(preview, currency),
        },
        { value: "balance", label: t`Balance`, does: balanceText(before, preview, currency) },
      ]}
      value={value}
      onChange={onChange}
    />
  );
};

const lossOf = (features: number) =>
  plural(features, {
    one: "The customer loses # feature immediately.",
    other: "The customer loses # features immediately.",
  });

/** The effect of each choice on access, in numbers. */
const useAccessChoices = (stored: Transaction, { features }: RefundPreview) => {
  const zone = useTimeZone();
  const hasPeriod = stored.periodEnd !== null;
  const { data, error } = useQuery(
    refundQuery(stored.id, hasPeriod ? { of: "full", access: "end with period" } : null),
  );
  const until = data?.accessUntil ? formatDate(zone, new Date(data.accessUntil)) : null;
  const choices = [
    { access: "end now", label: t`End access now`, does: lossOf(features) },
    {
      access: "end with period",
      label: until ? t`Keep access until ${until}` : t`Keep access until the period ends`,
      does: t`The subscription doesn't renew.`,
    },
    { access: "keep", label: t`Keep access`, does: t`Nothing changes for the customer.` },
  ] as const;
  // The second is refused for paused subscriptions, because their period never ends.
  return choices
    .filter(({ access }) => access !== "end with period" || (hasPeriod && !error))
    .map(({ access, ...choice }) => ({ value: access, ...choice }));
};

const accessTo = ({ package: pack }: Transaction) => {
  if (!pack) return t`Access`;
  const { name } = pack;
  return t`Access to ${name}`;
};

type AccessProps = {
  stored: Transaction;
  preview: RefundPreview;
  value: AccessChoice | null;
  error: ReactNode;
  onChange: (access: AccessChoice) => void;
};

export const AccessField = ({ stored, preview, ...field }: AccessProps) => (
  <Radios
    legend={accessTo(stored)}
    name="access"
    of={useAccessChoices(stored, preview)}
    {...field}
  />
);

export const ReasonFields = ({ errors }: { errors: Errors }) => (
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
      minRows={1}
      error={errors["note"]}
    />
  </>
);
