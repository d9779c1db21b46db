import { t } from "@lingui/core/macro";
import "#ui/styles/choiceSheets.ts";
import "#ui/form/inputs/MultiSelect.css";
import { MultiSelect, NativeSelect, Textarea } from "@mantine/core";
import { intervals } from "@purser/contract/packages/prices";
import { audiences } from "@purser/contract/promotions/fields";
import { Field, FormSection } from "#ui/form/Field.tsx";
import { RelationMultiSelect, useNamesOf } from "#ui/form/inputs/RelationMultiSelect.tsx";
import { audienceLabels, intervalLabels } from "../labels.ts";
import { usablePackage } from "../queries.ts";
import { FrozenField, type PartProps } from "./fields.tsx";

/** Package names by id, as far as they are loaded. */
export const usePackageNames = (ids: string[]) => useNamesOf(usablePackage, ids);

const Packages = (props: PartProps) => {
  const { record, words, promotion } = props;
  const { form } = record;
  if (promotion?.isLocked) return <FrozenField {...props} name="packageIds" />;
  return (
    <Field record={record} words={words} name="packageIds">
      <RelationMultiSelect
        relation={usablePackage}
        label={words.packageIds.label}
        path="packageIds"
        placeholder={t`All packages`}
        value={form.values.packageIds}
        onChange={(ids) => form.setFieldValue("packageIds", ids)}
        error={form.errors["packageIds"]}
      />
    </Field>
  );
};

const Intervals = (props: PartProps) => {
  const { record, words, promotion } = props;
  const { form } = record;
  const given = form.values.intervals;
  if (promotion?.isLocked) return <FrozenField {...props} name="intervals" />;
  return (
    <Field record={record} words={words} name="intervals">
      <MultiSelect
        label={words.intervals.label}
        data-path="intervals"
        {...(given.length === 0 && { placeholder: t`Any` })}
        data={intervals.map((value) => ({ value, label: intervalLabels[value] }))}
        value={given}
        onChange={(chosen) =>
          form.setFieldValue(
            "intervals",
            intervals.filter((one) => chosen.includes(one)),
          )
        }
        error={form.errors["intervals"]}
      />
    </Field>
  );
};

const Audience = (props: PartProps) => {
  const { record, words, promotion } = props;
  const { form } = record;
  if (promotion?.isLocked) return <FrozenField {...props} name="audience" />;
  return (
    <Field record={record} words={words} name="audience" along={["customers"]}>
      <NativeSelect
        label={words.audience.label}
        data-path="audience"
        value={form.values.audience}
        data={audiences.map((value) => ({ value, label: audienceLabels[value] }))}
        onChange={({ currentTarget: { value } }) => {
          form.setFieldValue("audience", audiences.find((one) => one === value) ?? "anyone");
          form.clearFieldError("customers");
        }}
      />
    </Field>
  );
};

const ListedCustomers = ({ record, words, promotion }: PartProps) => {
  const { form } = record;
  return (
    <Field record={record} words={words} name="customers">
      <Textarea
        label={words.customers.label}
        description={
          promotion?.isLocked
            ? t`Already used, so customers can be added but not removed.`
            : t`One email address per line. They must be customers already.`
        }
        data-path="customers"
        autoComplete="off"
        spellCheck={false}
        value={form.values.customers.join("\n")}
        error={form.errors["customers"]}
        onChange={({ currentTarget: { value } }) => {
          form.setFieldValue("customers", value === "" ? [] : value.split("\n"));
          form.clearFieldError("customers");
        }}
      />
    </Field>
  );
};

/** The packages, intervals and buyers that the promotion applies to. */
export const Targets = (props: PartProps) => (
  <FormSection title={t`Applies to`}>
    <Packages {...props} />
    <div className="form-pair">
      <Intervals {...props} />
      <Audience {...props} />
    </div>
    {props.record.form.values.audience === "listed" && <ListedCustomers {...props} />}
  </FormSection>
);
