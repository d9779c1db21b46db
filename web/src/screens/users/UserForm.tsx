import { NativeSelect, Textarea, TextInput } from "@mantine/core";
import { countries, locales } from "@purser/contract/places";
import { useMemo } from "react";
import { offsetOf } from "#lib/zones.ts";
import { Field, FormSection, Optional } from "#ui/form/Field.tsx";
import { Locked } from "#ui/form/Locked.tsx";
import type { User } from "./queries.ts";
import { formWords, type PersonForm } from "./values.ts";
import { countryOf, languageOf } from "./words.ts";

type Props = {
  record: PersonForm;
  /** The person as they are stored; a new one is not yet. */
  user: User | null;
};

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
        label: `${value.replaceAll("_", " ")} (${offsetOf(value, now)})`,
      })),
    };
  }, []);

type OneProps = {
  record: PersonForm;
  name: "country" | "locale" | "timeZone";
  choices: Choice[];
};

/** One of many, or not known. */
const OneOf = ({ record, name, choices }: OneProps) => {
  const { form } = record;
  return (
    <Field record={record} words={formWords} name={name}>
      <NativeSelect
        label={<Optional>{formWords[name].label}</Optional>}
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

const ExternalId = ({ record, user }: Props) => {
  const { form } = record;
  if (user?.externalId)
    return (
      <Locked
        label="External id"
        value={user.externalId}
        why="The sold apps know this person by it, so it stays."
      />
    );
  return (
    <Field record={record} words={formWords} name="externalId">
      <TextInput
        className="mono-input"
        label={<Optional>External id</Optional>}
        description="What your apps call this person. Once it is set it stays."
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps("externalId")}
        value={form.values.externalId ?? ""}
        onChange={({ currentTarget: { value } }) =>
          form.setFieldValue("externalId", value === "" ? null : value)
        }
      />
    </Field>
  );
};

/** Name and address, of whoever it is. */
export const WhoFields = ({ record }: Pick<Props, "record">) => {
  const { form } = record;
  return (
    <div className="form-pair">
      <Field record={record} words={formWords} name="name">
        <TextInput label="Name" autoComplete="off" {...form.getInputProps("name")} />
      </Field>
      <Field record={record} words={formWords} name="email">
        <TextInput
          label="E-mail"
          type="email"
          autoComplete="off"
          {...form.getInputProps("email")}
        />
      </Field>
    </div>
  );
};

/** What is known of a customer, for a new one and for one that is changed. */
export const CustomerFields = ({ record, user }: Props) => {
  const choices = useChoices();
  return (
    <>
      <FormSection title="In your apps" help="How the sold apps find the same person.">
        <div className="form-pair">
          <ExternalId record={record} user={user} />
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

export const NoteField = ({ record }: { record: PersonForm }) => (
  <FormSection title="Note" help="Everybody in the office can read it. It is never rewritten.">
    <Field record={record} words={formWords} name="note">
      <Textarea
        label={<Optional>First note</Optional>}
        rows={3}
        {...record.form.getInputProps("note")}
      />
    </Field>
  </FormSection>
);
