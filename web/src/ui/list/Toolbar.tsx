import { t } from "@lingui/core/macro";
import { ActionIcon, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import type { Fields } from "@purser/contract/http/list";
import { useEffect, useRef, useState } from "react";
import { usePreferences } from "#lib/session/preferences.ts";
import { useShortcuts } from "#lib/shortcuts.ts";
import { Icon } from "../Icon.tsx";
import { Keys } from "../Keys.tsx";
import { Tab } from "../page/Tab.tsx";
import { ColumnSettings } from "./columns/ColumnSettings.tsx";
import type { ColumnState } from "./columns/columns.ts";
import type { ListDeclaration, ListTexts, View } from "./declaration.ts";
import { Filters } from "./filters/Filters.tsx";
import type { ListState } from "./listSearch.ts";
import { totalLabels } from "./Pager.tsx";
import type { Identified } from "./table/tableEngine.ts";
import { SaveView } from "./views/SaveView.tsx";
import { isShown, searchOf } from "./views/savedViews.ts";

type ViewsProps = { name: string; views: View[]; state: ListState };

/** The built-in views with their counts, and the user's saved views. */
export const Views = ({ name, views, state: { search } }: ViewsProps) => {
  const saved = usePreferences().views[name] ?? [];
  const current = saved.find((view) => isShown(view, search));
  const isPlain = !search.q && !search.sort;
  const isKnown = isPlain && views.some(({ filter }) => search.f.join() === (filter ?? ""));
  return (
    <nav className="tabs" aria-label={t`Views`}>
      {views.map(({ label, filter, total }) => (
        <Tab
          key={label}
          search={filter ? { f: [filter] } : {}}
          isCurrent={!current && search.f.join() === (filter ?? "")}
        >
          {label}
          {total && <em>{totalLabels(total)}</em>}
        </Tab>
      ))}
      {saved.map((view) => (
        <Tab key={`saved ${view.name}`} search={searchOf(view)} isCurrent={view === current}>
          {view.name}
        </Tab>
      ))}
      {(current || !isKnown) && <SaveView name={name} search={search} current={current} />}
    </nav>
  );
};

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

export const Toolbar = <Row extends Identified, F extends Fields>({
  list,
  state,
  columns,
  onRefresh,
}: Props<Row, F>) => (
  <div className="toolbar">
    <SearchField texts={list.texts} state={state} />
    <Filters
      fields={list.fields}
      labels={list.fieldLabels}
      filters={state.search.f}
      onChange={(f) => state.narrow({ f })}
    />
    <span className="spacer" />
    <span className="toolbar-end wide-only">
      <ActionIcon variant="default" size={30} aria-label={t`Refresh`} onClick={onRefresh}>
        <Icon name="refresh" />
      </ActionIcon>
      <ColumnSettings state={columns} />
    </span>
  </div>
);
