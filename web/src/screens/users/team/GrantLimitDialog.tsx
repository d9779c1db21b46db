import "#ui/form/form.css";
import { t } from "@lingui/core/macro";
import {
  changeSettings,
  type GrantingRole,
  type GrantLimit,
} from "@purser/contract/workspace/settings";
import { useState } from "react";
import { call } from "#lib/api/call.ts";
import { queryClient } from "#lib/api/queryClient.ts";
import { UserFacingError } from "#lib/api/userFacingError.ts";
import { parseWhole } from "#lib/parseNumber.ts";
import { anyPackage } from "#screens/packages/queries.ts";
import type { Settings } from "#screens/settings/queries.ts";
import { Confirm } from "#ui/dialogs/Confirm.tsx";
import { ParsedNumberInput } from "#ui/form/inputs/ParsedNumberInput.tsx";
import { RadioCards } from "#ui/form/inputs/RadioCards.tsx";
import { RelationMultiSelect } from "#ui/form/inputs/RelationMultiSelect.tsx";
import { toast } from "#ui/popups/toast.ts";
import { roleLabels } from "../labels.ts";

type Kind = "always" | "days" | "unlimited";

const kindOf = (limit: GrantLimit | undefined): Kind => {
  if (!limit) return "always";
  return limit.days === null ? "unlimited" : "days";
};

const cards: Record<Kind, { label: string; help: string }> = {
  always: {
    label: t`Always requires approval`,
    help: t`This role can't grant access without approval.`,
  },
  days: { label: t`Up to a number of days`, help: t`Longer access requires approval.` },
  unlimited: { label: t`No time limit`, help: t`Also allows access without an end date.` },
};

const usualDays = 90;
const daysMax = 3650;

type Props = { settings: Settings; role: GrantingRole; onClose: () => void };

/** The days and packages that a role grants without approval. Saved with the settings. */
export const GrantLimitDialog = ({ settings, role, onClose }: Props) => {
  const { version, updatedAt: _, ...details } = settings;
  const { [role]: own, ...others } = details.grantLimits;
  const [kind, setKind] = useState(kindOf(own));
  const [days, setDays] = useState<number | string>(own?.days ?? usualDays);
  const [packages, setPackages] = useState(own?.packages ?? []);
  const name = roleLabels[role].label;
  const limit = { days: kind === "days" ? Number(days) : null, packages };
  const body = {
    ...details,
    grantLimits: kind === "always" ? others : { ...others, [role]: limit },
  };
  return (
    <Confirm
      onClose={onClose}
      title={t`Access without approval: ${name}`}
      fact={t`Higher limits wait for another owner, or for the waiting period.`}
      sign={{ icon: "key", tone: "info" }}
      wanted={{ operation: "PUT /settings", params: {}, body, version }}
      button={t`Save limits`}
      action={async () => {
        if (
          kind === "days" &&
          !(Number.isInteger(days) && Number(days) >= 1 && Number(days) <= daysMax)
        )
          throw new UserFacingError(t`Enter a whole number of days from 1 to ${daysMax}.`);
        await call(changeSettings, { body, version, action: t`Change the limits of ${name}` });
        await queryClient.invalidateQueries({ queryKey: ["settings"] });
        toast(t`Limits saved`);
      }}
    >
      <RadioCards legend={t`Time`} path="kind" cards={cards} value={kind} onChange={setKind} />
      {kind === "days" && (
        <ParsedNumberInput
          label={t`Days`}
          className="number-input"
          inputMode="numeric"
          value={days}
          read={parseWhole}
          show={String}
          onChange={setDays}
        />
      )}
      {kind !== "always" && (
        <RelationMultiSelect
          relation={anyPackage}
          label={t`Packages`}
          path="packages"
          placeholder={t`All packages`}
          value={packages}
          onChange={setPackages}
        />
      )}
    </Confirm>
  );
};
