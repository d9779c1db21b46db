import "#ui/styles/choiceSheets.ts";
import "../packages.css";
import { Autocomplete } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
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
  <>
    A version was published under this code, so it stays.{" "}
    <Link to="/package/create" search={{ from: stored.id }} className="sentence-link">
      Duplicate the package
    </Link>{" "}
    to use another.
  </>
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
        description="Packages of one group exclude each other."
        data={known}
        {...form.getInputProps("group")}
        value={form.values.group ?? ""}
        onChange={(group) => form.setFieldValue("group", group === "" ? null : group)}
      />
    </Field>
  );
};

const Selling = ({ record }: Pick<Props, "record">) => {
  const { form } = record;
  const isBase = form.values.kind === "base";
  return (
    <FormSection title="Selling" help="Who can have it, and beside what.">
      <Field record={record} words={formLabels} name="kind" along={["group"]}>
        <RadioCards
          legend={formLabels.kind.label}
          path="kind"
          cards={kindLabels}
          value={form.values.kind}
          onChange={(kind) => form.setValues({ kind, ...(kind === "add-on" && { group: null }) })}
        />
      </Field>
      <div className="form-pair">
        {isBase && <Group record={record} />}
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
  const draft = "Prices and trial belong to the draft.";
  const sold = stored?.onSale ?? stored?.scheduled;
  if (!sold) return `${draft} Nothing is sold before you publish it.`;
  const state = sold.state === "on sale" ? "stays on sale" : "stays scheduled";
  return `${draft} Version ${sold.number} ${state} with its own until you publish.`;
};

/** The fields of a package, for creating and editing. */
export const PackageForm = ({ record, stored }: Props) => (
  <>
    <FormSection title="Name" help="How people see the package, here and on receipts.">
      <NameAndCode
        record={record}
        words={formLabels}
        own={stored}
        frozen={stored?.codeFrozen && frozenCode(stored)}
        help="What other programs call it. It stays once a version is published."
        scope={codeScope}
      />
      <TextField name="description" />
    </FormSection>
    <Selling record={record} />
    <FormSection title="Prices" help={termsHelp(stored)}>
      <PriceRows record={record} />
      <div className="form-pair">
        <NumberField name="trialDays" />
      </div>
    </FormSection>
  </>
);
