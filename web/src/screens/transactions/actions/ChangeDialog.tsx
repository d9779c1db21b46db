import { t } from "@lingui/core/macro";
import { NativeSelect } from "@mantine/core";
import type { Price } from "@purser/contract/packages/prices";
import { changeSubscription } from "@purser/contract/subscriptions/endpoints";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#lib/api/call.ts";
import { UserFacingError } from "#lib/api/userFacingError.ts";
import { money } from "#lib/intl.ts";
import { formatDate } from "#lib/time/dates.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import { soldPackage, versionsQuery } from "#screens/packages/queries.ts";
import { Choices, Reason } from "#ui/dialogs/ActionDialog.tsx";
import { Picker } from "#ui/form/inputs/Picker.tsx";
import { Money } from "#ui/money/Money.tsx";
import { Refused } from "#ui/page/Callout.tsx";
import { nameOf, priceOption } from "../labels.ts";
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
  const { currency, credit, total, unusedCredit } = plan;
  const { name } = stored.package;
  const price = money(plan.price, currency);
  const date = formatDate(zone, new Date(plan.from));
  const unused = money(unusedCredit, currency);
  if (body.when === "period end")
    return (
      <p className="soft" role="status">
        {t`The price is ${price} from ${date}. No payment is due until then.`}
      </p>
    );
  return (
    <div role="status">
      <table className="ledger">
        <tbody>
          <tr>
            <th scope="row">{t`New price`}</th>
            <td>
              <Money amount={plan.price} currency={currency} />
            </td>
          </tr>
          <tr>
            <th scope="row">{t`Unused time of ${name}`}</th>
            <td>
              <Money amount={credit - unusedCredit} currency={currency} isMinus />
            </td>
          </tr>
          <tr data-sum="last">
            <th scope="row">{t`Due now`}</th>
            <td>
              <Money amount={total} currency={currency} />
            </td>
          </tr>
        </tbody>
      </table>
      <p className="soft table-foot">
        {total > 0
          ? t`The package changes once the payment is settled.`
          : t`No payment is due, so the package changes immediately.`}{" "}
        {unusedCredit > 0 && t`${unused} for unused time isn't refunded.`}
      </p>
    </div>
  );
};

type Saved = Pick<Subscription, "next" | "periodEnd">;

/** The toast after a change, which may still wait for its date or a payment. */
const changedText = ({ next, periodEnd }: Saved, zone: string, due: string | null) => {
  if (next) {
    const { package: name } = next;
    const date = formatDate(zone, new Date(periodEnd));
    return t`Changes to ${name} on ${date}`;
  }
  return due ? t`Waiting for a payment of ${due}` : t`Package changed`;
};

export const ChangeDialog = ({ stored, onClose }: Props) => {
  const zone = useTimeZone();
  const change = useChange(stored);
  const { packageId, prices, chosen, body, plan, error, isUnsold } = change;
  const [missing, setMissing] = useState<string | null>(null);
  const { name } = stored.package;
  const { currency } = stored.price;
  const end = formatDate(zone, new Date(stored.periodEnd));
  const due = plan && plan.total > 0 ? money(plan.total, plan.currency) : null;
  return (
    <ActionDialog
      onClose={onClose}
      title={t`Change ${name} to another package?`}
      fact={nameOf(stored.user)}
      sign={{ icon: "package", tone: "info" }}
      button={t`Change package`}
      isReady={() => {
        setMissing(body ? null : t`Choose a package.`);
        return body !== null;
      }}
      action={(read, keyFor) => {
        const sent = { ...(body as ChangeBody), reason: read("reason") };
        const { id, version } = stored;
        return call(changeSubscription, { params: { id }, version, body: sent, key: keyFor(sent) });
      }}
      told={({ next }) => changedText({ next, periodEnd: stored.periodEnd }, zone, due)}
    >
      {(errors) => (
        <>
          <Picker
            relation={soldPackage}
            label={t`Package`}
            help={t`Only packages on sale are listed.`}
            path="packageId"
            value={packageId}
            onChange={(next) => {
              setMissing(null);
              change.setPackage(next);
            }}
            error={
              missing ??
              errors["packageId"] ??
              (isUnsold ? t`This package isn't sold in ${currency}.` : undefined)
            }
            onCreate={null}
          />
          {chosen && (
            <NativeSelect
              label={t`Interval`}
              value={keyOf(chosen)}
              data={prices.map((one) => ({
                value: keyOf(one),
                label: priceOption(one),
              }))}
              onChange={({ currentTarget: { value } }) => change.setPeriod(value)}
            />
          )}
          <Choices
            legend={t`When`}
            name="when"
            onChange={(value) => change.setWhen(value === "now" ? "now" : "period end")}
            of={[
              {
                value: "period end",
                label: t`On ${end}`,
                does: t`${name} continues until its period ends.`,
              },
              {
                value: "now",
                label: t`Now`,
                does: t`The unused time of ${name} is deducted from the price.`,
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
