import type { Fields } from "@purser/contract/http/list";
import type { ListQuery } from "@purser/contract/pages/listSearch";
import type { RoutePath } from "@purser/contract/pages/routes";
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
};

export type Asked = ListQuery & { count?: "none" | "capped" | "exact" };

/** A filter that has a tab of its own, with how many it shows. */
export type View = { label: string; filter: string | null; total?: Total | undefined };

/** What a list can be taken away as: the endpoint that writes the file, and the columns that it knows. */
export type ListFile = { path: string; columns: readonly string[] };

/** Where another one is made, and what the button says. */
export type Create = { to: RoutePath; label: string };

/** A list, as its entity declares it. */
export type ListDeclaration<Row extends Identified, F extends Fields> = {
  /** The entity's word, in the cache, the preferences and the announcements. */
  name: string;
  title: string;
  words: { one: string; many: string; search: string };
  fields: F;
  fieldWords: FieldLabels<F>;
  columns: Column<Row, NoInfer<F>>[];
  views: View[];
  read: (query: Asked, signal: AbortSignal) => Promise<Page<Row>>;
  readOne: (id: string) => Promise<Row>;
  linkOf: (row: Row) => string;
  labelOf: (row: Row) => string;
  menuOf: (row: Row, preview: () => void) => ReactNode;
  previewOf: (row: Row) => ReactNode;
  /** What can be done with the selected rows. */
  bulkOf: (rows: Row[], clear: () => void) => ReactNode;
  file: ListFile;
  /** Null for those who may only look. */
  create: Create | null;
  /** What stands below the title. */
  facts?: ReactNode;
  /** How the first one comes about. */
  empty: string;
};
