import "#ui/styles/choiceSheets.ts";
import { NativeSelect, TextInput } from "@mantine/core";
import { formatAmount, formatMoney, parseAmount } from "@purser/contract/fields/money";
import { giveGoodwill, goodwillMax } from "@purser/contract/subscriptions/endpoints";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { call } from "#lib/api/call.ts";
import { count } from "#lib/labels.ts";
import { useMay } from "#lib/session/session.ts";
import { ActionDialog, Choices, type Errors, Reason } from "#ui/dialogs/ActionDialog.tsx";
import { Refused } from "#ui/page/Callout.tsx";
import { nameOf, type Subscription, subscriptionsQuery, type User } from "../queries.ts";
import { accessChanged } from "./queries.ts";

type Props = { user: User; onClose: () => void };

/** The discount per payment in minor units; null if it can't be parsed. */
const offOf = (kind: string, typed: string, { price }: Subscription) => {
  if (kind === "amount") return parseAmount(typed, price.currency);
  const percent = Number(typed);
  return Number.isInteger(percent) && percent >= 1 && percent <= 100 ? percent : null;
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
  const taken = kind === "amount" ? Math.min(off, amount) : Math.round((amount * off) / 100);
  return (
    <p className="soft" role="status">
      The next {count(payments, "payment")} {payments === 1 ? "is" : "are"}{" "}
      {formatMoney(amount - taken, currency)} instead of {formatMoney(amount, currency)}.
    </p>
  );
};

type FieldsProps = {
  of: ReturnType<typeof useDiscount>;
  errors: Errors;
  isSubmitted: boolean;
};

const validationMessage = (kind: string) =>
  kind === "percent" ? "must be a whole number from 1 to 100" : "must be an amount above 0";

/** The discount, as a percentage or an amount. */
const Off = ({ of, errors, isSubmitted }: FieldsProps) => {
  const { chosen, kind, typed, off } = of;
  const mayMore = useMay("transactions:write");
  const currency = chosen?.price.currency;
  return (
    <>
      <Choices
        legend="What is taken off"
        name="kind"
        of={[
          { value: "percent", label: "A share", does: "In percent of each payment." },
          { value: "amount", label: "An amount", does: `In ${currency ?? "its currency"}.` },
        ]}
        onChange={(next) => {
          of.setKind(next);
          of.setTyped("");
        }}
      />
      <TextInput
        label={kind === "percent" ? "Percent" : "Amount"}
        name={kind === "percent" ? "basisPoints" : "amount"}
        className="number-input"
        inputMode="decimal"
        placeholder={kind === "percent" || !currency ? "10" : formatAmount(500, currency)}
        description={
          mayMore ? undefined : `Up to ${goodwillMax.basisPointsBySupport / 100} % of the price.`
        }
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
  const max = mayMore ? goodwillMax.payments : goodwillMax.paymentsBySupport;
  return (
    <>
      <NativeSelect
        label="Subscription"
        disabled={running.length === 0}
        value={chosen?.id ?? ""}
        data={running.map(({ id, package: { name }, price }) => ({
          value: id,
          label: `${name}, ${formatMoney(price.amount, price.currency)}`,
        }))}
        onChange={({ currentTarget }) => of.setId(currentTarget.value)}
      />
      {children}
      <NativeSelect
        label="Of the next"
        name="payments"
        value={String(payments)}
        data={Array.from({ length: max }, (_, place) => ({
          value: String(place + 1),
          label: count(place + 1, "payment"),
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
  return (
    <ActionDialog
      onClose={onClose}
      title={`Give ${nameOf(user)} a discount`}
      fact="Off the next payments of a subscription. What was paid stays as it is."
      sign={{ icon: "discount", tone: "info" }}
      button="Give discount"
      changed={accessChanged}
      isReady={() => {
        setSubmitted(true);
        return chosen !== undefined && off !== null;
      }}
      act={(read, keyFor) => {
        if (!chosen || off === null) throw new Error("A discount is of a subscription.");
        const { id, version } = chosen;
        const share = kind === "amount" ? { amount: off } : { basisPoints: off * 100 };
        const body = { ...share, payments, reason: read("reason") };
        return call(giveGoodwill, { params: { id }, version, body, key: keyFor(body) });
      }}
      told={({ package: { name } }) =>
        `The next ${count(payments, "payment")} of ${name} ${payments === 1 ? "costs" : "cost"} less.`
      }
    >
      {(errors) => (
        <>
          <Refused refusal={error} />
          {data && running.length === 0 && (
            <p className="soft" role="status">
              {nameOf(user)} has no subscription that is paid for again. Give access instead.
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
