import { NativeSelect, Textarea } from "@mantine/core";
import { countries, locales } from "@purser/contract/fields/places";
import { useMemo } from "react";
import { utcOffset } from "#lib/time/dates.ts";
import { Field, FormSection, Optional } from "#ui/form/Field.tsx";
import { inputsOf } from "#ui/form/inputs/inputs.tsx";
import { countryOf, languageOf } from "../labels.ts";
import { formLabels, type UserRecordForm, type UserValues } from "./values.ts";

const { TextField } = inputsOf<UserValues>();

type Choice = { value: string; label: string };

const byLabel = (a: Choice, b: Choice) => a.label.localeCompare(b.label);

const useChoices = () =>
  useMemo(() => {
    const now = new Date();
    return {
      country: countries.map((value) => ({ value, label: countryOf(value) })).sort(byLabel),
      locale: locales.map((value) => ({ value, label: languageOf(value) })).sort(byLabel),
      timeZone: Intl.supportedValuesOf("timeZone").map((value) => ({
        value,
        label: `${value.replaceAll("_", " ")} (${utcOffset(value, now)})`,
      })),
    };
  }, []);

type OneProps = {
  record: UserRecordForm;
  name: "country" | "locale" | "timeZone";
  choices: Choice[];
};

/** A searchable choice that can be empty. */
const OneOf = ({ record, name, choices }: OneProps) => {
  const { form } = record;
  return (
    <Field record={record} words={formLabels} name={name}>
      <NativeSelect
        label={<Optional>{formLabels[name].label}</Optional>}
        {...form.getInputProps(name)}
        value={form.values[name] ?? ""}
        onChange={({ currentTarget: { value } }) =>
          form.setFieldValue(name, value === "" ? null : value)
        }
        data={[{ value: "", label: "Not known" }, ...choices]}
      />
    </Field>
  );
};

/** Name and email address, for customers and team members. */
export const WhoFields = () => (
  <div className="form-pair">
    <TextField name="name" />
    <TextField name="email" />
  </div>
);

/** The fields of a customer, for creating and editing. */
export const CustomerFields = ({ record }: { record: UserRecordForm }) => {
  const choices = useChoices();
  return (
    <>
      <FormSection title="In your apps" help="How the sold apps find the same person.">
        <div className="form-pair">
          <TextField name="externalId" />
        </div>
      </FormSection>
      <FormSection title="Place and language" help="For mails, receipts and the time of day.">
        <div className="form-pair">
          <OneOf record={record} name="country" choices={choices.country} />
          <OneOf record={record} name="locale" choices={choices.locale} />
          <OneOf record={record} name="timeZone" choices={choices.timeZone} />
        </div>
      </FormSection>
    </>
  );
};

export const NoteField = ({ record }: { record: UserRecordForm }) => (
  <FormSection title="Note" help="Everybody in the office can read it. It is never rewritten.">
    <Field record={record} words={formLabels} name="note">
      <Textarea
        label={<Optional>First note</Optional>}
        rows={3}
        {...record.form.getInputProps("note")}
      />
    </Field>
  </FormSection>
);
