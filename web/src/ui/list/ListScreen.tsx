import "./list.css";
import "./table/table.css";
import "./bars.css";
import "./narrow.css";
import "./table/cells.css";
import type { Fields } from "@purser/contract/http/list";
import { queryOf } from "@purser/contract/pages/listSearch";
import { useNavigate, useRouter } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { count } from "#lib/labels.ts";
import { useShortcuts } from "#lib/shortcuts.ts";
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

const News = ({ added, changed, gone, show }: ReturnType<typeof useLiveRows>) => {
  const parts = [
    added > 0 && `${added} new`,
    changed > 0 && `${changed} changed`,
    gone.size > 0 && `${gone.size} deleted`,
  ].filter(Boolean);
  return (
    <div role="status" className="news-place">
      {parts.length > 0 && (
        <button type="button" className="news" onClick={show}>
          {parts.join(", ")}. <b>Show</b>
        </button>
      )}
    </div>
  );
};

const rowIdOf = (element: Element) => element.closest<HTMLElement>("tr[data-row]")?.dataset["row"];

const captionOf = (title: string, sort: string | undefined, words: FieldLabels<Fields>) => {
  const sorted = sortsOf(sort).map(
    ({ field, descending }) =>
      `${words[field]?.label ?? field}, ${descending ? "descending" : "ascending"}`,
  );
  return `${title}${sorted.length > 0 ? `, sorted by ${sorted.join(", then ")}` : ", newest first"}`;
};

/** Another search, filter, sort or page clears the selection, so that bulk actions never affect hidden rows. */
const useSelectionOf = <Row extends Identified>(table: Table<Row>, state: ListState) => {
  const key = JSON.stringify(queryOf(state.search));
  const before = useRef(key);
  useEffect(() => {
    if (before.current === key) return;
    before.current = key;
    const selected = table.getSelectedRowIds().length;
    if (selected === 0) return;
    table.resetRowSelection(true);
    toast(`The list changed, so ${count(selected, "row is", "rows are")} no longer selected.`);
  });
};

/** Actions for a row from the table itself. */
const useRowActs = <Row extends Identified, F extends Fields>(
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
            group: "Lists",
            run: () => navigate({ to: create.to as never }),
          },
        ]
      : [],
  );
};

/** A complete list screen. The entity's declaration provides what differs. */
export const ListScreen = <Row extends Identified, F extends Fields>(
  list: ListDeclaration<Row, F>,
) => {
  const { title, words, fieldWords, linkOf, labelOf } = list;
  const state = useListSearch();
  const { search, unknown } = state;
  const rows = useRows(list, state);
  const { page, error, live, retry } = rows;
  const columns = useColumns(list.name, columnsOf(list), {
    asked: search.cols,
    forget: () => void state.go({ cols: undefined }, true),
  });
  const table = useDataTable(page?.items, columns.chosen);
  const acts = useRowActs(list, state, rows, table);
  const remember = useScrollRestoration(acts.region, rows.isSettled);
  useSelectionOf(table, state);
  useCreateKey(list.create);

  return (
    <div className="list">
      <PageHead
        title={title}
        facts={list.facts}
        acts={
          <>
            <ExportButton
              file={list.file}
              many={words.many}
              search={search}
              columns={columns.chosen.filter(({ hidden }) => !hidden).map(({ id }) => id)}
              total={page?.total ?? null}
              selected={() => table.getSelectedRowIds()}
            />
            {list.create && <CreateButton {...list.create} />}
          </>
        }
      />
      <Views name={list.name} views={list.views} state={state} />
      <Toolbar list={list} state={state} columns={columns} onRefresh={live.show} />
      <News {...live} />
      <ListNotes unknown={unknown} error={page ? error : null} onRetry={retry} />
      <section
        className="list-region"
        aria-label={title}
        aria-busy={rows.isFetching}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be focusable by keyboard.
        tabIndex={0}
        ref={acts.region}
        onFocus={({ target }) => remember(rowIdOf(target))}
      >
        {rows.isFetching && page && <div className="list-progress" />}
        <ListBody list={list} state={state} page={page} error={error} onRetry={retry}>
          <DataTable
            table={table}
            columns={columns}
            state={state}
            linkOf={linkOf}
            labelOf={labelOf}
            caption={captionOf(title, search.sort, fieldWords)}
            gone={live.gone}
            current={search.preview}
            menu={acts.menu}
            onOpen={acts.open}
            onIntent={acts.prepare}
            onMenu={acts.setMenu}
            skeletons={rows.skeletons}
          />
        </ListBody>
      </section>
      <BulkBar table={table} bulkOf={list.bulkOf} many={words.many} />
      {/* Other filters have another total. */}
      <Pager
        key={JSON.stringify([search.q, search.f])}
        state={state}
        page={page}
        words={words}
        onCount={rows.countAll}
      />
      {search.preview && (
        <Preview
          key={search.preview}
          id={search.preview}
          row={rows.byId(search.preview)}
          list={list}
          onClose={acts.closePreview}
        />
      )}
    </div>
  );
};
