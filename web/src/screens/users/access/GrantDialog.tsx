import "#ui/styles/choiceSheets.ts";
import { NativeSelect, TextInput } from "@mantine/core";
import { giveAccess } from "@purser/contract/entitlements/grants";
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

type Props = { user: User; onClose: () => void };

type ValueProps = {
  feature: Feature;
  typed: string;
  onType: (typed: string) => void;
  error: string | undefined;
};

/** The feature's value: on, an option, a number, or unlimited. */
const ValueField = ({ feature, typed, onType, error }: ValueProps) => {
  const { kind, options, unit } = feature;
  if (kind === "switch") return null;
  if (kind === "choice")
    return (
      <NativeSelect
        label="Option"
        name="value"
        value={typed || options[0]?.code}
        data={options.map(({ code, name }) => ({ value: code, label: name }))}
        onChange={({ currentTarget }) => onType(currentTarget.value)}
        error={error}
      />
    );
  return (
    <TextInput
      label="How much"
      name="value"
      className="number-input"
      inputMode="numeric"
      description={`A whole number${unit ? ` of ${unit.many}` : ""}, or “unlimited”.`}
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
  { value: "package", label: "A package", does: "All that its version on sale gives." },
  { value: "feature", label: "One feature", does: "By itself, beside what they have." },
];

/** The request body; null while something is missing. */
const useGiven = () => {
  const [kind, setKind] = useState("package");
  const [packageId, setPackage] = useState("");
  const [featureId, setFeature] = useState("");
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
    label="Package"
    help="Those that are on sale."
    path="packageId"
    value={of.packageId}
    onChange={of.setPackage}
    error={errors["packageId"] ?? (isSubmitted && !of.packageId ? "must be chosen" : undefined)}
    onCreate={null}
  />
);

const FeatureFields = ({ of, errors, isSubmitted }: FieldsProps) => {
  const isUnread = isSubmitted && of.value === undefined;
  return (
    <>
      <Picker
        relation={usableFeature}
        label="Feature"
        help="Those that are active."
        path="featureId"
        value={of.featureId}
        onChange={of.chooseFeature}
        error={errors["featureId"] ?? (isSubmitted && !of.featureId ? "must be chosen" : undefined)}
        onCreate={null}
      />
      {of.feature && (
        <ValueField
          feature={of.feature}
          typed={of.typed}
          onType={of.setTyped}
          error={
            errors["value"] ??
            (isUnread ? "must be a whole number from 0, or unlimited" : undefined)
          }
        />
      )}
    </>
  );
};

/** Grants a package or a feature's value without a sale, for a reason. */
export const GrantDialog = ({ user, onClose }: Props) => {
  const given = useGiven();
  const [isSubmitted, setSubmitted] = useState(false);
  const until = useEndDate();
  return (
    <ActionDialog
      onClose={onClose}
      title={`Give ${nameOf(user)} access`}
      fact="Nothing is paid. It begins now."
      sign={{ icon: "gift", tone: "info" }}
      button="Give access"
      changed={accessChanged}
      isReady={() => {
        setSubmitted(true);
        return until.isReady() && given.right !== null;
      }}
      act={(read, keyFor) => {
        const endsAt = until.end?.toISOString() ?? null;
        const body = { userId: user.id, ...given.right, endsAt, reason: read("reason") };
        return call(giveAccess, { body, key: keyFor(body) });
      }}
      told={({ package: pack, feature }) =>
        `${nameOf(user)} may use ${pack?.name ?? feature?.name ?? "it"} now.`
      }
    >
      {(errors) => (
        <>
          <Choices legend="What" name="kind" of={kinds} onChange={given.setKind} />
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
