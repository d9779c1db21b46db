import "./filterEditor.css";
import { t } from "@lingui/core/macro";
import { Button, NativeSelect, TextInput } from "@mantine/core";
import type { Field, Fields } from "@purser/contract/http/list";
import { type SubmitEvent, Suspense, useState } from "react";
import { focusFirst } from "#ui/page/focus.ts";
import { part } from "#ui/page/lazyPart.tsx";
import type { Relation } from "#ui/record/relation.ts";
import { AmountInputs, readAmounts } from "./AmountInputs.tsx";
import { currencyAmong, type FieldLabels, filterOf, partsOf } from "./filterLabels.ts";
import { NumberInputs, readNumbers } from "./NumberInputs.tsx";
import { operatorsOf, periods } from "./operators.ts";
import { RelationChoices } from "./RelationChoices.tsx";

const DayInputs = part(async () => (await import("./DayInputs.tsx")).DayInputs);

export type FilterContext<F extends Fields> = {
  fields: F;
  labels: FieldLabels<F>;
  filters: string[];
};

type ValueProps = {
  field: Field;
  operator: string;
  value: string;
  options: Record<string, string>;
  relation: Relation | undefined;
  wrong: (string | null)[];
};

const Choices = ({ field, value, options }: Pick<ValueProps, "field" | "value" | "options">) => {
  const names = "options" in field ? field.options : [];
  const chosen = value.split(",");
  return (
    <fieldset className="filter-choices">
      <legend className="unseen">{t`Values`}</legend>
      {names.map((name) => (
        <label key={name}>
          <input
            type="checkbox"
            className="box"
            name="value"
            value={name}
            defaultChecked={chosen.includes(name)}
          />
          {options[name] ?? name}
        </label>
      ))}
    </fieldset>
  );
};

const Value = ({ field, operator, value, options, relation, wrong }: ValueProps) => {
  if (operator === "empty") return null;
  if (relation) return <RelationChoices relation={relation} value={value} />;
  if (field.kind === "choice" || field.kind === "set")
    return <Choices field={field} value={value} options={options} />;
  if (field.kind === "boolean")
    return (
      <NativeSelect
        aria-label={t`Value`}
        name="value"
        defaultValue={value}
        data={[
          { value: "true", label: t`Yes` },
          { value: "false", label: t`No` },
        ]}
      />
    );
  if (field.kind === "instant" && (operator === "this" || operator === "previous"))
    return (
      <NativeSelect
        aria-label={t`Value`}
        name="value"
        defaultValue={value}
        data={Object.entries(periods).map(([period, { label }]) => ({ value: period, label }))}
      />
    );
  if (field.kind === "instant" && operator !== "last")
    return (
      <Suspense>
        <DayInputs value={value} isRange={operator === "between"} />
      </Suspense>
    );
  if (field.kind !== "text")
    return <NumberInputs operator={operator} value={value} wrong={wrong} />;
  return <TextInput aria-label={t`Value`} name="value" required defaultValue={value} />;
};

type ReadValue = { wrong: (string | null)[]; value: string; beside?: string };

const readTyped = (field: Field, operator: string, data: FormData): ReadValue =>
  field.kind === "number" || operator === "last"
    ? readNumbers(operator, data)
    : { wrong: [], value: data.getAll("value").map(String).join(",") };

type EditorProps<F extends Fields> = FilterContext<F> & {
  name: keyof F & string;
  filter: string | null;
  /** Filters to set together with this one. They replace filters of the same field. */
  onApply: (filter: string, beside?: string) => void;
};

export const FilterEditor = <F extends Fields>(props: EditorProps<F>) => {
  const { fields, labels, filters, name, filter, onApply } = props;
  const { amounts, options = {}, relation } = labels[name];
  const field = fields[name] as Field;
  const known = operatorsOf(field.kind);
  const given = filter ? partsOf(filter) : null;
  const [operator, setOperator] = useState(given?.operator ?? Object.keys(known)[0] ?? "");
  const [wrong, setWrong] = useState<(string | null)[]>([]);
  const value = given?.value ?? "";
  const apply = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const read = amounts ? readAmounts(amounts, data) : readTyped(field, operator, data);
    setWrong(read.wrong);
    const isMissing = operator !== "empty" && /^[\s,]*$/.test(read.value);
    if (isMissing || read.wrong.some((one) => one !== null)) return;
    onApply(filterOf({ field: name, operator, value: read.value }), read.beside);
  };
  return (
    <form className="filter-editor" onSubmit={apply}>
      <b>{labels[name].label}</b>
      <NativeSelect
        aria-label={t`Operator`}
        data-autofocus
        // Also when it follows the field choice in the same popover.
        ref={focusFirst}
        value={operator}
        onChange={({ currentTarget }) => setOperator(currentTarget.value)}
        data={Object.entries(known).map(([value, { label }]) => ({ value, label }))}
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
          wrong={wrong}
        />
      )}
      <Button type="submit" size="xs">
        {t`Apply filter`}
      </Button>
    </form>
  );
};
