import "./options.css";
import { t } from "@lingui/core/macro";
import { ActionIcon, Button, TextInput } from "@mantine/core";
import type { Option } from "@purser/contract/fields/values";
import { useId, useRef } from "react";
import { number } from "#lib/intl.ts";
import { Field } from "#ui/form/Field.tsx";
import { codeFor } from "#ui/form/inputs/code.ts";
import type { RecordForm } from "#ui/form/useRecordForm.ts";
import { Icon } from "#ui/Icon.tsx";
import type { Feature } from "../queries.ts";
import { type FeatureValues, formLabels } from "./values.ts";

type Props = { record: RecordForm<FeatureValues>; feature: Feature | null };

/** Edits the options; the default always remains one of them. */
const useOptions = ({ form }: RecordForm<FeatureValues>) => {
  const list = useRef<HTMLOListElement>(null);
  const { options, defaultValue } = form.values;
  /** Focuses the first of these that exists after the next render. */
  const focus = (...selectors: string[]) =>
    requestAnimationFrame(() => {
      const places = selectors.map((one) => list.current?.querySelector<HTMLElement>(one));
      places.find(Boolean)?.focus();
    });
  return {
    list,
    change: (place: number, next: Option) => {
      const isDefault = options.findIndex(({ code }) => code === defaultValue) === place;
      form.setValues({
        options: options.with(place, next),
        ...(isDefault && { defaultValue: next.code }),
      });
    },
    add: () => {
      form.insertListItem("options", { code: "", name: "" });
      focus(`[data-path="options.${options.length}.name"]`);
    },
    remove: (place: number) => {
      const left = options.toSpliced(place, 1);
      form.removeListItem("options", place);
      if (!left.some(({ code }) => code === defaultValue))
        form.setFieldValue("defaultValue", left[0]?.code ?? "");
      focus(`[data-path="options.${Math.min(place, left.length - 1)}.name"]`);
    },
    move: (from: number, by: -1 | 1) => {
      form.reorderListItem("options", { from, to: from + by });
      const moved = `[data-option="${from + by}"]`;
      const action = by < 0 ? "up" : "down";
      // At either end that button is disabled, so focus moves to the other one.
      focus(`${moved} [data-move="${action}"]:enabled`, `${moved} [data-move]:enabled`);
    },
  };
};

type RowProps = {
  record: Props["record"];
  place: number;
  /** A package includes it, so its code is frozen and it can't be removed. */
  isUsed: (option: Option | undefined) => boolean;
  editor: ReturnType<typeof useOptions>;
};

const OptionRow = ({ record: { form }, place, isUsed, editor }: RowProps) => {
  const { options } = form.values;
  const option = options[place] ?? { code: "", name: "" };
  const used = isUsed(option);
  const position = number(place + 1);
  const called = option.name || t`Option ${position}`;
  const pathOf = (part: "name" | "code") => `options.${place}.${part}`;
  const change = (part: "name" | "code", next: Option) => {
    editor.change(place, next);
    form.clearFieldError(pathOf(part));
  };
  // Options that packages include keep their order, because it decides which one is higher.
  const canSwap = (other: number) => other in options && !(used && isUsed(options[other]));
  return (
    <li data-option={place}>
      <TextInput
        aria-label={t`Name of option ${position}`}
        placeholder={t`Name`}
        data-path={pathOf("name")}
        value={option.name}
        error={form.errors[pathOf("name")]}
        onChange={({ currentTarget: { value: name } }) => {
          const follows = !used && option.code === codeFor(option.name);
          change("name", { name, code: follows ? codeFor(name) : option.code });
        }}
      />
      <TextInput
        aria-label={t`Code of option ${position}`}
        placeholder={t`Code`}
        className="mono-input"
        data-path={pathOf("code")}
        value={option.code}
        readOnly={used}
        error={form.errors[pathOf("code")]}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="none"
        {...(used && { rightSection: <Icon name="lock" /> })}
        onChange={({ currentTarget: { value: code } }) => change("code", { ...option, code })}
      />
      <span className="option-actions">
        <ActionIcon
          data-move="up"
          aria-label={t`Move ${called} up`}
          disabled={!canSwap(place - 1)}
          onClick={() => editor.move(place, -1)}
        >
          <Icon name="arrow-up" />
        </ActionIcon>
        <ActionIcon
          data-move="down"
          aria-label={t`Move ${called} down`}
          disabled={!canSwap(place + 1)}
          onClick={() => editor.move(place, 1)}
        >
          <Icon name="arrow-down" />
        </ActionIcon>
        <ActionIcon
          aria-label={t`Remove ${called}`}
          disabled={used || options.length <= 2}
          onClick={() => editor.remove(place)}
        >
          <Icon name="x" />
        </ActionIcon>
      </span>
    </li>
  );
};

/** The options of a choice, lowest first. */
export const OptionsEditor = ({ record, feature }: Props) => {
  const { form } = record;
  const id = useId();
  const editor = useOptions(record);
  const error = form.errors["options"];
  const used = feature?.usedOptions ?? [];
  return (
    <Field record={record} words={formLabels} name="options">
      <fieldset className="field-group" {...(error && { "aria-describedby": id })}>
        <legend className="field-label">{t`Options`}</legend>
        <ol className="options" ref={editor.list}>
          {form.values.options.map((_, place) => (
            <OptionRow
              // biome-ignore lint/suspicious/noArrayIndexKey: an option has no unique name until it is typed.
              key={place}
              record={record}
              place={place}
              isUsed={(option) => option !== undefined && used.includes(option.code)}
              editor={editor}
            />
          ))}
        </ol>
        {error && (
          <p id={id} className="mantine-InputWrapper-error">
            {error}
          </p>
        )}
        {used.length > 0 && (
          <p className="field-note">
            <Icon name="lock" size={13} />
            {t`Options used by packages can be renamed but not removed.`}
          </p>
        )}
        <Button
          variant="default"
          size="xs"
          data-path="options"
          leftSection={<Icon name="plus" size={14} />}
          onClick={editor.add}
        >
          {t`Add option`}
        </Button>
      </fieldset>
    </Field>
  );
};
