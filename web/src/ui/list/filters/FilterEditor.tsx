import { Button, NativeSelect, TextInput } from "@mantine/core";
import type { Field, Fields } from "@purser/contract/http/list";
import { type SubmitEvent, useState } from "react";
import { capitalize } from "#lib/labels.ts";
import { focusFirst } from "#ui/page/focus.ts";
import type { Relation } from "#ui/record/relation.ts";
import { AmountInputs, readAmounts } from "./AmountInputs.tsx";
import { currencyAmong, type FieldLabels, filterOf, operatorsOf, partsOf } from "./filterLabels.ts";
import { RelationChoices } from "./RelationChoices.tsx";

export type FilterContext<F extends Fields> = {
  fields: F;
  words: FieldLabels<F>;
  filters: string[];
};

const periods = ["day", "week", "month", "year"] as const;

type ValueProps = {
  field: Field;
  operator: string;
  value: string;
  options: Record<string, string>;
  relation: Relation | undefined;
};

const Choices = ({ field, value, options }: Omit<ValueProps, "operator" | "relation">) => {
  const names = "options" in field ? field.options : [];
  const chosen = value.split(",");
  return (
    <fieldset className="filter-choices">
      <legend className="unseen">Values</legend>
      {names.map((name) => (
        <label key={name}>
          <input
            type="checkbox"
            className="box"
            name="value"
            value={name}
            defaultChecked={chosen.includes(name)}
          />
          {options[name] ?? capitalize(name)}
        </label>
      ))}
    </fieldset>
  );
};

const Value = ({ field, operator, value, options, relation }: ValueProps) => {
  if (operator === "empty") return null;
  if (relation) return <RelationChoices relation={relation} value={value} />;
  if (field.kind === "choice" || field.kind === "set")
    return <Choices field={field} value={value} options={options} />;
  if (field.kind === "boolean")
    return (
      <NativeSelect aria-label="Value" name="value" defaultValue={value} data={["true", "false"]} />
    );
  if (field.kind === "instant" && operator === "this")
    return (
      <NativeSelect aria-label="Value" name="value" defaultValue={value} data={[...periods]} />
    );
  const isDay = field.kind === "instant" && operator !== "last";
  const type = isDay ? "date" : field.kind === "text" ? "text" : "number";
  const [from = "", to = ""] = value.split(",");
  const single = (
    <TextInput
      aria-label="Value"
      name="value"
      type={type}
      required
      defaultValue={operator === "between" ? from : value}
      {...(operator === "last" && { min: 1, max: 9999, rightSection: <span>days</span> })}
    />
  );
  if (operator !== "between") return single;
  return (
    <>
      {single}
      <TextInput aria-label="Up to" name="value" type={type} required defaultValue={to} />
    </>
  );
};

type EditorProps<F extends Fields> = FilterContext<F> & {
  name: keyof F & string;
  filter: string | null;
  /** Filters to set together with this one. They replace filters of the same field. */
  onApply: (filter: string, beside?: string) => void;
};

export const FilterEditor = <F extends Fields>(props: EditorProps<F>) => {
  const { fields, words, filters, name, filter, onApply } = props;
  const { amounts, options = {}, relation } = words[name];
  const field = fields[name] as Field;
  const known = operatorsOf(field.kind);
  const given = filter ? partsOf(filter) : null;
  const [operator, setOperator] = useState(given?.operator ?? Object.keys(known)[0] ?? "");
  const [wrong, setWrong] = useState<(string | null)[]>([]);
  const value = given?.value ?? "";
  const apply = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    if (amounts) {
      const read = readAmounts(amounts, data);
      setWrong(read.wrong);
      if (read.wrong.every((one) => one === null))
        onApply(filterOf({ field: name, operator, value: read.value }), read.beside);
      return;
    }
    const values = data.getAll("value").map(String);
    if (operator !== "empty" && values.every((value) => value.trim() === "")) return;
    onApply(filterOf({ field: name, operator, value: values.join(",") }));
  };
  return (
    <form className="filter-editor" onSubmit={apply}>
      <b>{words[name].label}</b>
      <NativeSelect
        aria-label="Operator"
        data-autofocus
        // Also when it follows the field choice in the same popover.
        ref={focusFirst}
        value={operator}
        onChange={({ currentTarget }) => setOperator(currentTarget.value)}
        data={Object.entries(known).map(([value, label]) => ({ value, label }))}
      />
      {amounts ? (
        <AmountInputs
          amounts={amounts}
          value={value}
          wrong={wrong}
          currency={currencyAmong(filters, amounts)}
          isRange={operator === "between"}
        />
      ) : (
        <Value
          key={operator}
          field={field}
          operator={operator}
          value={value}
          options={options}
          relation={relation}
        />
      )}
      <Button type="submit" size="xs">
        Apply filter
      </Button>
    </form>
  );
};
