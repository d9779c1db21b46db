import { t } from "@lingui/core/macro";
import { NativeSelect, TextInput } from "@mantine/core";
import { featureFields } from "@purser/contract/features/fields";
import {
  canFollowSubscription,
  readValue,
  resets,
  unlimited,
} from "@purser/contract/fields/values";
import { number } from "#lib/intl.ts";
import { resetNames } from "#lib/labels/features.ts";
import { unlimitedLabel } from "#lib/labels/featureValues.ts";
import { Field, FormSection, Optional } from "#ui/form/Field.tsx";
import { RadioCards } from "#ui/form/inputs/RadioCards.tsx";
import { ReadOnlyField } from "#ui/form/inputs/ReadOnlyField.tsx";
import type { RecordForm } from "#ui/form/useRecordForm.ts";
import {
  anchorExamples,
  anchorLabels,
  combiningLabels,
  lockedReason,
  unitLabels,
} from "../labels.ts";
import type { Feature } from "../queries.ts";
import { OptionsEditor } from "./OptionsEditor.tsx";
import { type FeatureValues, formLabels } from "./values.ts";

type Props = {
  record: RecordForm<FeatureValues>;
  feature: Feature | null;
};

const switches = {
  off: { label: t`Off`, help: t`Only customers with a package that includes it have access.` },
  on: { label: t`On`, help: t`Everyone has access.` },
} as const;

const SwitchEditor = ({ record }: Props) => {
  const { form } = record;
  return (
    <FormSection title={t`Value`} help={t`Default for customers without a package.`}>
      <Field record={record} words={formLabels} name="defaultValue">
        <RadioCards
          legend={formLabels.defaultValue.label}
          path="defaultValue"
          cards={switches}
          value={form.values.defaultValue === true ? "on" : "off"}
          onChange={(chosen) => form.setFieldValue("defaultValue", chosen === "on")}
        />
      </Field>
    </FormSection>
  );
};

const unitParts = {
  one: { label: featureFields.unitOne.label, help: t`For example, seat` },
  many: { label: featureFields.unitMany.label, help: t`For example, seats` },
};

/** The unit. Without one, the number is shown alone. */
const Unit = ({ record, feature }: Props) => {
  const { form } = record;
  const { unit } = form.values;
  if (feature?.frozen)
    return (
      <ReadOnlyField
        label={formLabels.unit.label}
        value={unitLabels(unit) || t`None`}
        why={lockedReason}
      />
    );
  const change = (part: "one" | "many", typed: string) => {
    const next = { one: "", many: "", ...unit, [part]: typed };
    form.setFieldValue("unit", next.one === "" && next.many === "" ? null : next);
    form.clearFieldError(`unit.${part}`);
  };
  const partOf = (part: "one" | "many") => (
    <TextInput
      label={<Optional>{unitParts[part].label}</Optional>}
      description={unitParts[part].help}
      data-path={`unit.${part}`}
      value={unit?.[part] ?? ""}
      error={form.errors[`unit.${part}`] ?? (part === "one" && form.errors["unit"])}
      onChange={({ currentTarget }) => change(part, currentTarget.value)}
    />
  );
  return (
    <Field record={record} words={formLabels} name="unit">
      <div className="form-pair">
        {partOf("one")}
        {partOf("many")}
      </div>
    </Field>
  );
};

/** A number, or unlimited. Invalid input is kept as typed until it is corrected. */
const Quantity = ({ record, label }: { record: Props["record"]; label: string }) => {
  const { form } = record;
  const { defaultValue, unit, kind, options } = form.values;
  const isUnlimited = defaultValue === unlimited;
  const word = !isUnlimited && (defaultValue === 1 ? unit?.one : unit?.many);
  const set = (value: FeatureValues["defaultValue"]) => form.setFieldValue("defaultValue", value);
  return (
    <Field record={record} words={formLabels} name="defaultValue">
      <TextInput
        label={label}
        className="number-input"
        inputMode="numeric"
        autoComplete="off"
        data-path="defaultValue"
        disabled={isUnlimited}
        value={isUnlimited ? unlimitedLabel : String(defaultValue)}
        error={form.errors["defaultValue"]}
        {...(word && {
          rightSection: <span className="unit">{word}</span>,
          // Next to the number, whatever the length of the unit.
          rightSectionWidth: `calc(${[...word].length}ch + 20px)`,
        })}
        onChange={({ currentTarget: { value } }) =>
          set(readValue({ kind, options }, value) ?? value)
        }
        onBlur={() => form.validateField("defaultValue")}
      />
      <label className="no-limit">
        <input
          type="checkbox"
          className="box"
          checked={isUnlimited}
          onChange={() => set(isUnlimited ? 0 : unlimited)}
        />
        {unlimitedLabel}
      </label>
    </Field>
  );
};

const LimitEditor = ({ record, feature }: Props) => {
  const { form } = record;
  const { combining } = form.values;
  return (
    <FormSection title={t`Value`} help={t`Default for customers without a package.`}>
      <Unit record={record} feature={feature} />
      <div className="form-pair">
        <Quantity record={record} label={formLabels.defaultValue.label} />
      </div>
      {feature?.frozen ? (
        <ReadOnlyField
          label={formLabels.combining.label}
          value={combiningLabels[combining].label}
          why={lockedReason}
        />
      ) : (
        <Field record={record} words={formLabels} name="combining">
          <RadioCards
            legend={formLabels.combining.label}
            path="combining"
            cards={combiningLabels}
            value={combining}
            onChange={(next) => form.setFieldValue("combining", next)}
          />
        </Field>
      )}
    </FormSection>
  );
};

/** What the periods of an allowance follow, if they can follow a subscription. */
const AnchorEditor = ({ record, feature }: Props) => {
  const { form } = record;
  const { reset, anchor } = form.values;
  if (!canFollowSubscription(reset)) return null;
  if (feature?.frozen)
    return (
      <ReadOnlyField
        label={formLabels.anchor.label}
        value={anchorLabels[anchor].label}
        why={lockedReason}
      />
    );
  return (
    <Field record={record} words={formLabels} name="anchor">
      <RadioCards
        legend={formLabels.anchor.label}
        path="anchor"
        cards={anchorLabels}
        value={anchor}
        onChange={(next) => form.setFieldValue("anchor", next)}
      />
      {anchor === "subscription" && <p className="soft">{anchorExamples[reset]}</p>}
    </Field>
  );
};

const MeteredEditor = ({ record, feature }: Props) => {
  const { form } = record;
  const reset = form.values.reset ?? "never";
  return (
    <FormSection
      title={t`Value`}
      help={t`Default for customers without a package. Values of several packages are added together.`}
    >
      <Unit record={record} feature={feature} />
      <div className="form-pair">
        <Quantity record={record} label={t`Default allowance`} />
        {feature?.frozen ? (
          <ReadOnlyField
            label={formLabels.reset.label}
            value={resetNames[reset]}
            why={lockedReason}
          />
        ) : (
          <Field record={record} words={formLabels} name="reset">
            <NativeSelect
              label={formLabels.reset.label}
              data-path="reset"
              value={reset}
              error={form.errors["reset"]}
              onChange={({ currentTarget: { value } }) => {
                const chosen = resets.find((one) => one === value) ?? null;
                form.setFieldValue("reset", chosen);
                if (!canFollowSubscription(chosen)) form.setFieldValue("anchor", "calendar");
              }}
              data={resets.map((value) => ({ value, label: resetNames[value] }))}
            />
          </Field>
        )}
      </div>
      <AnchorEditor record={record} feature={feature} />
    </FormSection>
  );
};

const ChoiceEditor = ({ record, feature }: Props) => {
  const { form } = record;
  const { options, defaultValue } = form.values;
  return (
    <FormSection
      title={t`Value`}
      help={t`Order from lowest to highest. Customers with several packages get the highest.`}
    >
      <OptionsEditor record={record} feature={feature} />
      <div className="form-pair">
        <Field record={record} words={formLabels} name="defaultValue">
          <NativeSelect
            label={formLabels.defaultValue.label}
            data-path="defaultValue"
            value={String(defaultValue)}
            error={form.errors["defaultValue"]}
            onChange={({ currentTarget }) =>
              form.setFieldValue("defaultValue", currentTarget.value)
            }
            data={options.map(({ code, name }, place) => {
              const position = number(place + 1);
              return { value: code, label: name || t`Option ${position}` };
            })}
          />
        </Field>
      </div>
    </FormSection>
  );
};

const editors = {
  switch: SwitchEditor,
  limit: LimitEditor,
  metered: MeteredEditor,
  choice: ChoiceEditor,
};

/** The default value and how packages combine with it, by kind. */
export const ValueEditor = (props: Props) => {
  const Editor = editors[props.record.form.values.kind];
  return <Editor {...props} />;
};
