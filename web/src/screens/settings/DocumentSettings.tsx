import { plural, t } from "@lingui/core/macro";
import { NativeSelect, Switch, Textarea, TextInput } from "@mantine/core";
import { countries } from "@purser/contract/fields/places";
import type { Seller } from "@purser/contract/workspace/settings";
import { useMemo } from "react";
import { byName, nameOf } from "#lib/intl.ts";
import { parseWhole } from "#lib/parseNumber.ts";
import { Field, Optional } from "#ui/form/Field.tsx";
import { ParsedNumberInput } from "#ui/form/inputs/ParsedNumberInput.tsx";
import type { RecordForm } from "#ui/form/useRecordForm.ts";
import { bankParts, formLabels, sellerParts } from "./labels.ts";
import { SettingsSection } from "./SettingsSection.tsx";
import type { SettingsValues } from "./values.ts";

type Props = { record: RecordForm<SettingsValues> };

const noBank: NonNullable<Seller["bank"]> = { name: null, iban: "", bic: null };

const useSeller = ({ form }: Props["record"]) => {
  const { seller } = form.values;
  const bank = seller.bank ?? noBank;
  const set = (changes: Partial<Seller>) => {
    form.setFieldValue("seller", { ...seller, ...changes });
    for (const path of Object.keys(form.errors))
      if (path.startsWith("seller.")) form.clearFieldError(path);
  };
  const setBank = (changes: Partial<typeof noBank>) => {
    const next = { ...bank, ...changes };
    const isEmpty = next.iban === "" && next.name === null && next.bic === null;
    set({ bank: isEmpty ? null : next });
  };
  return { seller, bank, set, setBank };
};

type PartProps = {
  label: string;
  path: string;
  error: unknown;
  value: string | null;
  isMono?: boolean;
  onChange: (value: string | null) => void;
};

const Part = ({ label, path, error, value, isMono = false, onChange }: PartProps) => (
  <TextInput
    label={<Optional>{label}</Optional>}
    {...(isMono && { className: "mono-input", spellCheck: false })}
    data-path={path}
    autoComplete="off"
    error={typeof error === "string" ? error : null}
    value={value ?? ""}
    onChange={({ currentTarget }) =>
      onChange(currentTarget.value === "" ? null : currentTarget.value)
    }
  />
);

const plainParts = ["postalCode", "city", "region"] as const;
const numberParts = ["vatNumber", "registrationNumber", "email"] as const;

const withoutSpaces = (typed: string | null) => typed?.toUpperCase().replace(/\s/g, "") ?? "";

const SellerFields = ({ record }: Props) => {
  const { errors } = record.form;
  const { seller, bank, set, setBank } = useSeller(record);
  const places = useMemo(
    () =>
      countries
        .map((value) => ({ value, label: nameOf("region", value) }))
        .sort((a, b) => byName(a.label, b.label)),
    [],
  );
  const lineError = Object.entries(errors).find(([path]) => path.startsWith("seller.lines"))?.[1];
  const partOf = (part: (typeof plainParts)[number] | (typeof numberParts)[number] | "name") => (
    <Part
      key={part}
      label={sellerParts[part]}
      path={`seller.${part}`}
      error={errors[`seller.${part}`]}
      value={seller[part]}
      isMono={part === "vatNumber" || part === "registrationNumber"}
      onChange={(value) => set({ [part]: value })}
    />
  );
  return (
    <Field record={record} words={formLabels} name="seller">
      <fieldset className="field-group">
        <legend className="field-label">{formLabels.seller.label}</legend>
        <div className="form-pair">
          {partOf("name")}
          <NativeSelect
            label={<Optional>{sellerParts.country}</Optional>}
            data-path="seller.country"
            data={[{ value: "", label: t`Unknown` }, ...places]}
            error={errors["seller.country"]}
            value={seller.country ?? ""}
            onChange={({ currentTarget: { value } }) =>
              set({ country: value === "" ? null : value })
            }
          />
        </div>
        <Textarea
          label={<Optional>{sellerParts.lines}</Optional>}
          description={t`Up to 3 lines.`}
          rows={2}
          data-path="seller.lines"
          error={lineError}
          value={seller.lines.join("\n")}
          onChange={({ currentTarget: { value } }) =>
            set({ lines: value === "" ? [] : value.split("\n") })
          }
          onBlur={() => set({ lines: seller.lines.filter((line) => line.trim() !== "") })}
        />
        <div className="form-pair">
          {plainParts.map(partOf)}
          {numberParts.map(partOf)}
          <Part
            label={bankParts.name}
            path="seller.bank.name"
            error={errors["seller.bank.name"]}
            value={bank.name}
            onChange={(name) => setBank({ name })}
          />
          <Part
            label={bankParts.iban}
            path="seller.bank.iban"
            error={errors["seller.bank.iban"]}
            value={bank.iban}
            isMono
            onChange={(iban) => setBank({ iban: withoutSpaces(iban) })}
          />
          <Part
            label={bankParts.bic}
            path="seller.bank.bic"
            error={errors["seller.bank.bic"]}
            value={bank.bic}
            isMono
            onChange={(bic) => setBank({ bic: bic === null ? null : withoutSpaces(bic) })}
          />
        </div>
      </fieldset>
    </Field>
  );
};

const yearsOf = (value: number | string) => plural(Number(value), { one: "year", other: "years" });

const Retention = ({ record }: Props) => {
  const name = "documentRetentionYears";
  const { form } = record;
  return (
    <Field record={record} words={formLabels} name={name}>
      <ParsedNumberInput
        label={formLabels[name].label}
        description={t`Personal data is removed from documents after that.`}
        className="number-input"
        inputMode="numeric"
        rightSection={<span className="unit">{yearsOf(form.values[name])}</span>}
        rightSectionWidth={52}
        data-path={name}
        error={form.errors[name]}
        value={form.values[name]}
        read={parseWhole}
        show={String}
        onChange={(value) => {
          form.setFieldValue(name, value);
          form.clearFieldError(name);
        }}
      />
    </Field>
  );
};

/** The seller and the numbers of invoices and credit notes. */
export const DocumentSettings = ({ record }: Props) => {
  const { form } = record;
  return (
    <SettingsSection id="documents" help={t`Printed on invoices and credit notes.`}>
      <SellerFields record={record} />
      <div className="form-pair">
        {(["invoicePrefix", "creditNotePrefix"] as const).map((name) => (
          <Field key={name} record={record} words={formLabels} name={name}>
            <TextInput
              className="mono-input"
              label={formLabels[name].label}
              data-path={name}
              spellCheck={false}
              {...form.getInputProps(name)}
            />
          </Field>
        ))}
        <Retention record={record} />
      </div>
      <Field record={record} words={formLabels} name="sendDocuments">
        <Switch
          label={formLabels.sendDocuments.label}
          data-path="sendDocuments"
          checked={form.values.sendDocuments}
          onChange={({ currentTarget: { checked } }) =>
            form.setFieldValue("sendDocuments", checked)
          }
        />
      </Field>
    </SettingsSection>
  );
};
