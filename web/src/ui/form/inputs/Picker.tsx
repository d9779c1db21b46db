import { t } from "@lingui/core/macro";
import "#ui/styles/choiceSheets.ts";
import { Combobox, TextInput, useCombobox } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Icon, Tile } from "#ui/Icon.tsx";
import { foundQuery, type Related, type Relation, relatedQuery } from "#ui/record/relation.ts";
import { Status } from "#ui/Status.tsx";

type Props = {
  relation: Relation;
  label: string;
  help?: string;
  /** The field's name in the form. */
  path: string;
  /** The selected id, or empty. */
  value: string;
  onChange: (id: string) => void;
  error?: ReactNode;
  /** Creates a record from the typed text, if the user is allowed to. */
  onCreate: ((typed: string) => void) | null;
  /** The option that creates a record while nothing is typed: "Create a new app". */
  createLabel?: string;
};

const creation = "create";

const Option = ({ name, code, icon, status }: Related) => (
  <span className="picker-option">
    {icon && <Tile icon={icon} size={26} />}
    <span>
      {name}
      <small className="mono">{code}</small>
    </span>
    <span className="spacer" />
    {status && !status.quiet && <Status status={status} />}
  </span>
);

/** Selects one record by searching its name. */
export const Picker = ({
  relation,
  onCreate,
  createLabel = t`Create`,
  value,
  onChange,
  ...field
}: Props) => {
  const { data: chosen } = useQuery(relatedQuery(relation, value));
  // Null while not typing: the field then shows the selected record.
  const [typed, setTyped] = useState<string | null>(null);
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const words = (typed ?? "").trim();
  const [asked] = useDebouncedValue(words, 150);
  const { data: found } = useQuery({
    ...foundQuery(relation, asked),
    enabled: combobox.dropdownOpened,
  });
  const close = () => {
    combobox.closeDropdown();
    setTyped(null);
  };
  const submit = (option: string) => {
    close();
    if (option === creation) onCreate?.(words);
    else onChange(option);
  };
  return (
    <Combobox store={combobox} onOptionSubmit={submit}>
      <Combobox.Target withExpandedAttribute>
        <TextInput
          label={field.label}
          description={field.help}
          error={field.error}
          data-path={field.path}
          role="combobox"
          aria-autocomplete="list"
          placeholder={relation.hint ?? t`Name or code`}
          autoComplete="off"
          spellCheck={false}
          {...(chosen?.icon && { leftSection: <Tile icon={chosen.icon} size={20} /> })}
          rightSection={<Icon name="selector" size={14} />}
          rightSectionPointerEvents="none"
          value={typed ?? chosen?.name ?? ""}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value);
            combobox.openDropdown();
            combobox.resetSelectedOption();
          }}
          onClick={() => combobox.openDropdown()}
          onBlur={close}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={!found}>
        <Combobox.Options mah={280} className="picker-options" aria-label={field.label}>
          {found?.map((one) => (
            <Combobox.Option key={one.id} value={one.id} active={one.id === value}>
              <Option {...one} />
            </Combobox.Option>
          ))}
          {onCreate && (
            <Combobox.Option value={creation} className="picker-create">
              <span className="picker-option">
                <Icon name="plus" />
                {words ? t`Create “${words}”` : createLabel}
              </span>
            </Combobox.Option>
          )}
          {found?.length === 0 && !onCreate && (
            <Combobox.Empty>{t`No matches. Try part of the name.`}</Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
};
