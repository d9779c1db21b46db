import { approvalRules } from "#lib/labels/approvals.ts";
import "#ui/styles/choiceSheets.ts";
import "#ui/form/inputs/MultiSelect.css";
import "#ui/styles/switchSheets.ts";
import "./settings.css";
import { plural, t } from "@lingui/core/macro";
import { MultiSelect, NativeSelect, Switch, TextInput } from "@mantine/core";
import { currencies } from "@purser/contract/fields/amounts";
import { roleNames } from "#lib/labels/roles.ts";
import { parseWhole } from "#lib/parseNumber.ts";
import { timeZoneOptions } from "#lib/time/localTime.ts";
import { Field } from "#ui/form/Field.tsx";
import { CheckboxGroup } from "#ui/form/inputs/CheckboxGroup.tsx";
import { ParsedNumberInput } from "#ui/form/inputs/ParsedNumberInput.tsx";
import type { RecordForm } from "#ui/form/useRecordForm.ts";
import { AccountSettings } from "./AccountSettings.tsx";
import { DocumentSettings } from "./DocumentSettings.tsx";
import { GrantLimits } from "./GrantLimits.tsx";
import { formLabels } from "./labels.ts";
import { RetentionSettings } from "./RetentionSettings.tsx";
import { RefundLimits, SignInGroups } from "./rows.tsx";
import { SettingsSection } from "./SettingsSection.tsx";
import { TaxSettings } from "./tax/TaxSettings.tsx";
import type { SettingsValues } from "./values.ts";

type Props = { record: RecordForm<SettingsValues> };

type DaysProps = Props & {
  name: "twoFactorGraceDays" | "graceDays" | "approvalDays";
  help?: string;
};

const unitOf = (value: number | string) => plural(Number(value), { one: "day", other: "days" });

const Days = ({ record, name, help }: DaysProps) => (
  <Field record={record} words={formLabels} name={name}>
    <ParsedNumberInput
      label={formLabels[name].label}
      {...(help && { description: help })}
      className="number-input"
      inputMode="numeric"
      rightSection={<span className="unit">{unitOf(record.form.values[name])}</span>}
      rightSectionWidth={52}
      data-path={name}
      error={record.form.errors[name]}
      value={record.form.values[name]}
      read={parseWhole}
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
    <SettingsSection id="company" help={t`The time zone applies to dates without a time.`}>
      <div className="form-pair">
        <Field record={record} words={formLabels} name="companyName">
          <TextInput
            label={formLabels.companyName.label}
            data-path="companyName"
            {...form.getInputProps("companyName")}
          />
        </Field>
        <Field record={record} words={formLabels} name="timeZone">
          <NativeSelect
            label={formLabels.timeZone.label}
            data-path="timeZone"
            {...form.getInputProps("timeZone")}
          >
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
          label={formLabels.currencies.label}
          description={t`Available for new prices. Existing prices don't change.`}
          data-path="currencies"
          {...(form.values.currencies.length === 0 && { placeholder: t`All currencies` })}
          data={[...currencies]}
          value={form.values.currencies}
          onChange={(chosen) => form.setFieldValue("currencies", chosen)}
          error={form.errors["currencies"]}
          searchable
          hidePickedOptions
          nothingFoundMessage={t`No matching currency. Enter its three-letter code.`}
        />
      </Field>
    </SettingsSection>
  );
};

const SignIn = ({ record }: Props) => {
  const { form } = record;
  return (
    <SettingsSection id="sign-in" help={t`How team members sign in.`}>
      <Field record={record} words={formLabels} name="twoFactorRoles">
        <CheckboxGroup
          legend={t`Require two-factor authentication for`}
          path="twoFactorRoles"
          options={roleNames}
          value={form.values.twoFactorRoles}
          onChange={(chosen) => form.setFieldValue("twoFactorRoles", chosen)}
        />
      </Field>
      <div className="form-pair">
        <Days
          record={record}
          name="twoFactorGraceDays"
          help={t`Team members have this long to set it up.`}
        />
      </div>
      <Field record={record} words={formLabels} name="passwordsAllowed">
        <Switch
          label={t`Allow password sign-in`}
          data-path="passwordsAllowed"
          checked={form.values.passwordsAllowed}
          onChange={({ currentTarget: { checked } }) =>
            form.setFieldValue("passwordsAllowed", checked)
          }
          error={form.errors["passwordsAllowed"]}
        />
      </Field>
      <SignInGroups record={record} />
    </SettingsSection>
  );
};

const hoursOf = (value: number | string) => plural(Number(value), { one: "hour", other: "hours" });

const WaitingHours = ({ record }: Props) => {
  const { form } = record;
  return (
    <Field record={record} words={formLabels} name="waitingHours">
      <ParsedNumberInput
        label={formLabels.waitingHours.label}
        description={t`Before a change that loosens a safeguard takes effect without another owner. 24 to 72.`}
        className="number-input"
        inputMode="numeric"
        rightSection={<span className="unit">{hoursOf(form.values.waitingHours)}</span>}
        rightSectionWidth={52}
        data-path="waitingHours"
        error={form.errors["waitingHours"]}
        value={form.values.waitingHours}
        read={parseWhole}
        show={String}
        onChange={(value) => {
          form.setFieldValue("waitingHours", value);
          form.clearFieldError("waitingHours");
        }}
      />
    </Field>
  );
};

const Approvals = ({ record }: Props) => {
  const { form } = record;
  return (
    <SettingsSection id="approvals" help={t`Actions that another team member must approve.`}>
      <Field record={record} words={formLabels} name="approvalRules">
        <CheckboxGroup
          legend={formLabels.approvalRules.label}
          path="approvalRules"
          stacked
          options={approvalRules}
          value={form.values.approvalRules}
          onChange={(chosen) => form.setFieldValue("approvalRules", chosen)}
        />
      </Field>
      <RefundLimits
        record={record}
        name="refundLimits"
        note={t`Refunds above these amounts require approval, and all refunds in other currencies.`}
      />
      <RefundLimits
        record={record}
        name="refundDailyLimits"
        note={t`For all refunds by a team member within 24 hours. The default is the refund limit.`}
      />
      <RefundLimits
        record={record}
        name="refundCustomerLimits"
        note={t`For all refunds to a customer within 30 days. The default is the refund limit.`}
      />
      <GrantLimits record={record} />
      <div className="form-pair">
        <Days record={record} name="approvalDays" />
        <WaitingHours record={record} />
      </div>
    </SettingsSection>
  );
};

/** The settings of the workspace. */
export const SettingsForm = ({ record }: Props) => (
  <>
    <Company record={record} />
    <SettingsSection id="subscriptions">
      <div className="form-pair">
        <Days
          record={record}
          name="graceDays"
          help={t`How long access continues after a missed renewal. Applies to future periods.`}
        />
      </div>
    </SettingsSection>
    <TaxSettings record={record} />
    <DocumentSettings record={record} />
    <AccountSettings record={record} />
    <SignIn record={record} />
    <Approvals record={record} />
    <RetentionSettings record={record} />
  </>
);
