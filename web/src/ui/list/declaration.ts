import type { Permission } from "@purser/contract/auth/permissions";
import type { Fields } from "@purser/contract/http/list";
import type { ListQuery } from "@purser/contract/pages/listSearch";
import type { RoutePath } from "@purser/contract/pages/routes";
import type { Density } from "@purser/contract/workspace/preferences";
import type { ReactNode } from "react";
import type { Column } from "./columns/columns.ts";
import type { FieldLabels } from "./filters/filterLabels.ts";
import type { Identified } from "./table/tableEngine.ts";

export type Total = { count: number; kind: "exact" | "at least" | "about" };

export type Page<Row> = {
  items: Row[];
  previous: string | null;
  next: string | null;
  total: Total | null;
  /** How many rows were searched, if there may be matches among the following ones. */
  searched: number | null;
};

export type Asked = ListQuery & { count?: "none" | "capped" | "exact" };

/** A filter with its own tab and count. */
export type View = { label: string; filter: string | null; total?: Total | undefined };

/** The export endpoint and the columns it supports. */
export type ListFile = { path: string; permission: Permission; columns: readonly string[] };

/** The page for a new record and the button's label. */
export type Create = { to: RoutePath; label: string };

/** The sentences about the list's records. */
export type ListTexts = {
  /** The search field's accessible name: "Search apps". */
  search: string;
  /** What the search finds: "Name or code". */
  searchHint: string;
  /** The export dialog's title: "Export apps". */
  export: string;
  /** "1 app", "1,204 apps". */
  count: (total: number) => string;
  /** The list without any record: "No apps yet", and how to get the first one. */
  empty: { title: string; help: string };
};

export type Sums = {
  state: "complete" | "too many" | "too slow";
  /** In minor units, by the names of the endpoint. */
  sums: { currency: string; rows: number; amounts: Record<string, string> }[];
};

export type ListSums = {
  read: (
    query: Pick<ListQuery, "q" | "f"> & { all?: "true" },
    signal: AbortSignal,
  ) => Promise<Sums>;
  /** The endpoint's name of the sum of a column. */
  columns: Record<string, string>;
  /** A row can have amounts in several currencies, so that their rows don't add up to those of the list. */
  isPerCurrency?: true;
};

/** A list as its entity declares it. */
export type ListDeclaration<Row extends Identified, F extends Fields> = {
  /** The entity's name in the cache, the preferences and live changes. */
  name: string;
  title: string;
  texts: ListTexts;
  fields: F;
  fieldLabels: FieldLabels<F>;
  columns: Column<Row, NoInfer<F>>[];
  views: View[];
  read: (query: Asked, signal: AbortSignal) => Promise<Page<Row>>;
  readOne: (id: string) => Promise<Row>;
  linkOf: (row: Row) => string;
  labelOf: (row: Row) => string;
  menuOf: (row: Row, preview: () => void) => ReactNode;
  previewOf: (row: Row) => ReactNode;
  /** Bulk actions for the selected rows. */
  bulkOf: (rows: Row[], clear: () => void) => ReactNode;
  file: ListFile;
  /** Null without write permission. */
  create: Create | null;
  /** Buttons before the export. */
  actions?: ReactNode;
  /** Content below the title. */
  facts?: ReactNode;
  /** The date whose range is chosen next to the search. The list is sorted by it unless the user sorts. */
  mainDate?: keyof F & string;
  /** The default row height, otherwise the one of the user's preferences. */
  density?: Density;
  /** Sums of money columns below the rows. */
  sums?: ListSums;
};
