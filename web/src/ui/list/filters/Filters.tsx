import { t } from "@lingui/core/macro";
import { Button } from "@mantine/core";
import type { Fields } from "@purser/contract/http/list";
import { useState } from "react";
import { useShortcuts } from "#lib/shortcuts.ts";
import { Icon } from "#ui/Icon.tsx";
import { part } from "#ui/page/lazyPart.tsx";
import { Popup } from "#ui/popups/Popup.tsx";
import type { FilterContext, FilterEditor as FilterEditorType } from "./FilterEditor.tsx";
import { FilterText } from "./FilterText.tsx";
import { partsOf, sentenceOf, withoutFilter } from "./filterLabels.ts";
import { useRelatedNames } from "./useRelatedNames.ts";

// Loaded on demand, because most visits edit no filter.
const FilterEditor = part(
  async () => (await import("./FilterEditor.tsx")).FilterEditor,
) as typeof FilterEditorType;

type ChipProps<F extends Fields> = FilterContext<F> & {
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
  const { label, pieces, text } = sentenceOf(shared.fields, shared.labels, filter, {
    nameOf,
    filters: shared.filters,
  });
  const [opened, setOpened] = useState(false);
  const name = partsOf(filter).field;
  return (
    <span className="chip">
      <Popup
        kind="dialog"
        label={t`Filter by ${label}`}
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
            <FilterText pieces={pieces} />
          </button>
        }
      >
        {(close) => (
          <FilterEditor
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
        aria-label={t`Remove filter ${text}`}
        onClick={onRemove}
      >
        <Icon name="x" size={13} />
      </button>
    </span>
  );
};

const FieldChoice = <F extends Fields>({
  fields,
  labels,
  onChoose,
}: Omit<FilterContext<F>, "filters"> & { onChoose: (field: keyof F & string) => void }) => (
  <ul>
    {Object.keys(fields).map((field, place) => (
      <li key={field}>
        <button
          type="button"
          className="popover-option"
          {...(place === 0 && { "data-autofocus": true })}
          onClick={() => onChoose(field)}
        >
          {labels[field as keyof F].label}
        </button>
      </li>
    ))}
  </ul>
);

const AddFilter = <F extends Fields>({
  onAdd,
  ...shared
}: FilterContext<F> & { onAdd: (filter: string, beside?: string) => void }) => {
  const [opened, setOpened] = useState(false);
  const [name, setName] = useState<(keyof F & string) | null>(null);
  const show = (next: boolean) => {
    setOpened(next);
    setName(null);
  };
  useShortcuts([{ keys: "f", does: t`Add filter`, group: "lists", run: () => show(true) }]);
  return (
    <Popup
      kind="dialog"
      label={t`Add filter`}
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
          {t`Filter`}
        </Button>
      }
    >
      {(close) =>
        name ? (
          <FilterEditor
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

type Props<F extends Fields> = FilterContext<F> & {
  /** A filter with another control. */
  except?: string | undefined;
  onChange: (filters: string[]) => void;
};

/** Adds the dependent filter and replaces those of the same field. */
const withBeside = (filters: string[], beside: string | undefined) => {
  if (beside === undefined) return filters;
  const { field } = partsOf(beside);
  return [...filters.filter((filter) => partsOf(filter).field !== field), beside];
};

/** The active filters as sentences. Each can be edited or removed. */
export const Filters = <F extends Fields>({ onChange, except, ...shared }: Props<F>) => {
  const { filters } = shared;
  const nameOf = useRelatedNames(shared.labels, filters);
  return (
    <div className="chips">
      {filters.map((filter, place) =>
        filter === except ? null : (
          <Chip
            key={filter}
            {...shared}
            filter={filter}
            nameOf={nameOf}
            onRemove={() => onChange(withoutFilter(filters, place, shared.labels))}
            onChange={(next, beside) => onChange(withBeside(filters.with(place, next), beside))}
          />
        ),
      )}
      <AddFilter
        {...shared}
        onAdd={(filter, beside) => onChange(withBeside([...filters, filter], beside))}
      />
      {filters.length > 0 && (
        <button type="button" className="quiet-link" onClick={() => onChange([])}>
          {t`Clear all`}
        </button>
      )}
    </div>
  );
};
