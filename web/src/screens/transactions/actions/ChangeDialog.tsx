import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import "#ui/form/form.css";
import "./ChangeDialog.css";
import { NativeSelect } from "@mantine/core";
import { changeSubscription, withdrawChange } from "@purser/contract/subscriptions/endpoints";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { CallError, call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";
import { UserFacingError } from "#lib/api/userFacingError.ts";
import { money, number } from "#lib/intl.ts";
import { frequencyLabel, quantityLabel } from "#lib/money/prices.ts";
import { parseWhole } from "#lib/parseNumber.ts";
import { formatDate, formatTime } from "#lib/time/dates.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import { soldPackage } from "#screens/packages/queries.ts";
import { type Errors, Reason } from "#ui/dialogs/ActionDialog.tsx";
import { ParsedNumberInput } from "#ui/form/inputs/ParsedNumberInput.tsx";
import { Picker } from "#ui/form/inputs/Picker.tsx";
import { Segments } from "#ui/form/inputs/Segments.tsx";
import { Icon } from "#ui/Icon.tsx";
import { Refused } from "#ui/page/Callout.tsx";
import { nameOf, priceOption } from "../labels.ts";
import { type ChangePlan, linkOf, previewMs, type Subscription } from "../queries.ts";
import { ActionDialog } from "./ActionDialog.tsx";
import { ChangeAccess, ChangePromotions } from "./ChangeAccess.tsx";
import { PlanLines } from "./ChangePlan.tsx";
import { keyOf, type PlannedChange, useChange } from "./useChange.ts";

type Props = { stored: Subscription; onClose: () => void };

const factOf = ({ user, package: { name }, price, quantity }: Subscription) => {
  const customer = nameOf(user);
  const current = quantityLabel(name, quantity);
  const interval = frequencyLabel(price);
  return t`${customer} has ${current}, ${interval}.`;
};

type InputsProps = {
  stored: Subscription;
  change: PlannedChange;
  errors: Errors;
  missing: boolean;
};

const packageError = ({ stored, change, errors, missing }: InputsProps) => {
  const { currency } = stored.price;
  if (errors["packageId"]) return errors["packageId"];
  if (change.isUnsold) return t`This package isn't sold in ${currency}.`;
  return missing && change.isQuantity ? t`Choose another package, interval or quantity.` : null;
};

const Inputs = (props: InputsProps) => {
  const { stored, change, errors } = props;
  const zone = useTimeZone();
  const { chosen, prices, hasQuantity, isQuantity } = change;
  const end = formatDate(zone, new Date(stored.periodEnd));
  return (
    <div className="change-inputs">
      <Picker
        relation={soldPackage}
        label={t`Package`}
        path="packageId"
        value={change.packageId}
        onChange={change.setPackage}
        error={packageError(props)}
        onCreate={null}
      />
      <NativeSelect
        label={t`Interval`}
        disabled={!chosen}
        value={chosen ? keyOf(chosen) : ""}
        data={prices.map((one) => ({ value: keyOf(one), label: priceOption(one) }))}
        onChange={({ currentTarget: { value } }) => change.setPeriod(value)}
      />
      {hasQuantity && (
        <ParsedNumberInput
          label={t`Quantity`}
          name="quantity"
          className="number-input"
          inputMode="numeric"
          value={change.quantity}
          error={errors["quantity"] ?? (isQuantity ? null : t`Enter 1 or more.`)}
          read={parseWhole}
          show={number}
          onChange={change.setQuantity}
        />
      )}
      <Segments
        legend={t`Takes effect`}
        name="when"
        value={change.when}
        options={[
          { value: "now", label: t`Now` },
          { value: "period end", label: t`On ${end}` },
        ]}
        onChange={change.setWhen}
      />
    </div>
  );
};

const Plan = ({ change: { plan, error, isLate, when } }: { change: PlannedChange }) => {
  if (error instanceof UserFacingError) return <Refused refusal={error} />;
  if (!plan) return null;
  return (
    <div className="change-plan" aria-busy={isLate}>
      <PlanLines plan={plan} isNow={when === "now"} />
      <div>
        <ChangePromotions promotions={plan.promotions} />
        <ChangeAccess access={plan.access} />
      </div>
    </div>
  );
};

/** The button names what is charged or credited. */
const buttonOf = ({ plan, when }: PlannedChange) => {
  if (!plan) return t`Change package`;
  if (when === "period end") return t`Schedule change`;
  const { due, toBalance } = plan.payment;
  const charged = money(due, plan.currency);
  const credited = money(toBalance, plan.currency);
  if (due > 0) return t`Change and charge ${charged}`;
  return toBalance > 0 ? t`Change and credit ${credited}` : t`Change package`;
};

const Until = ({ plan }: { plan: ChangePlan | null }) => {
  const zone = useTimeZone();
  if (!plan) return null;
  const time = formatTime(zone, new Date(Date.parse(plan.at) + previewMs));
  return (
    <span className="softer more-link">
      <Icon name="clock" size={14} />
      {t`These amounts apply until ${time}.`}
    </span>
  );
};

/** The toast after a change, which may still wait for its date or a payment. */
const changedText = ({ next, pendingChange, periodEnd, price }: Subscription, zone: string) => {
  if (pendingChange) {
    const due = money(pendingChange.due, price.currency);
    return t`Waiting for a payment of ${due}`;
  }
  if (!next) return t`Package changed`;
  const { package: name } = next;
  const date = formatDate(zone, new Date(periodEnd));
  return t`Changes to ${name} on ${date}`;
};

const NewChange = ({ stored, onClose }: Props) => {
  const zone = useTimeZone();
  const change = useChange(stored);
  const { plan, body } = change;
  const [isChecked, setChecked] = useState(false);
  return (
    <ActionDialog
      onClose={onClose}
      title={t`Change package`}
      fact={factOf(stored)}
      sign={{ icon: "package", tone: "info" }}
      size={940}
      button={buttonOf(change)}
      isWaiting={change.isLate}
      note={<Until plan={plan} />}
      isReady={() => {
        setChecked(true);
        return plan !== null;
      }}
      action={async (read, keyFor) => {
        if (!plan || !body) throw new Error("A change was sent without its plan.");
        const { id, version } = stored;
        const sent = { ...body, at: plan.at, due: plan.payment.due, reason: read("reason") };
        const key = keyFor(sent);
        try {
          return await call(changeSubscription, { params: { id }, version, body: sent, key });
        } catch (error) {
          if (error instanceof CallError && (error.is("impact_changed") || error.problem.errors))
            void queryClient.invalidateQueries({ queryKey: ["transactions", "change", id] });
          throw error;
        }
      }}
      told={(saved) => changedText(saved, zone)}
    >
      {(errors) => (
        <>
          <Refused refusal={errors["at"] ? { message: errors["at"] } : null} />
          <Inputs
            stored={stored}
            change={change}
            errors={errors}
            missing={isChecked && body === null}
          />
          <Plan change={change} />
          <Reason errors={errors} />
        </>
      )}
    </ActionDialog>
  );
};

type Pending = NonNullable<Subscription["pendingChange"]>;

/** A change that waits for its payment. Another one is possible after it was withdrawn. */
const PendingChange = ({ stored, pending, onClose }: Props & { pending: Pending }) => {
  const {
    package: { name },
    transaction,
  } = pending;
  const { number: reference } = transaction;
  const due = money(pending.due, stored.price.currency);
  return (
    <ActionDialog
      onClose={onClose}
      title={t`Withdraw change to ${name}?`}
      fact={factOf(stored)}
      sign={{ icon: "package", tone: "warn" }}
      button={t`Withdraw change`}
      action={(read, keyFor) => {
        const { id, version } = stored;
        const body = read("reason").trim() ? { reason: read("reason") } : {};
        return call(withdrawChange, { params: { id }, version, body, key: keyFor(body) });
      }}
      told={() => t`Change withdrawn`}
    >
      {(errors) => (
        <>
          <p>
            <Trans>
              The change to {name} is waiting for a payment of {due} (
              <Link to={linkOf(transaction)} className="sentence-link mono" onClick={onClose}>
                {reference}
              </Link>
              ).
            </Trans>
          </p>
          <p className="soft">
            {t`Withdrawing cancels this payment and releases the credits and balance it uses.`}
          </p>
          <Reason errors={errors} isAutoFocus />
        </>
      )}
    </ActionDialog>
  );
};

/** Changes the package, interval or quantity of a subscription. */
export const ChangeDialog = (props: Props) => {
  const { pendingChange } = props.stored;
  return pendingChange ? (
    <PendingChange {...props} pending={pendingChange} />
  ) : (
    <NewChange {...props} />
  );
};
