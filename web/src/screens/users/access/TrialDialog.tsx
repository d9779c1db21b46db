import "#ui/styles/choiceSheets.ts";
import { NativeSelect } from "@mantine/core";
import { formatMoney } from "@purser/contract/fields/money";
import { startTrial } from "@purser/contract/subscriptions/endpoints";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#lib/api/call.ts";
import { count } from "#lib/labels.ts";
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
  return (
    <ActionDialog
      onClose={onClose}
      title={`Start a trial for ${nameOf(user)}`}
      fact="They may use the package at once. At the end of the trial the first payment falls due."
      sign={{ icon: "hourglass", tone: "info" }}
      button="Start trial"
      changed={accessChanged}
      isReady={() => {
        setSubmitted(true);
        return price !== undefined;
      }}
      act={(read, keyFor) => {
        if (!price) throw new Error("A trial is of a price.");
        const { currency, interval, intervalCount } = price;
        const why = read("reason").trim();
        const offer = { packageId, currency, interval, intervalCount };
        const body = { email: user.email, ...offer, ...(why && { reason: why }) };
        return call(startTrial, { body, key: keyFor(body) });
      }}
      told={({ package: { name }, periodEnd }) =>
        `${nameOf(user)} tries ${name} until ${formatDate(zone, new Date(periodEnd))}.`
      }
    >
      {(errors) => (
        <>
          <Picker
            relation={soldPackage}
            label="Package"
            help="Those that are on sale."
            path="packageId"
            value={packageId}
            onChange={(id) => {
              setPackage(id);
              setPlace(0);
            }}
            error={
              errors["packageId"] ?? (isSubmitted && !packageId ? "must be chosen" : undefined)
            }
            onCreate={null}
          />
          {onSale && (
            <p className="soft" role="status">
              {days === 0
                ? "This package has no days to try it. Give access instead, or record a sale."
                : `${count(days, "day")} to try it.`}
            </p>
          )}
          <NativeSelect
            label="Then paid"
            disabled={prices.length === 0}
            value={String(place)}
            data={prices.map((one, at) => ({
              value: String(at),
              label: `${periodLabel(one)}, ${formatMoney(one.amount, one.currency)}`,
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
