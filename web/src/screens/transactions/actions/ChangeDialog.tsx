import { NativeSelect } from "@mantine/core";
import { formatMoney } from "@purser/contract/fields/money";
import type { Price } from "@purser/contract/packages/prices";
import { changeSubscription } from "@purser/contract/subscriptions/endpoints";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#lib/api/call.ts";
import { UserFacingError } from "#lib/api/userFacingError.ts";
import { periodLabel } from "#lib/money/prices.ts";
import { formatDate } from "#lib/time/dates.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import { soldPackage, versionsQuery } from "#screens/packages/queries.ts";
import { Choices, Reason } from "#ui/dialogs/ActionDialog.tsx";
import { Picker } from "#ui/form/inputs/Picker.tsx";
import { Money } from "#ui/money/Money.tsx";
import { Refused } from "#ui/page/Callout.tsx";
import { nameOf } from "../labels.ts";
import { type ChangeBody, changeQuery, type Subscription } from "../queries.ts";
import { ActionDialog } from "./ActionDialog.tsx";

type Props = { stored: Subscription; onClose: () => void };

const keyOf = ({ interval, intervalCount }: Pick<Price, "interval" | "intervalCount">) =>
  `${interval} ${intervalCount}`;

/** The dialog's inputs: the new package, its interval, and when to switch. */
const useChange = ({ id, price }: Subscription) => {
  const [packageId, setPackage] = useState("");
  const [period, setPeriod] = useState(keyOf(price));
  const [when, setWhen] = useState<ChangeBody["when"]>("period end");
  const { data: versions } = useQuery({ ...versionsQuery(packageId), enabled: packageId !== "" });
  const sold = versions?.find(({ state }) => state === "on sale")?.prices ?? [];
  // A subscription can't change its currency.
  const prices = sold.filter(
    ({ currency, interval }) => currency === price.currency && interval !== "once",
  );
  const chosen = prices.find((one) => keyOf(one) === period) ?? prices[0];
  const body: ChangeBody | null = chosen
    ? {
        packageId,
        interval: chosen.interval,
        intervalCount: chosen.intervalCount,
        when,
      }
    : null;
  const { data: plan, error } = useQuery(changeQuery(id, body));
  const isUnsold = packageId !== "" && versions !== undefined && prices.length === 0;
  return { packageId, setPackage, setPeriod, setWhen, prices, chosen, body, plan, error, isUnsold };
};

type PlanProps = { stored: Subscription; change: ReturnType<typeof useChange> };

/** The price of the change, and when it takes effect. */
const Plan = ({ stored, change: { plan, body } }: PlanProps) => {
  const zone = useTimeZone();
  if (!plan || !body) return null;
  const { currency, price, credit, total, unusedCredit } = plan;
  const money = (amount: number, isMinus = false) => (
    <Money amount={amount} currency={currency} isMinus={isMinus} />
  );
  if (body.when === "period end")
    return (
      <p className="soft" role="status">
        From {formatDate(zone, new Date(plan.from))} it costs {formatMoney(price, currency)}.
        Nothing is paid now, and nothing changes until then.
      </p>
    );
  return (
    <div role="status">
      <table className="ledger">
        <tbody>
          <tr>
            <th scope="row">The new price</th>
            <td>{money(price)}</td>
          </tr>
          <tr>
            <th scope="row">Left of {stored.package.name}</th>
            <td>{money(credit - unusedCredit, true)}</td>
          </tr>
          <tr data-sum="last">
            <th scope="row">To pay now</th>
            <td>{money(total)}</td>
          </tr>
        </tbody>
      </table>
      <p className="soft table-foot">
        {total > 0
          ? "A payment is waited for. The package changes once it is settled."
          : "Nothing has to be paid, so the package changes at once."}
        {unusedCredit > 0 &&
          ` ${formatMoney(unusedCredit, currency)} of what is left are not paid back.`}
      </p>
    </div>
  );
};

export const ChangeDialog = ({ stored, onClose }: Props) => {
  const zone = useTimeZone();
  const change = useChange(stored);
  const { packageId, prices, chosen, body, plan, error, isUnsold } = change;
  const [missing, setMissing] = useState<string | null>(null);
  const { name } = stored.package;
  return (
    <ActionDialog
      onClose={onClose}
      title="Change to another package?"
      fact={`${name} now, held by ${nameOf(stored.user)}`}
      sign={{ icon: "package", tone: "info" }}
      button="Change package"
      isReady={() => {
        setMissing(body ? null : "must be chosen");
        return body !== null;
      }}
      act={(read, keyFor) => {
        const sent = { ...(body as ChangeBody), reason: read("reason") };
        const { id, version } = stored;
        return call(changeSubscription, { params: { id }, version, body: sent, key: keyFor(sent) });
      }}
      told={({ next }) => {
        if (next)
          return `${next.package} follows on ${formatDate(zone, new Date(stored.periodEnd))}.`;
        return plan && plan.total > 0
          ? `The change waits for ${formatMoney(plan.total, plan.currency)}.`
          : "The package is changed.";
      }}
    >
      {(errors) => (
        <>
          <Picker
            relation={soldPackage}
            label="Package"
            help="Those that are on sale."
            path="packageId"
            value={packageId}
            onChange={(next) => {
              setMissing(null);
              change.setPackage(next);
            }}
            error={
              missing ??
              errors["packageId"] ??
              (isUnsold ? `is not sold in ${stored.price.currency}` : undefined)
            }
            onCreate={null}
          />
          {chosen && (
            <NativeSelect
              label="Interval"
              value={keyOf(chosen)}
              data={prices.map((one) => ({
                value: keyOf(one),
                label: `${periodLabel(one)}, ${formatMoney(one.amount, one.currency)}`,
              }))}
              onChange={({ currentTarget: { value } }) => change.setPeriod(value)}
            />
          )}
          <Choices
            legend="When"
            name="when"
            onChange={(value) => change.setWhen(value === "now" ? "now" : "period end")}
            of={[
              {
                value: "period end",
                label: `On ${formatDate(zone, new Date(stored.periodEnd))}`,
                does: `${name} lasts until its period ends.`,
              },
              {
                value: "now",
                label: "Now",
                does: `What is left of ${name} is taken off the price.`,
              },
            ]}
          />
          {error instanceof UserFacingError ? (
            <Refused refusal={error} />
          ) : (
            <Plan stored={stored} change={change} />
          )}
          <Reason errors={errors} />
        </>
      )}
    </ActionDialog>
  );
};
