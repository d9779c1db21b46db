import { t } from "@lingui/core/macro";
import { Textarea, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { Field, FormSection, Optional } from "#ui/form/Field.tsx";
import { inputsOf } from "#ui/form/inputs/inputs.tsx";
import { formLabels, type UserRecordForm, type UserValues } from "./values.ts";

const { TextField } = inputsOf<UserValues>();

type Address = NonNullable<UserValues["address"]>;

const noAddress: Address = { lines: [], postalCode: null, city: null };

const isEmpty = ({ lines, postalCode, city }: Address) =>
  lines.every((line) => line === "") && postalCode === null && city === null;

/** Street, postal code and city. An address without any of them is none. */
const AddressFields = ({ record }: { record: UserRecordForm }) => {
  const { form } = record;
  const address = form.values.address ?? noAddress;
  const set = (changes: Partial<Address>) => {
    const next: Address = { ...address, ...changes };
    form.setFieldValue("address", isEmpty(next) ? null : next);
    for (const path of Object.keys(form.errors))
      if (path.startsWith("address")) form.clearFieldError(path);
  };
  const lineError = Object.entries(form.errors).find(([path]) => path.startsWith("address.lines"));
  return (
    <Field record={record} words={formLabels} name="address">
      <Textarea
        label={<Optional>{t`Street address`}</Optional>}
        description={t`Up to 3 lines.`}
        rows={2}
        data-path="address"
        error={lineError?.[1] ?? form.errors["address"]}
        value={address.lines.join("\n")}
        onChange={({ currentTarget: { value } }) =>
          set({ lines: value === "" ? [] : value.split("\n") })
        }
        onBlur={() => set({ lines: address.lines.filter((line) => line.trim() !== "") })}
      />
      <div className="form-pair address-pair">
        {(["postalCode", "city"] as const).map((part) => (
          <TextInput
            key={part}
            label={<Optional>{formLabels.address.part?.([part]) ?? ""}</Optional>}
            data-path={`address.${part}`}
            error={form.errors[`address.${part}`]}
            autoComplete="off"
            value={address[part] ?? ""}
            onChange={({ currentTarget: { value } }) =>
              set({ [part]: value === "" ? null : value })
            }
          />
        ))}
      </div>
    </Field>
  );
};

type Props = { record: UserRecordForm; country: ReactNode };

/** The buyer on invoices, and what the tax depends on. */
export const BillingFields = ({ record, country }: Props) => (
  <FormSection title={t`Billing details`} help={t`Printed on invoices. Country decides the tax.`}>
    <div className="form-pair">
      <TextField name="company" />
      <TextField name="vatNumber" />
    </div>
    <AddressFields record={record} />
    <div className="form-pair">
      {country}
      <TextField name="region" />
    </div>
  </FormSection>
);
