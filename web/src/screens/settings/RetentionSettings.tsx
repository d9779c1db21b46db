import { plural, t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Switch } from "@mantine/core";
import { parseWhole } from "#lib/parseNumber.ts";
import { Field } from "#ui/form/Field.tsx";
import { ParsedNumberInput } from "#ui/form/inputs/ParsedNumberInput.tsx";
import type { RecordForm } from "#ui/form/useRecordForm.ts";
import { formLabels, keptKinds, keptNames } from "./labels.ts";
import { SettingsSection } from "./SettingsSection.tsx";
import type { KeptDays, SettingsValues } from "./values.ts";

type Props = { record: RecordForm<SettingsValues> };

const unitOf = (value: number | string) => plural(Number(value), { one: "day", other: "days" });

/** Only where the label doesn't say it. */
const helpOf: Partial<Record<KeptDays, string>> = {
  signInDays: t`At least 90. A shorter time loosens a safeguard.`,
  webhookDeliveryDays: t`Removed by whole months.`,
  webhookEventDays: t`Removed by whole months, and after their deliveries.`,
  providerEventDays: t`At least 90, or empty to keep them forever.`,
  usageEventDays: t`At least 90, or empty to keep them forever. Usage by day is always kept.`,
};

/** Empty keeps them forever. */
const optional: readonly KeptDays[] = ["providerEventDays", "usageEventDays"];

const Kept = ({ record: { form }, kind }: Props & { kind: KeptDays }) => {
  const { retention } = form.values;
  const value = retention[kind] ?? "";
  const help = helpOf[kind];
  const isOptional = optional.includes(kind);
  return (
    <ParsedNumberInput
      label={keptNames[kind]}
      {...(help && { description: help })}
      className="number-input"
      inputMode="numeric"
      {...(isOptional && { placeholder: t`Forever` })}
      rightSection={value === "" ? null : <span className="unit">{unitOf(value)}</span>}
      rightSectionWidth={52}
      data-path={`retention.${kind}`}
      error={form.errors[`retention.${kind}`]}
      value={value}
      read={parseWhole}
      show={String}
      onChange={(typed) => {
        const kept = isOptional && typed === "" ? null : typed;
        form.setFieldValue("retention", { ...retention, [kind]: kept } as typeof retention);
        form.clearFieldError(`retention.${kind}`);
      }}
    />
  );
};

/** How long rows are kept that would otherwise only grow. */
export const RetentionSettings = ({ record }: Props) => {
  const { form } = record;
  const { retention } = form.values;
  return (
    <SettingsSection id="retention" help={t`Older rows are removed every night.`}>
      <Field record={record} words={formLabels} name="retention">
        <div className="form-pair">
          {keptKinds.map((kind) => (
            <Kept key={kind} record={record} kind={kind} />
          ))}
        </div>
        <Switch
          label={t`Archive months first`}
          description={t`Months of the audit log, webhooks and usage are kept until they are written to a file.`}
          data-path="retention.archiveMonths"
          checked={retention.archiveMonths}
          onChange={({ currentTarget: { checked } }) =>
            form.setFieldValue("retention", { ...retention, archiveMonths: checked })
          }
        />
        <p className="field-note">
          <span>
            <Trans>
              The audit log is kept forever, or as long as <code>purser audit keep</code> says.{" "}
              <code>purser archive</code> writes months to files.
            </Trans>
          </span>
        </p>
      </Field>
    </SettingsSection>
  );
};
