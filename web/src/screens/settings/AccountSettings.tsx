import { t } from "@lingui/core/macro";
import { TextInput } from "@mantine/core";
import { accountKinds } from "@purser/contract/workspace/settings";
import { Field, Optional } from "#ui/form/Field.tsx";
import type { RecordForm } from "#ui/form/useRecordForm.ts";
import { accountNames, formLabels } from "./labels.ts";
import { SettingsSection } from "./SettingsSection.tsx";
import type { SettingsValues } from "./values.ts";

/** The codes of the accounting software. */
export const AccountSettings = ({ record }: { record: RecordForm<SettingsValues> }) => {
  const { form } = record;
  const { accountCodes } = form.values;
  const set = (kind: (typeof accountKinds)[number], code: string) => {
    const { [kind]: _, ...others } = accountCodes;
    form.setFieldValue("accountCodes", code === "" ? others : { ...others, [kind]: code });
    form.clearFieldError(`accountCodes.${kind}`);
  };
  return (
    <SettingsSection id="accounts" help={t`Codes of your accounting software, for exports.`}>
      <Field record={record} words={formLabels} name="accountCodes">
        <div className="form-pair">
          {accountKinds.map((kind) => (
            <TextInput
              key={kind}
              className="mono-input"
              label={<Optional>{accountNames[kind]}</Optional>}
              data-path={`accountCodes.${kind}`}
              autoComplete="off"
              spellCheck={false}
              error={form.errors[`accountCodes.${kind}`]}
              value={accountCodes[kind] ?? ""}
              onChange={({ currentTarget: { value } }) => set(kind, value)}
            />
          ))}
        </div>
      </Field>
    </SettingsSection>
  );
};
