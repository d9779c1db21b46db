import "#ui/styles/choiceSheets.ts";
import "#ui/form/inputs/MultiSelect.css";
import "#ui/styles/switchSheets.ts";
import "./settings.css";
import { MultiSelect, NativeSelect, Switch, TextInput } from "@mantine/core";
import { currencies } from "@purser/contract/fields/money";
import { timeZoneOptions } from "#lib/time/dates.ts";
import { Field, FormSection } from "#ui/form/Field.tsx";
import { CheckboxGroup } from "#ui/form/inputs/CheckboxGroup.tsx";
import { ParsedNumberInput, readWhole } from "#ui/form/inputs/ParsedNumberInput.tsx";
import type { RecordForm } from "#ui/form/useRecordForm.ts";
import { formLabels, roleLabels, ruleLabels } from "./labels.ts";
import { RefundLimits, SignInGroups } from "./rows.tsx";
import type { SettingsValues } from "./values.ts";

type Props = { record: RecordForm<SettingsValues> };

type DaysProps = Props & {
  name: "secondFactorGraceDays" | "graceDays" | "approvalDays";
  help: string;
};

const Days = ({ record, name, help }: DaysProps) => (
  <Field record={record} words={formLabels} name={name}>
    <ParsedNumberInput
      label={formLabels[name].label}
      description={help}
      className="number-input"
      inputMode="numeric"
      rightSection={<span className="unit">days</span>}
      rightSectionWidth={52}
      data-path={name}
      error={record.form.errors[name]}
      value={record.form.values[name]}
      read={readWhole}
      show={String}
      onChange={(value) => {
        record.form.setFieldValue(name, value);
        record.form.clearFieldError(name);
      }}
    />
  </Field>
);

const Company = ({ record }: Props) => {
  const { form } = record;
  return (
    <FormSection title="Company" help="Shown on every page, and what a date without a time means.">
      <div className="form-pair">
        <Field record={record} words={formLabels} name="companyName">
          <TextInput
            label="Company name"
            data-path="companyName"
            {...form.getInputProps("companyName")}
          />
        </Field>
        <Field record={record} words={formLabels} name="timeZone">
          <NativeSelect label="Time zone" data-path="timeZone" {...form.getInputProps("timeZone")}>
            {timeZoneOptions().map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </NativeSelect>
        </Field>
      </div>
      <Field record={record} words={formLabels} name="currencies">
        <MultiSelect
          label="Currencies in use"
          description="New prices are in one of these. Prices that stand stay."
          data-path="currencies"
          {...(form.values.currencies.length === 0 && { placeholder: "Every currency" })}
          data={[...currencies]}
          value={form.values.currencies}
          onChange={(chosen) => form.setFieldValue("currencies", chosen)}
          error={form.errors["currencies"]}
          searchable
          hidePickedOptions
          nothingFoundMessage="No such currency. Try its three letters."
        />
      </Field>
    </FormSection>
  );
};

const SignIn = ({ record }: Props) => {
  const { form } = record;
  return (
    <FormSection title="Sign-in" help="How the people of this office prove who they are.">
      <Field record={record} words={formLabels} name="secondFactorRoles">
        <CheckboxGroup
          legend="Must have a second factor"
          path="secondFactorRoles"
          options={roleLabels}
          value={form.values.secondFactorRoles}
          onChange={(chosen) => form.setFieldValue("secondFactorRoles", chosen)}
        />
      </Field>
      <div className="form-pair">
        <Days
          record={record}
          name="secondFactorGraceDays"
          help="Whoever lacks one may still work that long."
        />
      </div>
      <Field record={record} words={formLabels} name="passwordsAllowed">
        <Switch
          label="Passwords are allowed"
          data-path="passwordsAllowed"
          checked={form.values.passwordsAllowed}
          onChange={({ currentTarget: { checked } }) =>
            form.setFieldValue("passwordsAllowed", checked)
          }
          error={form.errors["passwordsAllowed"]}
        />
      </Field>
      <SignInGroups record={record} />
    </FormSection>
  );
};

const Eyes = ({ record }: Props) => {
  const { form } = record;
  return (
    <FormSection
      title="Second pair of eyes"
      help="What one person asks for and another one approves."
    >
      <Field record={record} words={formLabels} name="approvalRules">
        <CheckboxGroup
          legend="Needs a second person"
          path="approvalRules"
          stacked
          options={ruleLabels}
          value={form.values.approvalRules}
          onChange={(chosen) => form.setFieldValue("approvalRules", chosen)}
        />
      </Field>
      <RefundLimits record={record} />
      <div className="form-pair">
        <Days record={record} name="approvalDays" help="What nobody answers by then expires." />
      </div>
    </FormSection>
  );
};

/** The settings of the workspace. */
export const SettingsForm = ({ record }: Props) => (
  <>
    <Company record={record} />
    <FormSection title="Subscriptions" help="What happens when a renewal is not paid.">
      <div className="form-pair">
        <Days
          record={record}
          name="graceDays"
          help="Rights go on that long after a period. It counts for periods paid from now on."
        />
      </div>
    </FormSection>
    <SignIn record={record} />
    <Eyes record={record} />
  </>
);
