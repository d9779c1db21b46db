import { t } from "@lingui/core/macro";
import "./Lookup.css";
import { TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useEffectEvent, useState } from "react";
import { Icon } from "../Icon.tsx";

type Props<Item> = {
  /** Names the search field: "Search apps". */
  label: string;
  /** Shown if nothing was found: "No apps found". */
  empty: string;
  /** The query key of the results. */
  name: readonly string[];
  read: (q: string, signal: AbortSignal) => Promise<readonly Item[]>;
  /** The records that can be selected. */
  fits?: (item: Item) => boolean;
  draw: (item: Item) => ReactNode;
  onPick: (item: Item) => void;
  /** Whether the record is selected. Absent for single choice. */
  isPicked?: (item: Item) => boolean;
  note?: ReactNode;
};

/** Searches records and returns the selected ones. */
export const Lookup = <Item extends { id: string }>(props: Props<Item>) => {
  const { label, empty, name, read, fits = () => true, draw, onPick, isPicked, note } = props;
  const [typed, setTyped] = useState("");
  const [q] = useDebouncedValue(typed.trim(), 150);
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: [...name, q],
    queryFn: ({ signal }) => read(q, signal),
    placeholderData: keepPreviousData,
  });
  const found = data?.filter(fits);
  const isAnswer = q === typed.trim() && !isPlaceholderData;
  // Enter may be pressed before the results arrive.
  const [isEntered, setEntered] = useState(false);
  const [first] = found ?? [];
  const pickFirst = useEffectEvent(() => {
    setEntered(false);
    if (first) onPick(first);
  });
  useEffect(() => {
    if (isEntered && isAnswer) pickFirst();
  }, [isEntered, isAnswer]);
  return (
    <div className="lookup">
      <TextInput
        type="search"
        aria-label={label}
        placeholder={label}
        leftSection={<Icon name="search" />}
        data-autofocus
        value={typed}
        onChange={({ currentTarget }) => {
          setEntered(false);
          setTyped(currentTarget.value);
        }}
        onKeyDown={({ key }) => key === "Enter" && setEntered(true)}
      />
      <ul aria-label={t`Results`}>
        {found?.map((item) => (
          <li key={item.id}>
            <button
              type="button"
              aria-pressed={isPicked ? isPicked(item) : undefined}
              onClick={() => onPick(item)}
            >
              {draw(item)}
              {isPicked?.(item) && <Icon name="check" size={14} />}
            </button>
          </li>
        ))}
      </ul>
      <p className="softer" role="status">
        {error ? error.message : found?.length === 0 ? empty : note}
      </p>
    </div>
  );
};
