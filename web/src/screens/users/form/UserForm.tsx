import { t } from "@lingui/core/macro";
import { NativeSelect, Textarea } from "@mantine/core";
import { countries, locales } from "@purser/contract/fields/places";
import { useMemo } from "react";
import { byName } from "#lib/intl.ts";
import { currentTime } from "#lib/time/currentTime.ts";
import { utcOffset } from "#lib/time/localTime.ts";
import { Field, FormSection, Optional } from "#ui/form/Field.tsx";
import { inputsOf } from "#ui/form/inputs/inputs.tsx";
import { countryOf, languageOf } from "../labels.ts";
import { BillingFields } from "./BillingFields.tsx";
import { formLabels, type UserRecordForm, type UserValues } from "./values.ts";

const { TextField } = inputsOf<UserValues>();

type Choice = { value: string; label: string };

const byLabel = (a: Choice, b: Choice) => byName(a.label, b.label);

const useChoices = () =>
  useMemo(() => {
    const now = currentTime();
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
        data={[{ value: "", label: t`Unknown` }, ...choices]}
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
      <FormSection title={t`In your apps`} help={t`How your apps identify this customer.`}>
        <div className="form-pair">
          <TextField name="externalId" />
        </div>
      </FormSection>
      <BillingFields
        record={record}
        country={<OneOf record={record} name="country" choices={choices.country} />}
      />
      <FormSection title={t`Language and time zone`} help={t`Used for emails and documents.`}>
        <div className="form-pair">
          <OneOf record={record} name="locale" choices={choices.locale} />
          <OneOf record={record} name="timeZone" choices={choices.timeZone} />
        </div>
      </FormSection>
    </>
  );
};

export const NoteField = ({ record }: { record: UserRecordForm }) => (
  <FormSection
    title={t`Note`}
    help={t`Visible to your team. Notes can't be edited, only crossed out.`}
  >
    <Field record={record} words={formLabels} name="note">
      <Textarea
        label={<Optional>{t`First note`}</Optional>}
        rows={3}
        {...record.form.getInputProps("note")}
      />
    </Field>
  </FormSection>
);
