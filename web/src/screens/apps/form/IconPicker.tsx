import { plural, t } from "@lingui/core/macro";
import { TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { searchIcons } from "@purser/contract/workspace/icons";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "#lib/api/call.ts";
import { number } from "#lib/intl.ts";
import { Icon, Tile } from "#ui/Icon.tsx";
import { Popup } from "#ui/popups/Popup.tsx";

const shownOf = (names: number, total: number) => {
  const shown = number(names);
  return t`${shown} of ${plural(total, { one: "# icon", other: "# icons" })}`;
};

type Props = { value: string; onChange: (icon: string) => void; error: string | null };

const Choices = ({ value, onChange }: Omit<Props, "error">) => {
  const [typed, setTyped] = useState("");
  const [q] = useDebouncedValue(typed.trim(), 150);
  const { data } = useQuery({
    queryKey: ["icons", q],
    queryFn: ({ signal }) => call(searchIcons, { query: q ? { q } : {}, signal }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <>
      <TextInput
        type="search"
        aria-label={t`Search icons`}
        placeholder={t`Search icons`}
        leftSection={<Icon name="search" />}
        data-autofocus
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
      />
      <div className="icon-grid">
        {data?.names.map((name) => (
          <button
            key={name}
            type="button"
            title={name}
            aria-label={name}
            aria-pressed={name === value}
            onClick={() => onChange(name)}
          >
            <Tile icon={name} size={26} />
          </button>
        ))}
      </div>
      <p className="softer" role="status">
        {data &&
          (data.total > 0
            ? shownOf(data.names.length, data.total)
            : t`No icons match. Try another word.`)}
      </p>
    </>
  );
};

export const IconPicker = ({ value, onChange, error }: Props) => {
  const [opened, setOpened] = useState(false);
  return (
    <Popup
      kind="dialog"
      label={t`Icons`}
      opened={opened}
      onClose={() => setOpened(false)}
      place="bottom-start"
      width={340}
      trigger={
        <TextInput
          label={t`Icon`}
          component="button"
          type="button"
          pointer
          w="100%"
          data-path="icon"
          error={error}
          aria-expanded={opened}
          onClick={() => setOpened(!opened)}
          leftSection={<Tile icon={value} size={20} />}
          rightSection={<Icon name="selector" size={14} />}
        >
          {value}
        </TextInput>
      }
    >
      {(close) => (
        <Choices
          value={value}
          onChange={(icon) => {
            onChange(icon);
            close();
          }}
        />
      )}
    </Popup>
  );
};
