import { t } from "@lingui/core/macro";
import "#ui/styles/switchSheets.ts";
import { Switch } from "@mantine/core";
import type { FieldDeclarations } from "@purser/contract/fields/declarations";
import { promotionFields } from "@purser/contract/promotions/fields";
import type { ReactNode } from "react";
import { parseWhole } from "#lib/parseNumber.ts";
import { Field, type FormLabels, Optional, shownValue } from "#ui/form/Field.tsx";
import { ParsedNumberInput } from "#ui/form/inputs/ParsedNumberInput.tsx";
import { ReadOnlyField } from "#ui/form/inputs/ReadOnlyField.tsx";
import type { RecordForm } from "#ui/form/useRecordForm.ts";
import type { Promotion } from "../queries.ts";
import type { MaybeTyped, PromotionValues } from "./values.ts";

export type PartProps = {
  record: RecordForm<PromotionValues>;
  words: FormLabels<PromotionValues>;
  /** The stored promotion; absent while creating one. */
  promotion: Promotion | null;
};

type Name = keyof PromotionValues & string;
type Typable = {
  [Key in Name]: PromotionValues[Key] extends MaybeTyped ? Key : never;
}[Name];
type Switchable = {
  [Key in Name]: PromotionValues[Key] extends boolean ? Key : never;
}[Name];

export const lockedText = t`Already used, so this can't be changed.`;

/** A field that is frozen since the first redemption. */
export const FrozenField = ({ record, words, name }: PartProps & { name: Name }) => (
  <ReadOnlyField
    label={words[name].label}
    value={shownValue(words, name, record.stored.values)}
    why={lockedText}
  />
);

const helpOf = (name: Name) => {
  const declared: FieldDeclarations = promotionFields;
  const help = declared[name]?.form?.help;
  return help;
};

type NumberProps = PartProps & {
  name: Exclude<Typable, "code" | "name" | "featureId" | "startsAt" | "endsAt">;
  help?: ReactNode;
  unit?: string;
  isOptional?: boolean;
  read?: (typed: string) => number | null;
  show?: (value: number) => string;
};

/** An optional number; empty means none. */
export const NumberField = (props: NumberProps) => {
  const { record, words, name, unit, isOptional, read = parseWhole, show = String } = props;
  const { help = helpOf(name) } = props;
  const { form } = record;
  const { error, onBlur } = form.getInputProps(name);
  const { label } = words[name];
  return (
    <Field record={record} words={words} name={name}>
      <ParsedNumberInput
        label={isOptional ? <Optional>{label}</Optional> : label}
        description={help}
        className="number-input"
        inputMode="decimal"
        data-path={name}
        error={error}
        onBlur={onBlur}
        {...(unit && {
          rightSection: <span className="unit">{unit}</span>,
          rightSectionWidth: `calc(${unit.length}ch + 20px)`,
        })}
        value={form.values[name] ?? ""}
        read={read}
        show={show}
        onChange={(value) => {
          form.setFieldValue(name, (value === "" && name !== "priority" ? null : value) as never);
          form.clearFieldError(name);
        }}
      />
    </Field>
  );
};

export const SwitchField = ({ record, words, name }: PartProps & { name: Switchable }) => (
  <Field record={record} words={words} name={name}>
    <Switch
      label={words[name].label}
      description={helpOf(name)}
      data-path={name}
      checked={record.form.values[name]}
      onChange={({ currentTarget }) =>
        record.form.setFieldValue(name, currentTarget.checked as never)
      }
    />
  </Field>
);
