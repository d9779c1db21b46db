import "./list.css";
import type { Fields } from "@purser/contract/http/list";
import { queryOf, usualSize } from "@purser/contract/pages/listSearch";
import { keepPreviousData, replaceEqualDeep, useQuery } from "@tanstack/react-query";
import { useNavigate, useRouter } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { CallError } from "#lib/api/call.ts";
import { count } from "#lib/labels.ts";
import { useShortcuts } from "#lib/shortcuts.ts";
import { Keys } from "../Keys.tsx";
import { PageHead } from "../page/Page.tsx";
import { toast } from "../popups/toast.ts";
import { CreateButton } from "./CreateButton.tsx";
import { useColumns } from "./columns/columns.ts";
import { columnsOf } from "./columns/columnsFromFields.tsx";
import type { Create, ListDeclaration, Page, Total } from "./declaration.ts";
import { Export } from "./export/ExportButton.tsx";
import type { FieldLabels } from "./filters/filterLabels.ts";
import { ListBody, ListNotes } from "./ListBody.tsx";
import { type ListState, sortsOf, useListSearch } from "./listSearch.ts";
import { Pager } from "./Pager.tsx";
import { Preview } from "./Preview.tsx";
import { Toolbar, Views } from "./Toolbar.tsx";
import { DataTable } from "./table/DataTable.tsx";
import { type Identified, type Table, useDataTable } from "./table/tableEngine.ts";
import { useLiveRows } from "./table/useLiveRows.ts";
import { useRowKeys } from "./table/useRowKeys.ts";
import { useReturn } from "./table/useScrollRestoration.ts";

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

type BulkProps<Row extends Identified> = {
  table: Table<Row>;
  bulkOf: ListDeclaration<Row, Fields>["bulkOf"];
  many: string;
};

const BulkBar = <Row extends Identified>({ table, bulkOf, many }: BulkProps<Row>) => (
  <table.Subscribe source={table.atoms.rowSelection}>
    {(selection) => {
      const rows = table
        .getRowModel()
        .rows.filter(({ id }) => selection[id])
        .map(({ original }) => original);
      const clear = () => table.resetRowSelection(true);
      if (rows.length === 0) return null;
      return (
        <div className="bulk" role="toolbar" aria-label={`Selected ${many}`}>
          <b>{rows.length} selected</b>
          <i />
          {bulkOf(rows, clear)}
          <i />
          <button type="button" onClick={clear}>
            Clear
            <Keys keys="escape" />
          </button>
        </div>
      );
    }}
  </table.Subscribe>
);

const rowIdOf = (element: Element) => element.closest<HTMLElement>("tr[data-row]")?.dataset["row"];

const captionOf = (title: string, sort: string | undefined, words: FieldLabels<Fields>) => {
  const sorted = sortsOf(sort).map(
    ({ field, descending }) =>
      `${words[field]?.label ?? field}, ${descending ? "descending" : "ascending"}`,
  );
  return `${title}${sorted.length > 0 ? `, sorted by ${sorted.join(", then ")}` : ", newest first"}`;
};

/** A page beyond the end is the last one. */
const usePageWithinEnd = <Row,>({ search, go }: ListState, page: Page<Row> | undefined) => {
  const isBeyond =
    page?.items.length === 0 && page.total?.kind === "exact" && page.total.count > 0 && search.page;
  const last = Math.ceil((page?.total?.count ?? 0) / Number(search.size ?? usualSize));
  useEffect(() => {
    if (isBeyond) void go({ page: last > 1 ? String(last) : undefined }, true);
  });
};

/** Another choice of rows ends the selection: nothing is done to what is no longer in sight. */
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

/** A row that is as it was stays the same object, so that it moves in the table without being drawn again. */
const useSameRows = <Row extends Identified>() => {
  const known = useRef(new Map<string, Row>());
  return (page: Page<Row>): Page<Row> => {
    const items = page.items.map((row) => replaceEqualDeep(known.current.get(row.id), row));
    known.current = new Map(items.map((row) => [row.id, row]));
    return { ...page, items };
  };
};

/** The rows of the address, and what there is to know about reading them. */
const useRows = <Row extends Identified, F extends Fields>(
  list: ListDeclaration<Row, F>,
  state: ListState,
) => {
  const query = queryOf(state.search);
  const queryKey = [list.name, "list", query];
  const same = useSameRows<Row>();
  const { data, error, isPending, isPlaceholderData, isFetching, refetch } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => same(await list.read({ ...query, count: "capped" }, signal)),
    placeholderData: keepPreviousData,
  });
  const live = useLiveRows({ entity: list.name, queryKey, readOne: list.readOne });
  const isSettled = data !== undefined && !isPlaceholderData;
  // Rows that cannot be read are no reason to take away those that were; an address that means nothing is.
  const [last, setLast] = useState<Page<Row>>();
  if (data && data !== last) setLast(data);
  const isMeant = !(error instanceof CallError && error.is("invalid"));
  const page = data ?? (error && isMeant ? last : undefined);
  usePageWithinEnd(state, isSettled ? data : undefined);
  return {
    page,
    error,
    isSettled,
    isFetching,
    live,
    retry: () => void refetch(),
    /** How many rows are awaited. */
    skeletons: isPending ? Number(query.size) : 0,
    byId: (id: string | null | undefined) => page?.items.find((row) => row.id === id),
    countAll: async () => {
      const { q, f } = state.search;
      const asked = { ...queryOf({ q, f }), size: "1", count: "exact" as const };
      return (await list.read(asked, AbortSignal.timeout(10_000))).total as Total;
    },
  };
};

type Rows<Row extends Identified, F extends Fields> = ReturnType<typeof useRows<Row, F>>;

/** What can be done with a row from the table itself. */
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
    // What is shown here and nowhere else leaves the list as it was chosen.
    if (href.endsWith(`?preview=${id}`)) preview(id);
    else void router.navigate({ href });
  };
  const prepare = (id: string) => {
    const row = rows.byId(id);
    // Nobody asked for it yet: that it cannot be loaded is told once somebody does.
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

/** Everything that a list screen is; an entity only declares what differs. */
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
  const remember = useReturn(acts.region, rows.isSettled);
  useSelectionOf(table, state);
  useCreateKey(list.create);

  return (
    <div className="list">
      <PageHead
        title={title}
        facts={list.facts}
        acts={
          <>
            <Export
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
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable without a pointer.
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
      {/* Another choice of rows has another total. */}
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
