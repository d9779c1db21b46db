import "#ui/styles/choiceSheets.ts";
import { t } from "@lingui/core/macro";
import { NativeSelect, TextInput } from "@mantine/core";
import { grantAccess } from "@purser/contract/entitlements/grants";
import { readValue, type Value } from "@purser/contract/fields/values";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#lib/api/call.ts";
import { type Feature, featureQuery, usableFeature } from "#screens/features/queries.ts";
import { soldPackage } from "#screens/packages/queries.ts";
import { ActionDialog, Choices, type Errors, Reason } from "#ui/dialogs/ActionDialog.tsx";
import { EndDate, useEndDate } from "#ui/form/inputs/EndDate.tsx";
import { Picker } from "#ui/form/inputs/Picker.tsx";
import { nameOf, type User } from "../queries.ts";
import { accessChanged } from "./queries.ts";

type Props = {
  user: User;
  onClose: () => void /** A feature that is chosen already. */;
  feature?: string;
};

type ValueProps = {
  feature: Feature;
  typed: string;
  onType: (typed: string) => void;
  error: string | undefined;
};

/** The feature's value: on, an option, a number, or unlimited. */
const ValueField = ({ feature, typed, onType, error }: ValueProps) => {
  const { kind, options, unit } = feature;
  const many = unit?.many;
  if (kind === "switch") return null;
  if (kind === "choice")
    return (
      <NativeSelect
        label={t`Option`}
        name="value"
        value={typed || options[0]?.code}
        data={options.map(({ code, name }) => ({ value: code, label: name }))}
        onChange={({ currentTarget }) => onType(currentTarget.value)}
        error={error}
      />
    );
  return (
    <TextInput
      label={t`Value`}
      name="value"
      className="number-input"
      inputMode="numeric"
      description={many ? t`Number of ${many}, or “unlimited”` : t`A whole number, or “unlimited”`}
      value={typed}
      onChange={({ currentTarget }) => onType(currentTarget.value)}
      error={error}
    />
  );
};

const valueFrom = (feature: Feature, typed: string): Value | undefined => {
  if (feature.kind === "switch") return true;
  if (feature.kind === "choice") return typed || feature.options[0]?.code;
  return readValue(feature, typed);
};

const kinds = [
  { value: "package", label: t`Package`, does: t`Everything in the current version` },
  { value: "feature", label: t`Feature`, does: t`In addition to what they have` },
];

/** The request body; null while something is missing. */
const useGiven = (chosenFeature: string) => {
  const [kind, setKind] = useState(chosenFeature ? "feature" : "package");
  const [packageId, setPackage] = useState("");
  const [featureId, setFeature] = useState(chosenFeature);
  const [typed, setTyped] = useState("");
  const { data: feature } = useQuery({ ...featureQuery(featureId), enabled: featureId !== "" });
  const value = feature && valueFrom(feature, typed);
  const ofPackage = packageId === "" ? null : { packageId };
  const ofFeature = feature && value !== undefined ? { featureId, value } : null;
  const right = kind === "package" ? ofPackage : ofFeature;
  const chooseFeature = (id: string) => {
    setFeature(id);
    setTyped("");
  };
  return {
    kind,
    setKind,
    packageId,
    setPackage,
    featureId,
    chooseFeature,
    feature,
    typed,
    setTyped,
    value,
    right,
  };
};

type FieldsProps = { of: ReturnType<typeof useGiven>; errors: Errors; isSubmitted: boolean };

const PackageField = ({ of, errors, isSubmitted }: FieldsProps) => (
  <Picker
    relation={soldPackage}
    label={t`Package`}
    help={t`Only packages on sale are listed.`}
    path="packageId"
    value={of.packageId}
    onChange={of.setPackage}
    error={errors["packageId"] ?? (isSubmitted && !of.packageId ? t`Choose a package.` : undefined)}
    onCreate={null}
  />
);

const FeatureFields = ({ of, errors, isSubmitted }: FieldsProps) => {
  const isUnread = isSubmitted && of.value === undefined;
  return (
    <>
      <Picker
        relation={usableFeature}
        label={t`Feature`}
        help={t`Only active features are listed.`}
        path="featureId"
        value={of.featureId}
        onChange={of.chooseFeature}
        error={
          errors["featureId"] ?? (isSubmitted && !of.featureId ? t`Choose a feature.` : undefined)
        }
        onCreate={null}
      />
      {of.feature && (
        <ValueField
          feature={of.feature}
          typed={of.typed}
          onType={of.setTyped}
          error={
            errors["value"] ?? (isUnread ? t`Enter a whole number, or “unlimited”.` : undefined)
          }
        />
      )}
    </>
  );
};

/** Grants a package or a feature's value without a sale, for a reason. */
export const GrantDialog = ({ user, onClose, feature = "" }: Props) => {
  const given = useGiven(feature);
  const [isSubmitted, setSubmitted] = useState(false);
  const until = useEndDate();
  const name = nameOf(user);
  return (
    <ActionDialog
      onClose={onClose}
      title={t`Grant ${name} access`}
      fact={t`Free of charge. Starts now.`}
      sign={{ icon: "gift", tone: "info" }}
      button={t`Grant access`}
      changed={accessChanged}
      isReady={() => {
        setSubmitted(true);
        return until.isReady() && given.right !== null;
      }}
      action={(read, keyFor) => {
        const endsAt = until.end?.toISOString() ?? null;
        const body = { userId: user.id, ...given.right, endsAt, reason: read("reason") };
        return call(grantAccess, { body, key: keyFor(body) });
      }}
      told={({ package: pack, feature: own }) => {
        const granted = pack?.name ?? own?.name ?? "";
        return t`${name} has access to ${granted}`;
      }}
    >
      {(errors) => (
        <>
          <Choices legend={t`Grant`} name="kind" of={kinds} onChange={given.setKind} />
          {given.kind === "package" ? (
            <PackageField of={given} errors={errors} isSubmitted={isSubmitted} />
          ) : (
            <FeatureFields of={given} errors={errors} isSubmitted={isSubmitted} />
          )}
          <EndDate until={until} error={errors["endsAt"]} />
          <Reason errors={errors} />
        </>
      )}
    </ActionDialog>
  );
};
