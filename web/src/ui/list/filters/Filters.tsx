import { Button, NativeSelect, TextInput } from "@mantine/core";
import type { Field, Fields } from "@purser/contract/http/list";
import { type SubmitEvent, useState } from "react";
import { capitalised } from "#lib/labels.ts";
import { useShortcuts } from "#lib/shortcuts.ts";
import { Icon } from "#ui/Icon.tsx";
import { focusFirst } from "#ui/page/focus.ts";
import { Popup } from "#ui/popups/Popup.tsx";
import type { Relation } from "#ui/record/relation.ts";
import { AmountInputs, readAmounts } from "./AmountInputs.tsx";
import {
  currencyAmong,
  type FieldLabels,
  filterOf,
  operatorsOf,
  partsOf,
  sentenceOf,
} from "./filterLabels.ts";
import { RelationChoices } from "./RelationChoices.tsx";
import { useRelatedNames } from "./useRelatedNames.ts";

type Shared<F extends Fields> = { fields: F; words: FieldLabels<F>; filters: string[] };

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
          {options[name] ?? capitalised(name)}
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

type EditorProps<F extends Fields> = Shared<F> & {
  name: keyof F & string;
  filter: string | null;
  /** What is given beside takes the place of what says the same. */
  onApply: (filter: string, beside?: string) => void;
};

const Editor = <F extends Fields>(props: EditorProps<F>) => {
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
        // Also when it follows the choice of a field, in the same popover.
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

type ChipProps<F extends Fields> = Shared<F> & {
  filter: string;
  nameOf: (id: string) => string;
  onRemove: () => void;
  onChange: (next: string, beside?: string) => void;
};

const Chip = <F extends Fields>({
  filter,
  nameOf,
  onRemove,
  onChange,
  ...shared
}: ChipProps<F>) => {
  const { label, operator, value } = sentenceOf(shared.fields, shared.words, filter, {
    nameOf,
    filters: shared.filters,
  });
  const [opened, setOpened] = useState(false);
  const name = partsOf(filter).field;
  return (
    <span className="chip">
      <Popup
        kind="dialog"
        label={`Filter by ${label}`}
        opened={opened}
        onClose={() => setOpened(false)}
        place="bottom-start"
        width={260}
        trigger={
          <button
            type="button"
            className="chip-body"
            aria-expanded={opened}
            onClick={() => name in shared.fields && setOpened(!opened)}
            onKeyDown={({ key }) => (key === "Backspace" || key === "Delete") && onRemove()}
          >
            <b>{label}</b> {operator} <span>{value}</span>
          </button>
        }
      >
        {(close) => (
          <Editor
            {...shared}
            name={name}
            filter={filter}
            onApply={(...next) => {
              close();
              onChange(...next);
            }}
          />
        )}
      </Popup>
      <button
        type="button"
        className="chip-remove"
        aria-label={`Remove the filter ${label} ${operator} ${value}`}
        onClick={onRemove}
      >
        <Icon name="x" size={13} />
      </button>
    </span>
  );
};

const FieldChoice = <F extends Fields>({
  fields,
  words,
  onChoose,
}: Omit<Shared<F>, "filters"> & { onChoose: (field: keyof F & string) => void }) => (
  <ul>
    {Object.keys(fields).map((field, place) => (
      <li key={field}>
        <button
          type="button"
          className="popover-option"
          {...(place === 0 && { "data-autofocus": true })}
          onClick={() => onChoose(field)}
        >
          {words[field as keyof F].label}
        </button>
      </li>
    ))}
  </ul>
);

const AddFilter = <F extends Fields>({
  onAdd,
  ...shared
}: Shared<F> & { onAdd: (filter: string, beside?: string) => void }) => {
  const [opened, setOpened] = useState(false);
  const [name, setName] = useState<(keyof F & string) | null>(null);
  const show = (next: boolean) => {
    setOpened(next);
    setName(null);
  };
  useShortcuts([{ keys: "f", does: "Add a filter", group: "Lists", run: () => show(true) }]);
  return (
    <Popup
      kind="dialog"
      label="Add a filter"
      opened={opened}
      onClose={() => show(false)}
      place="bottom-start"
      width={260}
      trigger={
        <Button
          variant="subtle"
          leftSection={<Icon name="filter" />}
          aria-expanded={opened}
          onClick={() => show(!opened)}
        >
          Filter
        </Button>
      }
    >
      {(close) =>
        name ? (
          <Editor
            {...shared}
            name={name}
            filter={null}
            onApply={(...added) => {
              close();
              onAdd(...added);
            }}
          />
        ) : (
          <FieldChoice {...shared} onChoose={setName} />
        )
      }
    </Popup>
  );
};

type Props<F extends Fields> = Shared<F> & { onChange: (filters: string[]) => void };

/** All of them, with one that says the same as another in its place. */
const withBeside = (filters: string[], beside: string | undefined) => {
  if (beside === undefined) return filters;
  const { field } = partsOf(beside);
  return [...filters.filter((filter) => partsOf(filter).field !== field), beside];
};

/** The filters of a list, each read as a sentence. Any can be changed or taken away. */
export const Filters = <F extends Fields>({ onChange, ...shared }: Props<F>) => {
  const { filters } = shared;
  const nameOf = useRelatedNames(shared.words, filters);
  return (
    <div className="chips">
      {filters.map((filter, place) => (
        <Chip
          key={filter}
          {...shared}
          filter={filter}
          nameOf={nameOf}
          onRemove={() => onChange(filters.toSpliced(place, 1))}
          onChange={(next, beside) => onChange(withBeside(filters.with(place, next), beside))}
        />
      ))}
      <AddFilter
        {...shared}
        onAdd={(filter, beside) => onChange(withBeside([...filters, filter], beside))}
      />
      {filters.length > 0 && (
        <button type="button" className="quiet-link" onClick={() => onChange([])}>
          Clear all
        </button>
      )}
    </div>
  );
};
