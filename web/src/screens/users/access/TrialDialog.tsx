import "#ui/styles/choiceSheets.ts";
import { plural, t } from "@lingui/core/macro";
import { NativeSelect } from "@mantine/core";
import { startTrial } from "@purser/contract/subscriptions/endpoints";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#lib/api/call.ts";
import { money, series } from "#lib/intl.ts";
import { periodLabel } from "#lib/money/prices.ts";
import { formatDate } from "#lib/time/dates.ts";
import { useTimeZone } from "#lib/time/useTimeZone.ts";
import { soldPackage, versionsQuery } from "#screens/packages/queries.ts";
import { ActionDialog, Reason } from "#ui/dialogs/ActionDialog.tsx";
import { Picker } from "#ui/form/inputs/Picker.tsx";
import { nameOf, type User } from "../queries.ts";
import { accessChanged } from "./queries.ts";

type Props = { user: User; onClose: () => void };

/** Starts a trial of a package; the first payment is due when it ends. */
export const TrialDialog = ({ user, onClose }: Props) => {
  const zone = useTimeZone();
  const [packageId, setPackage] = useState("");
  const [place, setPlace] = useState(0);
  const [isSubmitted, setSubmitted] = useState(false);
  const { data: versions } = useQuery({ ...versionsQuery(packageId), enabled: packageId !== "" });
  const onSale = versions?.find(({ state }) => state === "on sale");
  const prices = (onSale?.prices ?? []).filter(({ interval }) => interval !== "once");
  const price = prices[place] ?? prices[0];
  const days = onSale?.trialDays ?? 0;
  const customer = nameOf(user);
  return (
    <ActionDialog
      onClose={onClose}
      title={t`Start a trial for ${customer}`}
      fact={t`Starts now. The first payment is due when the trial ends.`}
      sign={{ icon: "hourglass", tone: "info" }}
      button={t`Start trial`}
      changed={accessChanged}
      isReady={() => {
        setSubmitted(true);
        return price !== undefined;
      }}
      action={(read, keyFor) => {
        if (!price) throw new Error("A trial is of a price.");
        const { currency, interval, intervalCount } = price;
        const why = read("reason").trim();
        const offer = { packageId, currency, interval, intervalCount };
        const body = { email: user.email, ...offer, ...(why && { reason: why }) };
        return call(startTrial, { body, key: keyFor(body) });
      }}
      told={({ package: { name }, periodEnd }) => {
        const end = formatDate(zone, new Date(periodEnd));
        return t`Trial of ${name} started, ends ${end}`;
      }}
    >
      {(errors) => (
        <>
          <Picker
            relation={soldPackage}
            label={t`Package`}
            help={t`Only packages on sale are listed.`}
            path="packageId"
            value={packageId}
            onChange={(id) => {
              setPackage(id);
              setPlace(0);
            }}
            error={
              errors["packageId"] ?? (isSubmitted && !packageId ? t`Choose a package.` : undefined)
            }
            onCreate={null}
          />
          {onSale && (
            <p className="soft" role="status">
              {plural(days, {
                0: "This package has no free trial. Grant access instead, or record a sale.",
                one: "#-day free trial",
                other: "#-day free trial",
              })}
            </p>
          )}
          <NativeSelect
            label={t`Price after the trial`}
            disabled={prices.length === 0}
            value={String(place)}
            data={prices.map((one, at) => ({
              value: String(at),
              label: series([periodLabel(one), money(one.amount, one.currency)]),
            }))}
            onChange={({ currentTarget }) => setPlace(Number(currentTarget.value))}
            error={errors["interval"]}
          />
          <Reason errors={errors} />
        </>
      )}
    </ActionDialog>
  );
};
