import "#ui/styles/choiceSheets.ts";
import "../packages.css";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { Autocomplete, MultiSelect, NativeSelect } from "@mantine/core";
import { taxCategories } from "@purser/contract/money/taxRates";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { taxCategoryNames } from "#lib/labels/packages.ts";
import { Field, FormSection, Optional } from "#ui/form/Field.tsx";
import { inputsOf } from "#ui/form/inputs/inputs.tsx";
import { type CodeScope, NameAndCode } from "#ui/form/inputs/NameAndCode.tsx";
import { RadioCards } from "#ui/form/inputs/RadioCards.tsx";
import type { RecordForm } from "#ui/form/useRecordForm.ts";
import { kindLabels, visibilityLabels } from "../labels.ts";
import { basesQuery, type Package, readPackages } from "../queries.ts";
import { PriceRows } from "./PriceRows.tsx";
import { formLabels, type PackageValues } from "./values.ts";

type Props = {
  record: RecordForm<PackageValues>;
  /** The stored package; absent while creating one. */
  stored: Package | null;
};

const { TextField, NumberField } = inputsOf<PackageValues>();

const frozenCode = (stored: Package) => (
  <Trans>
    This code is in use and can't be changed.{" "}
    <Link to="/package/create" search={{ from: stored.id }} className="sentence-link">
      Duplicate the package
    </Link>{" "}
    to use another one.
  </Trans>
);

const codeScope: CodeScope = {
  queryKey: ["packages"],
  find: (code, signal) =>
    readPackages({ f: [`code:is:${code}`], size: "1", count: "none" }, signal),
};

const Group = ({ record }: Pick<Props, "record">) => {
  const { form } = record;
  const { data: bases = [] } = useQuery(basesQuery);
  const known = [...new Set(bases.flatMap(({ group }) => group ?? []))].sort();
  return (
    <Field record={record} words={formLabels} name="group">
      <Autocomplete
        label={<Optional>{formLabels.group.label}</Optional>}
        className="mono-input"
        description={t`Customers can have one package per group.`}
        data={known}
        {...form.getInputProps("group")}
        value={form.values.group ?? ""}
        onChange={(group) => form.setFieldValue("group", group === "" ? null : group)}
      />
    </Field>
  );
};

/** Groups of the base packages that an add-on needs. */
const BaseGroups = ({ record }: Pick<Props, "record">) => {
  const { form } = record;
  const { data: bases = [] } = useQuery(basesQuery);
  const { baseGroups } = form.values;
  const known = [...new Set([...bases.flatMap(({ group }) => group ?? []), ...baseGroups])].sort();
  return (
    <Field record={record} words={formLabels} name="baseGroups">
      <MultiSelect
        label={<Optional>{formLabels.baseGroups.label}</Optional>}
        description={t`Customers need a package of one of these groups.`}
        data-path="baseGroups"
        {...(baseGroups.length === 0 && { placeholder: t`Any group` })}
        data={known}
        value={baseGroups}
        onChange={(chosen) => form.setFieldValue("baseGroups", chosen)}
        error={form.errors["baseGroups"]}
        searchable
        hidePickedOptions
        nothingFoundMessage={t`No matching group.`}
      />
    </Field>
  );
};

const TaxCategorySelect = ({ record }: Pick<Props, "record">) => {
  const { form } = record;
  return (
    <Field record={record} words={formLabels} name="taxCategory">
      <NativeSelect
        label={formLabels.taxCategory.label}
        data={taxCategories.map((value) => ({ value, label: taxCategoryNames[value] }))}
        {...form.getInputProps("taxCategory")}
      />
    </Field>
  );
};

const Selling = ({ record }: Pick<Props, "record">) => {
  const { form } = record;
  const isBase = form.values.kind === "base";
  return (
    <FormSection title={t`Type and visibility`}>
      <Field record={record} words={formLabels} name="kind" along={["group", "baseGroups"]}>
        <RadioCards
          legend={formLabels.kind.label}
          path="kind"
          cards={kindLabels}
          value={form.values.kind}
          onChange={(kind) =>
            form.setValues({ kind, ...(kind === "add-on" ? { group: null } : { baseGroups: [] }) })
          }
        />
      </Field>
      <div className="form-pair">
        {isBase ? <Group record={record} /> : <BaseGroups record={record} />}
        <NumberField name="sort" />
      </div>
      <Field record={record} words={formLabels} name="visibility">
        <RadioCards
          legend={formLabels.visibility.label}
          path="visibility"
          cards={visibilityLabels}
          value={form.values.visibility}
          onChange={(visibility) => form.setFieldValue("visibility", visibility)}
        />
      </Field>
    </FormSection>
  );
};

/** Says which version the prices belong to when another one is on sale. */
const termsHelp = (stored: Package | null) => {
  const sold = stored?.onSale ?? stored?.scheduled;
  if (!sold) return t`Saved in the draft. Nothing is sold until you publish it.`;
  const { number } = sold;
  return t`Saved in the draft. Version ${number} keeps its prices until you publish.`;
};

/** The fields of a package, for creating and editing. */
export const PackageForm = ({ record, stored }: Props) => (
  <>
    <FormSection title={t`Details`} help={t`Shown to customers, also on receipts.`}>
      <NameAndCode
        record={record}
        words={formLabels}
        own={stored}
        frozen={stored?.codeFrozen && frozenCode(stored)}
        help={t`Identifies the package in the API. Locked once a version is published.`}
        scope={codeScope}
      />
      <TextField name="description" />
    </FormSection>
    <Selling record={record} />
    <FormSection title={t`Pricing`} help={termsHelp(stored)}>
      <PriceRows record={record} />
      <div className="form-pair">
        <NumberField name="trialDays" />
        <TaxCategorySelect record={record} />
      </div>
    </FormSection>
  </>
);
