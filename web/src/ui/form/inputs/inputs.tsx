import { plural } from "@lingui/core/macro";
import { Textarea, TextInput } from "@mantine/core";
import { limitsOf } from "@purser/contract/fields/declarations";
import type { ChangeEvent, ReactNode } from "react";
import { parseWhole } from "#lib/parseNumber.ts";
import { Field, Optional, shownValue } from "../Field.tsx";
import { useFormContext, type Values } from "../formContext.ts";
import { ParsedNumberInput } from "./ParsedNumberInput.tsx";
import { ReadOnlyField } from "./ReadOnlyField.tsx";

/** A declared field of the surrounding form. */
const useField = (name: string) => {
  const { record, words, fields, locked } = useFormContext();
  const { write, form: hints = {} } = fields[name] ?? {};
  if (!write) throw new Error(`The field "${name}" isn't declared as one that can be written.`);
  const limits = limitsOf(write);
  const { label } = words[name] ?? { label: name };
  const input = record.form.getInputProps(name);
  return {
    record,
    words,
    hints,
    limits,
    label,
    input,
    value: record.form.values[name],
    set: (value: unknown) => record.form.setFieldValue(name, value),
    lockedBecause: locked[name],
    props: {
      label: limits.isOptional ? <Optional>{label}</Optional> : label,
      description: hints.help,
      placeholder: hints.placeholder,
      autoComplete: "off",
      "aria-required": !limits.isOptional,
    },
  };
};

const LockedField = ({ name, why }: { name: string; why: string }) => {
  const { record, words, label } = useField(name);
  return (
    <ReadOnlyField label={label} value={shownValue(words, name, record.stored.values)} why={why} />
  );
};

const tooLongText = (max: number) =>
  plural(max, { one: "Enter at most # character.", other: "Enter at most # characters." });

type TextProps = { name: string; help?: ReactNode };

/** A text input configured by the declaration. Text that is too long is an error, never cut off. */
const TextField = ({ name, help }: TextProps) => {
  const { record, words, hints, limits, input, value, set, lockedBecause, props } = useField(name);
  if (lockedBecause) return <LockedField name={name} why={lockedBecause} />;
  const text = typeof value === "string" ? value : "";
  const isTooLong = limits.max !== null && [...text.trim()].length > limits.max;
  const shared = {
    ...props,
    ...input,
    ...(help && { description: help }),
    value: text,
    error: input.error ?? (isTooLong && tooLongText(limits.max ?? 0)),
    onChange: ({ currentTarget }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      set(currentTarget.value === "" && limits.isNullable ? null : currentTarget.value),
  };
  return (
    <Field record={record} words={words} name={name}>
      {hints.lines ? (
        <Textarea {...shared} />
      ) : (
        <TextInput
          {...shared}
          type={hints.type ?? "text"}
          {...(hints.mono && { className: "mono-input", spellCheck: false })}
        />
      )}
    </Field>
  );
};

/** A whole-number input. Text that isn't a number is kept as typed. */
const NumberField = ({ name }: { name: string }) => {
  const { record, words, input, value, set, props } = useField(name);
  return (
    <Field record={record} words={words} name={name}>
      <ParsedNumberInput
        {...props}
        className="number-input"
        inputMode="numeric"
        data-path={name}
        error={input.error}
        onBlur={input.onBlur}
        value={typeof value === "number" || typeof value === "string" ? value : ""}
        read={parseWhole}
        show={String}
        onChange={set}
      />
    </Field>
  );
};

type NamesOf<V, Held> = { [Name in keyof V]: V[Name] extends Held ? Name : never }[keyof V] &
  string;

type Inputs<V> = {
  TextField: (props: { name: NamesOf<V, string | null>; help?: ReactNode }) => ReactNode;
  NumberField: (props: { name: NamesOf<V, number | string | null> }) => ReactNode;
};

/** Inputs that accept only the field names of this form. */
export const inputsOf = <V extends Values>(): Inputs<V> => ({ TextField, NumberField });
