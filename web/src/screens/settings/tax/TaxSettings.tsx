import { t } from "@lingui/core/macro";
import { MultiSelect } from "@mantine/core";
import { currencies } from "@purser/contract/fields/amounts";
import { Field } from "#ui/form/Field.tsx";
import type { RecordForm } from "#ui/form/useRecordForm.ts";
import { formLabels } from "../labels.ts";
import { SettingsSection } from "../SettingsSection.tsx";
import type { SettingsValues } from "../values.ts";

/** Whether prices include the tax, by currency. */
export const TaxSettings = ({ record }: { record: RecordForm<SettingsValues> }) => {
  const { form } = record;
  const { taxIncluded, currencies: used } = form.values;
  return (
    <SettingsSection id="tax" help={t`Tax rates are listed below.`}>
      <Field record={record} words={formLabels} name="taxIncluded">
        <MultiSelect
          label={formLabels.taxIncluded.label}
          description={t`In other currencies, tax is added to the price.`}
          data-path="taxIncluded"
          {...(taxIncluded.length === 0 && { placeholder: t`In no currency` })}
          data={[...new Set([...(used.length > 0 ? used : currencies), ...taxIncluded])]}
          value={taxIncluded}
          onChange={(chosen) => form.setFieldValue("taxIncluded", chosen)}
          error={form.errors["taxIncluded"]}
          searchable
          hidePickedOptions
          nothingFoundMessage={t`No matching currency. Enter its three-letter code.`}
        />
      </Field>
    </SettingsSection>
  );
};
