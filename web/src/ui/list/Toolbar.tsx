import { t } from "@lingui/core/macro";
import { ActionIcon, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import type { Fields } from "@purser/contract/http/list";
import { Suspense, useEffect, useRef, useState } from "react";
import { useShortcuts } from "#lib/shortcuts.ts";
import { Icon } from "../Icon.tsx";
import { Keys } from "../Keys.tsx";
import { part } from "../page/lazyPart.tsx";
import { ColumnSettings } from "./columns/ColumnSettings.tsx";
import type { ColumnState } from "./columns/columns.ts";
import { DensitySwitch } from "./columns/DensitySwitch.tsx";
import type { MainDate as MainDateType } from "./dates/MainDate.tsx";
import type { ListDeclaration, ListTexts } from "./declaration.ts";
import { Filters } from "./filters/Filters.tsx";
import { partsOf } from "./filters/filterLabels.ts";
import type { ListState } from "./listSearch.ts";
import type { Identified } from "./table/tableEngine.ts";

// Only some lists have a main date.
const MainDate = part(
  async () => (await import("./dates/MainDate.tsx")).MainDate,
) as typeof MainDateType;

const typingMs = 250;

type SearchProps = { texts: Pick<ListTexts, "search" | "searchHint">; state: ListState };

export const SearchField = ({ texts, state: { search, narrow } }: SearchProps) => {
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(search.q ?? "");
  const ask = useDebouncedCallback((q: string) => narrow({ q: q || undefined }, true), typingMs);
  useEffect(() => setTyped(search.q ?? ""), [search.q]);
  useShortcuts([
    { keys: "/", does: t`Search this list`, group: "lists", run: () => field.current?.focus() },
  ]);
  return (
    <TextInput
      ref={field}
      type="search"
      className="list-search"
      aria-label={texts.search}
      placeholder={texts.searchHint}
      leftSection={<Icon name="search" />}
      rightSection={<Keys keys="/" />}
      value={typed}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value);
        ask(value);
      }}
    />
  );
};

type Props<Row extends Identified, F extends Fields> = {
  list: ListDeclaration<Row, F>;
  state: ListState;
  columns: ColumnState<Row>;
  onRefresh: () => void;
};

/** The filter by the list's main date, which has its own control. */
const dateFilterOf = ({ mainDate }: { mainDate?: string }, filters: string[]) =>
  mainDate && filters.find((filter) => partsOf(filter).field === mainDate);

export const Toolbar = <Row extends Identified, F extends Fields>(props: Props<Row, F>) => {
  const { list, state, columns, onRefresh } = props;
  const dateFilter = dateFilterOf(list, state.search.f);
  return (
    <div className="toolbar">
      <SearchField texts={list.texts} state={state} />
      {list.mainDate && (
        <Suspense fallback={<span className="date-range" />}>
          <MainDate list={list} state={state} field={list.mainDate} filter={dateFilter} />
        </Suspense>
      )}
      <Filters
        fields={list.fields}
        labels={list.fieldLabels}
        filters={state.search.f}
        except={dateFilter}
        onChange={(f) => state.narrow({ f })}
      />
      <span className="toolbar-end wide-only">
        <DensitySwitch list={list} />
        <ActionIcon variant="default" size={30} aria-label={t`Refresh`} onClick={onRefresh}>
          <Icon name="refresh" />
        </ActionIcon>
        <ColumnSettings state={columns} />
      </span>
    </div>
  );
};
