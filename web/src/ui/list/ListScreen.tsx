import "./list.css";
import "./table/table.css";
import "./bars.css";
import "./narrow.css";
import "./table/cells.css";
import { t } from "@lingui/core/macro";
import type { Fields } from "@purser/contract/http/list";
import { queryOf } from "@purser/contract/pages/listSearch";
import { useNavigate, useRouter } from "@tanstack/react-router";
import { Suspense, useEffect, useRef, useState } from "react";
import { list } from "#lib/intl.ts";
import { useShortcuts } from "#lib/shortcuts.ts";
import { part } from "../page/lazyPart.tsx";
import { PageHead } from "../page/Page.tsx";
import { toast } from "../popups/toast.ts";
import { BulkBar } from "./BulkBar.tsx";
import { CreateButton } from "./CreateButton.tsx";
import { useColumns } from "./columns/columns.ts";
import { columnsOf } from "./columns/columnsFromFields.tsx";
import type { Create, ListDeclaration } from "./declaration.ts";
import { ExportButton } from "./export/ExportButton.tsx";
import type { FieldLabels } from "./filters/filterLabels.ts";
import { ListBody, ListNotes } from "./ListBody.tsx";
import { type ListState, sortsOf, useListSearch } from "./listSearch.ts";
import { Pager } from "./Pager.tsx";
import { Preview } from "./Preview.tsx";
import { Toolbar, Views } from "./Toolbar.tsx";
import { DataTable } from "./table/DataTable.tsx";
import { type Identified, type Table, useDataTable } from "./table/tableEngine.ts";
import type { useLiveRows } from "./table/useLiveRows.ts";
import { useRowKeys } from "./table/useRowKeys.ts";
import { useScrollRestoration } from "./table/useScrollRestoration.ts";
import { type Rows, useRows } from "./useRows.ts";

const News = part(async () => (await import("./News.tsx")).News);

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

/** Another search, filter, sort or page clears the selection, so that bulk actions never affect hidden rows. */
const useSelectionOf = <Row extends Identified>(table: Table<Row>, state: ListState) => {
  const key = JSON.stringify(queryOf(state.search));
  const before = useRef(key);
  useEffect(() => {
    if (before.current === key) return;
    before.current = key;
    if (table.getSelectedRowIds().length === 0) return;
    table.resetRowSelection(true);
    toast(t`Selection cleared because the list changed`);
  });
};

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
  const table = useDataTable(page?.items, columns.chosen);
  const actions = useRowActions(declaration, state, rows, table);
  const remember = useScrollRestoration(actions.region, rows.isSettled);
  useSelectionOf(table, state);
  useCreateKey(declaration.create);

  return (
    <div className="list">
      <PageHead
        title={title}
        facts={declaration.facts}
        actions={
          <>
            <ExportButton
              file={declaration.file}
              title={texts.export}
              search={search}
              columns={columns.chosen.filter(({ hidden }) => !hidden).map(({ id }) => id)}
              total={page?.total ?? null}
              selected={() => table.getSelectedRowIds()}
            />
            {declaration.create && <CreateButton {...declaration.create} />}
          </>
        }
      />
      <Views name={declaration.name} views={declaration.views} state={state} />
      <Toolbar list={declaration} state={state} columns={columns} onRefresh={live.show} />
      <NewsPlace {...live} />
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
      <BulkBar table={table} bulkOf={declaration.bulkOf} />
      {/* Other filters have another total. */}
      <Pager
        key={JSON.stringify([search.q, search.f])}
        state={state}
        page={page}
        countLabel={texts.count}
        onCount={rows.countAll}
      />
      {search.preview && (
        <Preview
          key={search.preview}
          id={search.preview}
          row={rows.byId(search.preview)}
          list={declaration}
          onClose={actions.closePreview}
        />
      )}
    </div>
  );
};
