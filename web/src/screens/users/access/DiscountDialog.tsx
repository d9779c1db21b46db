import "#ui/styles/choiceSheets.ts";
import { plural, t } from "@lingui/core/macro";
import { NativeSelect, TextInput } from "@mantine/core";
import { discountMax, discountSubscription } from "@purser/contract/subscriptions/endpoints";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { call } from "#lib/api/call.ts";
import { amount as amountText, money, percentOfBasisPoints, series } from "#lib/intl.ts";
import { parseAmount, parseWhole } from "#lib/parseNumber.ts";
import { useMay } from "#lib/session/session.ts";
import { ActionDialog, Choices, type Errors, Reason } from "#ui/dialogs/ActionDialog.tsx";
import { Refused } from "#ui/page/Callout.tsx";
import { nameOf, type Subscription, subscriptionsQuery, type User } from "../queries.ts";
import { accessChanged } from "./queries.ts";

type Props = { user: User; onClose: () => void };

/** The discount per payment in minor units; null if it can't be parsed. */
const offOf = (kind: string, typed: string, { price }: Subscription) => {
  if (kind === "amount") return parseAmount(typed, price.currency);
  const percent = parseWhole(typed);
  return percent !== null && percent >= 1 && percent <= 100 ? percent : null;
};

const useDiscount = (user: User) => {
  const { data, error } = useQuery(subscriptionsQuery(user.id));
  const running = data?.filter(({ status }) => status !== "ended" && status !== "ending") ?? [];
  const [id, setId] = useState("");
  const chosen = running.find((one) => one.id === id) ?? running[0];
  const [kind, setKind] = useState("percent");
  const [typed, setTyped] = useState("");
  const [payments, setPayments] = useState(1);
  const off = chosen ? offOf(kind, typed, chosen) : null;
  return {
    data,
    error,
    running,
    chosen,
    setId,
    kind,
    setKind,
    typed,
    setTyped,
    payments,
    setPayments,
    off,
  };
};

/** The amounts of the next payments, in one sentence. */
const Effect = ({ of }: { of: ReturnType<typeof useDiscount> }) => {
  const { chosen, kind, off, payments } = of;
  if (!chosen || off === null) return null;
  const { amount, currency } = chosen.price;
  const before = money(amount, currency);
  const taken = kind === "amount" ? Math.min(off, amount) : Math.round((amount * off) / 100);
  const after = money(amount - taken, currency);
  return (
    <p className="soft" role="status">
      {plural(payments, {
        one: `The next payment is ${after} instead of ${before}.`,
        other: `The next # payments are ${after} each instead of ${before}.`,
      })}
    </p>
  );
};

type FieldsProps = {
  of: ReturnType<typeof useDiscount>;
  errors: Errors;
  isSubmitted: boolean;
};

const validationMessage = (kind: string) =>
  kind === "percent" ? t`Enter a whole number from 1 to 100.` : t`Enter an amount greater than 0.`;

/** The discount, as a percentage or an amount. */
const Off = ({ of, errors, isSubmitted }: FieldsProps) => {
  const { chosen, kind, typed, off } = of;
  const mayMore = useMay("transactions:write");
  const currency = chosen?.price.currency;
  const max = percentOfBasisPoints(discountMax.supportBasisPoints);
  return (
    <>
      <Choices
        legend={t`Discount`}
        name="kind"
        of={[
          { value: "percent", label: t`Percentage`, does: t`Of each payment.` },
          {
            value: "amount",
            label: t`Amount`,
            does: currency ? t`In ${currency}.` : t`In the subscription's currency.`,
          },
        ]}
        onChange={(next) => {
          of.setKind(next);
          of.setTyped("");
        }}
      />
      <TextInput
        label={kind === "percent" ? t`Percent` : t`Amount`}
        name={kind === "percent" ? "basisPoints" : "amount"}
        className="number-input"
        inputMode="decimal"
        placeholder={kind === "percent" || !currency ? "10" : amountText(500, currency)}
        description={mayMore ? undefined : t`Up to ${max} of the price.`}
        value={typed}
        onChange={({ currentTarget }) => of.setTyped(currentTarget.value)}
        error={
          errors["basisPoints"] ??
          errors["amount"] ??
          (isSubmitted && off === null ? validationMessage(kind) : undefined)
        }
      />
    </>
  );
};

/** The subscription, and the number of payments. */
const Scope = ({
  of,
  errors,
  children,
}: Omit<FieldsProps, "isSubmitted"> & { children: ReactNode }) => {
  const { running, chosen, payments } = of;
  const mayMore = useMay("transactions:write");
  const max = mayMore ? discountMax.payments : discountMax.supportPayments;
  return (
    <>
      <NativeSelect
        label={t`Subscription`}
        disabled={running.length === 0}
        value={chosen?.id ?? ""}
        data={running.map(({ id, package: { name }, price }) => ({
          value: id,
          label: series([name, money(price.amount, price.currency)]),
        }))}
        onChange={({ currentTarget }) => of.setId(currentTarget.value)}
      />
      {children}
      <NativeSelect
        label={t`Number of payments`}
        name="payments"
        value={String(payments)}
        data={Array.from({ length: max }, (_, place) => ({
          value: String(place + 1),
          label: plural(place + 1, { one: "# payment", other: "# payments" }),
        }))}
        onChange={({ currentTarget }) => of.setPayments(Number(currentTarget.value))}
        error={errors["payments"]}
      />
    </>
  );
};

/** A one-off discount on the next payments of a subscription. */
export const DiscountDialog = ({ user, onClose }: Props) => {
  const discount = useDiscount(user);
  const { data, error, running, chosen, kind, payments, off } = discount;
  const [isSubmitted, setSubmitted] = useState(false);
  const name = nameOf(user);
  return (
    <ActionDialog
      onClose={onClose}
      title={t`Discount for ${name}`}
      fact={t`Applies to the next payments of a subscription.`}
      sign={{ icon: "discount", tone: "info" }}
      button={t`Apply discount`}
      changed={accessChanged}
      isReady={() => {
        setSubmitted(true);
        return chosen !== undefined && off !== null;
      }}
      action={(read, keyFor) => {
        if (!chosen || off === null) throw new Error("A discount is of a subscription.");
        const { id, version } = chosen;
        const share = kind === "amount" ? { amount: off } : { basisPoints: off * 100 };
        const body = { ...share, payments, reason: read("reason") };
        return call(discountSubscription, { params: { id }, version, body, key: keyFor(body) });
      }}
      told={() =>
        plural(payments, {
          one: "Discount applied to the next payment",
          other: "Discount applied to the next # payments",
        })
      }
    >
      {(errors) => (
        <>
          <Refused refusal={error} />
          {data && running.length === 0 && (
            <p className="soft" role="status">
              {t`${name} has no subscription with future payments. Grant access instead.`}
            </p>
          )}
          <Scope of={discount} errors={errors}>
            <Off of={discount} errors={errors} isSubmitted={isSubmitted} />
          </Scope>
          <Effect of={discount} />
          <Reason errors={errors} />
        </>
      )}
    </ActionDialog>
  );
};
