import { t } from "@lingui/core/macro";
import "#ui/form/form.css";
import { TextInput } from "@mantine/core";
import { correctUsage } from "@purser/contract/usage/endpoints";
import { useState } from "react";
import { call } from "#lib/api/call.ts";
import { number } from "#lib/intl.ts";
import { ActionDialog, type Read, Reason } from "#ui/dialogs/ActionDialog.tsx";
import { Segments } from "#ui/form/inputs/Segments.tsx";
import { nameOf, type User, usersChanged } from "../queries.ts";
import type { UsedFeature } from "./queries.ts";

type Props = { user: User; used: UsedFeature; onClose: () => void };

/** Adds to or removes from what a customer used in the current period. */
export const CorrectDialog = ({ user, used: { feature, app }, onClose }: Props) => {
  const [way, setWay] = useState<"remove" | "add">("remove");
  const { id } = user;
  const amountOf = (read: Read) => Math.abs(Number(read("amount"))) * (way === "add" ? 1 : -1);
  const bodyOf = (read: Read) => ({
    featureId: feature.id,
    amount: amountOf(read),
    reason: read("reason"),
  });
  const customer = nameOf(user);
  const featureName = feature.name;
  const appName = app.name;
  return (
    <ActionDialog
      onClose={onClose}
      title={t`Correct the usage of ${featureName}`}
      fact={t`${customer} in ${appName}. Applies to the current period.`}
      sign={{ icon: "pencil", tone: "info" }}
      button={t`Correct usage`}
      changed={usersChanged}
      action={(read, keyFor) => {
        const body = bodyOf(read);
        return call(correctUsage, { params: { id }, body, key: keyFor(body) });
      }}
      told={({ used }) => {
        const now = number(used);
        return t`Usage corrected to ${now}`;
      }}
    >
      {(errors) => (
        <>
          <Segments
            legend={t`Correction`}
            name="way"
            isAutoFocus
            value={way}
            options={[
              { value: "remove", label: t`Remove` },
              { value: "add", label: t`Add` },
            ]}
            onChange={setWay}
          />
          <TextInput label={t`Amount`} name="amount" inputMode="numeric" error={errors["amount"]} />
          <Reason errors={errors} />
        </>
      )}
    </ActionDialog>
  );
};
