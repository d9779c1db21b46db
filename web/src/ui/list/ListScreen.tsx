import "./list.css";
import "./table/table.css";
import "./bars.css";
import "./narrow.css";
import "./table/cells.css";
import { t } from "@lingui/core/macro";
import type { Fields } from "@purser/contract/http/list";
import { queryOf } from "@purser/contract/pages/listSearch";
import { useNavigate, useRouter } from "@tanstack/react-router";
import { type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { list } from "#lib/intl.ts";
import { useShortcuts } from "#lib/shortcuts.ts";
import { part } from "../page/lazyPart.tsx";
import { PageHead } from "../page/Page.tsx";
import { toast } from "../popups/toast.ts";
import { CreateButton } from "./CreateButton.tsx";
import { type ColumnState, useColumns } from "./columns/columns.ts";
import { columnsOf } from "./columns/columnsFromFields.tsx";
import { useDensity } from "./columns/DensitySwitch.tsx";
import type { Create, ListDeclaration, Page } from "./declaration.ts";
import { ExportButton } from "./export/ExportButton.tsx";
import type { FieldLabels } from "./filters/filterLabels.ts";
import type { AllSelected } from "./jobs/SelectAll.tsx";
import { ListBody, ListNotes } from "./ListBody.tsx";
import { type ListState, sortsOf, useListSearch } from "./listSearch.ts";
import { Pager } from "./Pager.tsx";
import type { Preview as PreviewType } from "./Preview.tsx";
import { Toolbar } from "./Toolbar.tsx";
import { DataTable } from "./table/DataTable.tsx";
import { type Identified, type Table, useDataTable } from "./table/tableEngine.ts";
import type { useLiveRows } from "./table/useLiveRows.ts";
import { useRowKeys } from "./table/useRowKeys.ts";
import { useScrollRestoration } from "./table/useScrollRestoration.ts";
import { type Rows, useRows } from "./useRows.ts";
import { Views } from "./views/Views.tsx";

const Sums = part(async () => (await import("./sums/Sums.tsx")).Sums);
const Preview = part(async () => (await import("./Preview.tsx")).Preview) as typeof PreviewType;
const News = part(async () => (await import("./News.tsx")).News);
const BulkBar = part(async () => (await import("./BulkBar.tsx")).BulkBar);
const SelectAll = part(async () => (await import("./jobs/SelectAll.tsx")).SelectAll);
const Jobs = part(async () => (await import("./jobs/Jobs.tsx")).Jobs);

/** Shows something about the selected rows, if there are any. */
const Selected = <Row extends Identified>({
  table,
  children,
}: {
  table: Table<Row>;
  children: (rows: Row[]) => ReactNode;
}) => (
  <table.Subscribe source={table.atoms.rowSelection}>
    {(selection) => {
      const rows = table.getRowModel().rows.filter(({ id }) => selection[id]);
      return (
        rows.length > 0 && <Suspense>{children(rows.map(({ original }) => original))}</Suspense>
      );
    }}
  </table.Subscribe>
);

/** The changes of others since the list was loaded. */
const NewsPlace = (live: ReturnType<typeof useLiveRows>) => (
  <div role="status" className="news-place">
    {live.added + live.changed + live.gone.size > 0 && (
      <Suspense>
        <News {...live} />
      </Suspense>
    )}
  </div>
);

const rowIdOf = (element: Element) => element.closest<HTMLElement>("tr[data-row]")?.dataset["row"];

const captionOf = (title: string, sort: string | undefined, labels: FieldLabels<Fields>) => {
  const sorted = sortsOf(sort).map(({ field, descending }) => {
    const label = labels[field]?.label ?? field;
    return descending ? t`${label} (descending)` : t`${label} (ascending)`;
  });
  if (sorted.length === 0) return t`${title}, newest first`;
  return t`${title}, sorted by ${{ fields: list(sorted) }}`;
};

/** Whether the rows are in the order of a date, which is the main one by default. */
const isByDate = <Row extends Identified, F extends Fields>(
  { fields, mainDate }: ListDeclaration<Row, F>,
  sort: string | undefined,
) => {
  const { field } = sortsOf(sort)[0] ?? { field: mainDate };
  return field !== undefined && fields[field]?.kind === "instant";
};

type SumsProps<Row extends Identified, F extends Fields> = {
  list: ListDeclaration<Row, F>;
  state: ListState;
  columns: ColumnState<Row>;
  rows: Rows<Row, F>;
};

/** The sums of the filtered rows, after the rows themselves. Their height is reserved. */
const SumsPlace = <Row extends Identified, F extends Fields>(props: SumsProps<Row, F>) => {
  const { list, state, columns, rows } = props;
  const { page, isSettled } = rows;
  const visible = columns.chosen.filter(({ hidden, id }) => !hidden && list.sums?.columns[id]);
  if (!list.sums || visible.length === 0 || page?.items.length === 0) return null;
  const place = <div className="sums-place" />;
  if (!page) return place;
  const { q, f } = state.search;
  return (
    <Suspense fallback={place}>
      <Sums
        // Other filters have other sums.
        key={JSON.stringify([q, f])}
        sums={list.sums}
        columns={visible}
        search={state.search}
        name={list.name}
        isReady={isSettled}
      />
    </Suspense>
  );
};

/**
 * Whether all rows that match are selected. Another search, filter, sort or page clears the selection, so that bulk
 * actions never affect hidden rows.
 */
const useSelectionOf = <Row extends Identified>(table: Table<Row>, state: ListState) => {
  const [all, setAll] = useState<AllSelected | null>(null);
  const clear = () => {
    setAll(null);
    table.resetRowSelection(true);
  };
  const key = JSON.stringify(queryOf(state.search));
  const before = useRef(key);
  useEffect(() => {
    if (before.current === key) return;
    before.current = key;
    if (table.getSelectedRowIds().length === 0) return;
    clear();
    toast(t`Selection cleared because the list changed`);
  });
  /** The rows of an export. None if all that match are selected, because the filter says which. */
  const exported = (page: Page<unknown> | undefined) => {
    const ids = table.getSelectedRowIds();
    return all && ids.length === page?.items.length ? [] : ids;
  };
  return { all, setAll, clear, exported };
};

type StripsProps<Row extends Identified, F extends Fields> = {
  list: ListDeclaration<Row, F>;
  table: Table<Row>;
  rows: Rows<Row, F>;
  selection: ReturnType<typeof useSelectionOf>;
};

/** Jobs and the offer to select all rows that match, above the table. */
const Strips = <Row extends Identified, F extends Fields>(props: StripsProps<Row, F>) => {
  const { list, table, rows, selection } = props;
  const { page } = rows;
  if (!page) return null;
  return (
    <>
      <Suspense>
        <Jobs list={list.name} />
      </Suspense>
      <Selected table={table}>
        {({ length }) => (
          <SelectAll
            selected={length}
            page={page}
            texts={list.texts}
            all={selection.all}
            onCount={rows.countAll}
            onSelect={selection.setAll}
          />
        )}
      </Selected>
    </>
  );
};

/** The actions on the selected rows. */
const SelectedActions = <Row extends Identified, F extends Fields>({
  list,
  table,
  rows,
  selection,
  search,
}: StripsProps<Row, F> & { search: ListState["search"] }) => (
  <Selected table={table}>
    {(selected) => (
      <BulkBar
        list={list as never}
        search={search}
        rows={selected}
        all={selected.length === rows.page?.items.length ? selection.all : null}
        onClear={selection.clear}
      />
    )}
  </Selected>
);

/** Actions for a row from the table itself. */
const useRowActions = <Row extends Identified, F extends Fields>(
  list: ListDeclaration<Row, F>,
  { search, go }: ListState,
  rows: Rows<Row, F>,
  table: Table<Row>,
) => {
  const router = useRouter();
  const region = useRef<HTMLElement>(null);
  const [menuId, setMenu] = useState<string | null>(null);
  const preview = (id: string | undefined) => void go({ preview: id });
  const open = (id: string) => {
    const row = rows.byId(id);
    if (!row) return;
    const href = list.linkOf(row);
    // A record that only has a preview keeps the list's search.
    if (href.endsWith(`?preview=${id}`)) preview(id);
    else void router.navigate({ href });
  };
  const prepare = (id: string) => {
    const row = rows.byId(id);
    // A failed preload is reported only when the user opens the row.
    const link = row && list.linkOf(row);
    if (link && !link.includes("?")) router.preloadRoute({ to: link }).catch(() => undefined);
  };
  const closePreview = () => {
    const row = region.current?.querySelector<HTMLElement>(`tr[data-row="${search.preview}"]`);
    preview(undefined);
    (row ?? region.current)?.focus();
  };
  const onEscape = () => {
    if (search.preview) closePreview();
    else if (table.getSelectedRowIds().length > 0) table.resetRowSelection(true);
    else return false;
    return true;
  };
  useRowKeys({ region, table, onOpen: open, onPreview: preview, onMenu: setMenu, onEscape });
  const row = rows.byId(menuId);
  const menu = row && { id: row.id, content: list.menuOf(row, () => preview(row.id)) };
  return { region, open, prepare, closePreview, menu, setMenu };
};

const useCreateKey = (create: Create | null) => {
  const navigate = useNavigate();
  useShortcuts(
    create
      ? [
          {
            keys: "c",
            does: create.label,
            group: "lists",
            run: () => navigate({ to: create.to as never }),
          },
        ]
      : [],
  );
};

/** A complete list screen. The entity's declaration provides what differs. */
export const ListScreen = <Row extends Identified, F extends Fields>(
  declaration: ListDeclaration<Row, F>,
) => {
  const { title, texts, fieldLabels, linkOf, labelOf } = declaration;
  const state = useListSearch();
  const { search, unknown } = state;
  const rows = useRows(declaration, state);
  const { page, error, live, retry } = rows;
  const columns = useColumns(declaration.name, columnsOf(declaration), {
    asked: search.cols,
    forget: () => void state.go({ cols: undefined }, true),
  });
  const density = useDensity(declaration);
  const table = useDataTable(page?.items, columns.chosen);
  const actions = useRowActions(declaration, state, rows, table);
  const remember = useScrollRestoration(actions.region, rows.isSettled);
  const selection = useSelectionOf(table, state);
  const shared = { list: declaration, table, rows, selection };
  useCreateKey(declaration.create);

  return (
    <div className="list">
      <PageHead
        title={title}
        facts={declaration.facts}
        actions={
          <>
            {declaration.actions}
            <ExportButton
              file={declaration.file}
              title={texts.export}
              search={search}
              columns={columns.chosen.filter(({ hidden }) => !hidden).map(({ id }) => id)}
              total={page?.total ?? null}
              selected={() => selection.exported(page)}
            />
            {declaration.create && <CreateButton {...declaration.create} />}
          </>
        }
      />
      <Views list={declaration} state={state} columns={columns.chosen} />
      <Toolbar list={declaration} state={state} columns={columns} onRefresh={live.show} />
      <Strips {...shared} />
      <ListNotes unknown={unknown} error={page ? error : null} onRetry={retry} />
      <section
        className="list-region"
        aria-label={title}
        aria-busy={rows.isFetching}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be focusable by keyboard.
        tabIndex={0}
        ref={actions.region}
        onFocus={({ target }) => remember(rowIdOf(target))}
      >
        {rows.isFetching && page && <div className="list-progress" />}
        <ListBody list={declaration} state={state} page={page} error={error} onRetry={retry}>
          <DataTable
            table={table}
            columns={columns}
            state={state}
            linkOf={linkOf}
            labelOf={labelOf}
            density={density}
            caption={captionOf(title, search.sort, fieldLabels)}
            gone={live.gone}
            current={search.preview}
            menu={actions.menu}
            onOpen={actions.open}
            onIntent={actions.prepare}
            onMenu={actions.setMenu}
            skeletons={rows.skeletons}
          />
        </ListBody>
      </section>
      <SelectedActions {...shared} search={search} />
      <SumsPlace list={declaration} state={state} columns={columns} rows={rows} />
      {/* Other filters have another total. */}
      <Pager
        key={JSON.stringify([search.q, search.f])}
        state={state}
        page={page}
        hasFailed={!page && error !== null}
        countLabel={texts.count}
        isByDate={isByDate(declaration, search.sort)}
        onCount={rows.countAll}
      >
        <NewsPlace {...live} />
      </Pager>
      {search.preview && (
        <Suspense>
          <Preview
            key={search.preview}
            id={search.preview}
            row={rows.byId(search.preview)}
            list={declaration}
            onClose={actions.closePreview}
          />
        </Suspense>
      )}
    </div>
  );
};
